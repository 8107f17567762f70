import type { BranchModel } from '@nervix/model';
import { keywords } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';
import { type LiteralRules, takePositive } from './literals.js';

const K = keywords('BRANCH', 'SCHEMA', 'TTL', 'MAX', 'INSTANCES', 'EVICT', 'LRU');

const NAME = label('branch_name');
const SCHEMA = label('ref:schema');
const INSTANCES = label('instance_count');

/** `BRANCH name SCHEMA … TTL …`. */
export function defineBranch(g: GrammarHost, literals: LiteralRules): Rule<BranchModel> {
  return g.rule('branch', (): BranchModel => {
    g.take(K.BRANCH);
    const name = g.name(NAME);
    g.take(K.SCHEMA);
    const schema = g.name(SCHEMA);
    g.take(K.TTL);
    const ttl = g.call(literals.duration);
    const maxInstances =
      g.maybe(0, () => {
        g.take(K.MAX);
        g.take(K.INSTANCES);
        const zero = 'branch MAX INSTANCES must be greater than zero';
        const count = takePositive(g, INSTANCES, zero);
        g.take(K.EVICT);
        g.take(K.LRU);
        return count;
      }) ?? null;
    return g.close({ kind: 'branch', name, schema, ttl, maxInstances }, 0);
  });
}
