import type { AlterModelStatement, GeneratorOperation } from '@nervix/model';
import { keywords } from '../../tokens.js';
import { takeClockDuration } from '../clock-duration.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';
import type { LiteralRules } from '../literals.js';
import type { RouteRules } from '../route.js';
import { takeDropRoute, takeRoute } from './consumer-operation.js';
import { type Alternative, defineOperation, takeOperations } from './operation-list.js';

const K = keywords('GENERATOR', 'SET', 'MATERIALIZED', 'STATE', 'EACH', 'ADD', 'DROP', 'REPLACE');

const GENERATOR = label('ref:generator');
const RELAY = label('ref:relay');
const NO_SET = 'output route must contain SET assignments and may contain WHERE';

/** `GENERATOR name …`. */
export function defineAlterGenerator(
  g: GrammarHost,
  literals: LiteralRules,
  routes: RouteRules,
): Rule<AlterModelStatement> {
  const takeSetOnlyRoute = () => g.callWith(routes.setOnlyRoute, NO_SET);
  const settings: Alternative<GeneratorOperation>[] = [
    {
      ALT: () => {
        g.take(K.MATERIALIZED);
        g.take(K.STATE);
        return { op: 'set_state', relay: g.relayName(RELAY) };
      },
    },
    {
      ALT: () => {
        g.take(K.EACH);
        return { op: 'set_each', eachNanos: takeClockDuration(g, literals) };
      },
    },
    { ALT: () => ({ op: 'set_branching', branching: g.call(routes.branching) }) },
  ];
  const heads: Alternative<GeneratorOperation>[] = [
    {
      ALT: () => {
        g.take(K.SET);
        return g.choose(1, settings);
      },
    },
    {
      ALT: () => {
        g.take(K.ADD);
        return takeRoute(g, 'add_route', takeSetOnlyRoute);
      },
    },
    {
      ALT: () => {
        g.take(K.DROP);
        return takeDropRoute(g);
      },
    },
    {
      ALT: () => {
        g.take(K.REPLACE);
        return takeRoute(g, 'replace_route', takeSetOnlyRoute);
      },
    },
  ];
  const operation = defineOperation(g, 'generatorOperation', heads);
  return g.rule('alterGenerator', (): AlterModelStatement => {
    g.take(K.GENERATOR);
    const name = g.name(GENERATOR);
    const operations = takeOperations(g, operation);
    return { kind: 'alter_model', modelKind: 'generator', name, operations };
  });
}
