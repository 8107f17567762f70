import type { BranchModel } from '@nervix/model';
import { keyword } from '../tokens.js';
import { type GrammarHost, label, type Rule } from './grammar-host.js';
import { type LiteralRules, takePositive } from './literals.js';

const NAME = label('branch_name');
const SCHEMA = label('ref:schema');
const INSTANCES = label('instance_count');

/** `BRANCH name SCHEMA … TTL …`. */
export function defineBranch(g: GrammarHost, literals: LiteralRules): Rule<BranchModel> {
  return g.rule('branch', (): BranchModel => {
    g.take(keyword('BRANCH'));
    const name = g.name(NAME);
    g.take(keyword('SCHEMA'));
    const schema = g.name(SCHEMA);
    g.take(keyword('TTL'));
    const ttl = g.call(literals.duration);
    const maxInstances =
      g.maybe(0, () => {
        g.take(keyword('MAX'));
        g.take(keyword('INSTANCES'));
        const zero = 'branch MAX INSTANCES must be greater than zero';
        const count = takePositive(g, INSTANCES, zero);
        g.take(keyword('EVICT'));
        g.take(keyword('LRU'));
        return count;
      }) ?? null;
    return g.close({ kind: 'branch', name, schema, ttl, maxInstances }, 0);
  });
}
