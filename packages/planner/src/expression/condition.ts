import type { Expression, TypedExpression } from '@nervix/model';
import { checkExpression } from './check-expression.js';
import { isUntyped, placementDefect } from './checked.js';
import { type ExpressionFaults, refusedFor } from './expression-fault.js';
import type { ExpressionScope } from './scope.js';

/** A typed expression, or everything that is wrong with it. */
export type TypedOutcome =
  | { readonly kind: 'ok'; readonly expression: TypedExpression }
  | { readonly kind: 'refused'; readonly faults: ExpressionFaults };

/** Types an expression that must have a type of its own and that the engine can run. */
export function checkValue(expression: Expression, scope: ExpressionScope): TypedOutcome {
  const outcome = checkExpression(expression, scope, new Set());
  if (outcome.kind === 'refused') return outcome;
  const { value, unsupported } = outcome;
  if (isUntyped(value)) return refusedFor(placementDefect(value), expression);
  const [first, ...others] = unsupported;
  if (first !== undefined) return { kind: 'refused', faults: [first, ...others] };
  return { kind: 'ok', expression: value };
}

/** Types a condition: BOOL, which may be null. */
export function checkCondition(expression: Expression, scope: ExpressionScope): TypedOutcome {
  const outcome = checkValue(expression, scope);
  if (outcome.kind === 'refused' || outcome.expression.type === 'BOOL') return outcome;
  return refusedFor('WHERE expression must evaluate to Boolean', expression);
}
