import type { Expression, TypedExpression } from '@nervix/model';
import { checkExpression } from './check-expression.js';
import { NULL_PLACEMENT } from './checked.js';
import type { ExpressionScope } from './scope.js';

/** A typed expression, or why it is refused and the node at fault. */
export type TypedOutcome =
  | { readonly kind: 'ok'; readonly expression: TypedExpression; readonly isSensitive: boolean }
  | { readonly kind: 'refused'; readonly reason: string; readonly subject: object };

/** Types an expression that must have a type of its own. */
export function checkValue(expression: Expression, scope: ExpressionScope): TypedOutcome {
  const outcome = checkExpression(expression, scope, new Set());
  if (outcome.kind === 'refused') return outcome;
  if (outcome.value === null) {
    return { kind: 'refused', reason: NULL_PLACEMENT, subject: expression };
  }
  return { kind: 'ok', ...outcome.value };
}

/** Types a condition: BOOL, which may be null. */
export function checkCondition(expression: Expression, scope: ExpressionScope): TypedOutcome {
  const outcome = checkValue(expression, scope);
  if (outcome.kind === 'refused' || outcome.expression.type === 'BOOL') return outcome;
  const reason = 'WHERE expression must evaluate to Boolean';
  return { kind: 'refused', reason, subject: expression };
}
