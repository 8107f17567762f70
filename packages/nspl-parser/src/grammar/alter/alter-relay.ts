import type { AlterModelStatement, RelayOperation } from '@nervix/model';
import { keyword, keywords } from '../../tokens.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';
import { takePositive } from '../literals.js';
import type { RouteRules } from '../route.js';
import { type Alternative, defineOperation, takeOperations } from './operation-list.js';

const K = keywords('RELAY', 'SET', 'DROP', 'CAPACITY', 'SCHEMA', 'MATERIALIZED', 'STATE');

const RELAY = label('ref:relay');
const SCHEMA = label('ref:schema');
const CAPACITY = label('relay_capacity');
const MATERIALIZED = 'MATERIALIZED STATE LAST BY TIMESTAMP'.split(' ').map(keyword);

/** `RELAY name …`. */
export function defineAlterRelay(g: GrammarHost, routes: RouteRules): Rule<AlterModelStatement> {
  const settings: Alternative<RelayOperation>[] = [
    {
      ALT: () => {
        g.take(K.CAPACITY);
        const zero = 'relay CAPACITY must be greater than zero';
        return { op: 'set_capacity', capacity: takePositive(g, CAPACITY, zero) };
      },
    },
    {
      ALT: () => {
        g.take(K.SCHEMA);
        return { op: 'set_schema', schema: g.name(SCHEMA) };
      },
    },
    { ALT: () => ({ op: 'set_branching', branching: g.call(routes.branching) }) },
    {
      ALT: () => {
        for (const type of MATERIALIZED) g.take(type);
        return { op: 'set_materialized_state' };
      },
    },
  ];
  const heads: Alternative<RelayOperation>[] = [
    {
      ALT: () => {
        g.take(K.SET);
        return g.choose(1, settings);
      },
    },
    {
      ALT: () => {
        g.take(K.DROP);
        g.take(K.MATERIALIZED);
        g.take(K.STATE);
        return { op: 'drop_materialized_state' };
      },
    },
  ];
  const operation = defineOperation(g, 'relayOperation', heads);
  return g.rule('alterRelay', (): AlterModelStatement => {
    g.take(K.RELAY);
    const name = g.relayName(RELAY);
    const operations = takeOperations(g, operation);
    return { kind: 'alter_model', modelKind: 'relay', name, operations };
  });
}
