import { AUDIT_FILTERS, type LiteralBinding, OPERATION_FILTERS } from '@nervix/model';
import { cutText } from '../../diagnostics.js';
import { keywords } from '../../tokens.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';
import { defineBindings } from '../literal-bindings.js';
import { takePositive } from '../literals.js';

const K = keywords('LIMIT');

const FILTER = label('filter_name');
const LIMIT = label('number_literal');

/** Which records of a list are shown. */
export interface RecordSelection {
  /** null without a WHERE clause. */
  readonly filters: readonly LiteralBinding[] | null;
  /** Decimal text above zero, or null. */
  readonly limit: string | null;
}

export interface RecordFilterRules {
  readonly operations: Rule<RecordSelection>;
  readonly audit: Rule<RecordSelection>;
}

/** `[WHERE (name = literal, …)] [LIMIT n]`. */
export function defineRecordFilters(g: GrammarHost): RecordFilterRules {
  const limit = g.rule('recordLimit', () => {
    g.take(K.LIMIT);
    return takePositive(g, LIMIT, 'LIMIT must be greater than zero');
  });
  const define = (subject: string, names: ReadonlySet<string>): Rule<RecordSelection> => {
    const filters = defineBindings(g, `${subject}Filter`, () => {
      const field = g.name(FILTER);
      if (!names.has(field)) g.refuse(`unknown filter '${cutText(field)}'`);
      return field;
    });
    return g.rule(`${subject}Selection`, () => ({
      filters: g.maybe(0, () => g.call(filters)) ?? null,
      limit: g.maybe(1, () => g.call(limit)) ?? null,
    }));
  };
  return {
    operations: define('operation', OPERATION_FILTERS),
    audit: define('audit', AUDIT_FILTERS),
  };
}
