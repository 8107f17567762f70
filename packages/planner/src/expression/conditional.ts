import {
  type CaseExpression,
  columnTypeName,
  type Expression,
  equalTypes,
  isScalarType,
  type TypedExpression,
} from '@nervix/model';
import { type Checked, type CheckedValue, type CheckResult, NULL_PLACEMENT } from './checked.js';

/** Parts of a conditional in evaluation order. */
export function caseParts(node: CaseExpression): readonly Expression[] {
  const parts: Expression[] = node.operand === null ? [] : [node.operand];
  for (const arm of node.arms) parts.push(arm.when, arm.then);
  if (node.otherwise !== null) parts.push(node.otherwise);
  return parts;
}

interface TypedParts {
  readonly operand: Checked | null;
  readonly arms: readonly { readonly when: Checked; readonly result: CheckedValue }[];
  /** Results of all arms and of ELSE. */
  readonly results: readonly CheckedValue[];
}

/** @param values typed {@link caseParts}, in their order */
export function checkCase(node: CaseExpression, values: readonly CheckedValue[]): CheckResult {
  const parts = splitParts(node, values);
  if (parts === null) return NULL_PLACEMENT;
  const { operand, arms, results } = parts;
  const defect = conditionDefect(parts) ?? resultDefect(results);
  if (defect !== undefined) return defect;
  const type = results.find((result) => result !== null)?.expression.type;
  if (type === undefined) return NULL_PLACEMENT;
  const typed = (value: CheckedValue): TypedExpression =>
    value?.expression ?? { kind: 'literal', value: null, type, optional: true };
  const hasElse = node.otherwise !== null;
  return {
    expression: {
      kind: 'case',
      operand: operand?.expression ?? null,
      arms: arms.map(({ when, result }) => ({
        when: when.expression,
        // biome-ignore lint/suspicious/noThenProperty: the name the plan's vocabulary gives it.
        then: typed(result),
      })),
      otherwise: hasElse ? typed(results.at(-1) ?? null) : null,
      type,
      optional: !hasElse || results.some((result) => result === null || result.expression.optional),
    },
    isSensitive: [operand, ...arms.map((arm) => arm.when), ...results].some(
      (value) => value?.isSensitive === true,
    ),
  };
}

/** null when NULL stands where only a result may be NULL. */
function splitParts(node: CaseExpression, values: readonly CheckedValue[]): TypedParts | null {
  const operand = node.operand === null ? null : (values[0] ?? null);
  if (node.operand !== null && operand === null) return null;
  const first = node.operand === null ? 0 : 1;
  const arms: TypedParts['arms'][number][] = [];
  for (let index = 0; index < node.arms.length; index += 1) {
    const when = values[first + 2 * index] ?? null;
    if (when === null) return null;
    arms.push({ when, result: values[first + 2 * index + 1] ?? null });
  }
  const results = arms.map((arm) => arm.result);
  if (node.otherwise !== null) results.push(values.at(-1) ?? null);
  return { operand, arms, results };
}

function conditionDefect({ operand, arms }: TypedParts): string | undefined {
  for (const { when } of arms) {
    const { type } = when.expression;
    if (operand === null) {
      if (type === 'BOOL') continue;
      return `CASE WHEN condition must evaluate to Boolean, found ${columnTypeName(type)}`;
    }
    const wanted = operand.expression.type;
    if (!isScalarType(wanted))
      return `CASE operand must be scalar, found ${columnTypeName(wanted)}`;
    if (equalTypes(type, wanted)) continue;
    const found = `${columnTypeName(wanted)} and ${columnTypeName(type)}`;
    return `CASE operand and WHEN values must have one exact type, found ${found}`;
  }
  return undefined;
}

function resultDefect(results: readonly CheckedValue[]): string | undefined {
  const present = results.filter((result) => result !== null);
  const type = present[0]?.expression.type;
  if (type === undefined) return NULL_PLACEMENT;
  for (const { expression } of present) {
    if (equalTypes(expression.type, type)) continue;
    const found = `${columnTypeName(type)} and ${columnTypeName(expression.type)}`;
    return `CASE results must have one exact type, found ${found}`;
  }
  if (isScalarType(type)) return undefined;
  return `CASE result type ${columnTypeName(type)} is not supported by conditional selection`;
}
