import type { AlterModelStatement, ReingestorOperation } from '@nervix/model';
import { keywords } from '../../tokens.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';
import type { RouteRules } from '../route.js';
import { type ConsumerOperationRules, takeRoute } from './consumer-operation.js';
import { type Alternative, defineOperation, takeOperations } from './operation-list.js';

const K = keywords('REINGESTOR', 'ADD', 'SET', 'REPLACE');

const REINGESTOR = label('ref:reingestor');

/** `REINGESTOR name …`. */
export function defineAlterReingestor(
  g: GrammarHost,
  routes: RouteRules,
  consumers: ConsumerOperationRules,
): Rule<AlterModelStatement> {
  const takeEntryRoute = () => g.call(routes.entryRoute);
  const additions: Alternative<ReingestorOperation>[] = [
    { ALT: () => g.call(consumers.addInput) },
    { ALT: () => g.call(consumers.addDependency) },
    { ALT: () => takeRoute(g, 'add_route', takeEntryRoute) },
  ];
  const settings: Alternative<ReingestorOperation>[] = [
    { ALT: () => g.call(consumers.setCollect) },
    { ALT: () => ({ op: 'set_filter', filter: g.call(routes.filter) }) },
    { ALT: () => g.call(consumers.setAcknowledgement) },
  ];
  const heads: Alternative<ReingestorOperation>[] = [
    {
      ALT: () => {
        g.take(K.ADD);
        return g.choose(1, additions);
      },
    },
    { ALT: () => g.call(consumers.removal) },
    { ALT: () => g.call(consumers.change) },
    {
      ALT: () => {
        g.take(K.SET);
        return g.choose(2, settings);
      },
    },
    {
      ALT: () => {
        g.take(K.REPLACE);
        return takeRoute(g, 'replace_route', takeEntryRoute);
      },
    },
  ];
  const operation = defineOperation(g, 'reingestorOperation', heads);
  return g.rule('alterReingestor', (): AlterModelStatement => {
    g.take(K.REINGESTOR);
    const name = g.name(REINGESTOR);
    const operations = takeOperations(g, operation);
    return { kind: 'alter_model', modelKind: 'reingestor', name, operations };
  });
}
