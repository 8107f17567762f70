import type { RelayModel } from '@nervix/model';
import { keyword, keywords } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';
import { takePositive } from './literals.js';
import type { RouteRules } from './route.js';

const K = keywords('RELAY', 'SCHEMA', 'CAPACITY');

const NAME = label('relay_name');
const SCHEMA = label('ref:schema');
const CAPACITY = label('relay_capacity');
const MATERIALIZED = 'WITH MATERIALIZED STATE LAST BY TIMESTAMP'.split(' ').map(keyword);

/** `RELAY name SCHEMA …`. */
export function defineRelay(g: GrammarHost, routes: RouteRules): Rule<RelayModel> {
  return g.rule('relay', (): RelayModel => {
    g.take(K.RELAY);
    const name = g.relayName(NAME);
    g.take(K.SCHEMA);
    const schema = g.name(SCHEMA);
    const branching = g.call(routes.branching);
    const capacity =
      g.maybe(0, () => {
        g.take(K.CAPACITY);
        return takePositive(g, CAPACITY, 'relay CAPACITY must be greater than zero');
      }) ?? '1';
    const materialized =
      g.maybe(1, () => {
        for (const type of MATERIALIZED) g.take(type);
        return true;
      }) === true;
    return g.close({ kind: 'relay', name, schema, branching, capacity, materialized }, 0);
  });
}
