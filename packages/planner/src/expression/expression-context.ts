import type { ScopePolicy } from './scope-policy.js';
import * as policies from './scope-policy.js';

/** Name of a place of the language that takes expressions, such as `ingestor_filter`. */
export type ExpressionContext = Lowercase<keyof typeof policies>;

/** What may be read in each place that takes expressions. */
export const EXPRESSION_CONTEXTS: Readonly<Record<ExpressionContext, ScopePolicy>> =
  Object.fromEntries(
    Object.entries(policies).map(([name, policy]) => [name.toLowerCase(), policy]),
  ) as Record<ExpressionContext, ScopePolicy>;
