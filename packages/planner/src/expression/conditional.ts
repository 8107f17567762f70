import {
  type CaseExpression,
  columnTypeName,
  type Expression,
  equalTypes,
  isScalarType,
  type TypedExpression,
} from '@nervix/model';
import {
  type CheckedValue,
  type CheckResult,
  isUntyped,
  NULL_PLACEMENT,
  placementDefect,
} from './checked.js';

/** Parts of a conditional in evaluation order. */
export function caseParts(node: CaseExpression): readonly Expression[] {
  const parts: Expression[] = node.operand === null ? [] : [node.operand];
  for (const arm of node.arms) parts.push(arm.when, arm.then);
  if (node.otherwise !== null) parts.push(node.otherwise);
  return parts;
}

/** A result of an arm; null stands for the NULL literal. */
type Result = TypedExpression | null;

interface TypedParts {
  readonly operand: TypedExpression | null;
  readonly arms: readonly { readonly when: TypedExpression; readonly result: Result }[];
  /** Results of all arms and of ELSE. */
  readonly results: readonly Result[];
}

/** @param values typed {@link caseParts}, in their order */
export function checkCase(node: CaseExpression, values: readonly CheckedValue[]): CheckResult {
  const parts = splitParts(node, values);
  if (typeof parts === 'string') return parts;
  const { operand, arms, results } = parts;
  const defect = conditionDefect(parts) ?? resultDefect(results);
  if (defect !== undefined) return defect;
  const type = results.find((result) => result !== null)?.type;
  if (type === undefined) return NULL_PLACEMENT;
  const typed = (value: Result): TypedExpression =>
    value ?? { kind: 'literal', value: null, type, optional: true, sensitive: false };
  const hasElse = node.otherwise !== null;
  return {
    kind: 'case',
    operand,
    arms: arms.map(({ when, result }) => ({
      when,
      // biome-ignore lint/suspicious/noThenProperty: the name the plan's vocabulary gives it.
      then: typed(result),
    })),
    otherwise: hasElse ? typed(results.at(-1) ?? null) : null,
    type,
    optional: !hasElse || results.some((result) => result === null || result.optional),
    sensitive: [operand, ...arms.map((arm) => arm.when), ...results].some(
      (value) => value?.sensitive === true,
    ),
  };
}

/** Text when NULL stands where only a result may be NULL, or `vec()` anywhere. */
function splitParts(node: CaseExpression, values: readonly CheckedValue[]): TypedParts | string {
  const pending = values.values();
  const next = (isResult: boolean): Result | string => {
    const { value } = pending.next();
    if (value === undefined) return NULL_PLACEMENT;
    if (!isUntyped(value)) return value;
    return isResult && value.kind === 'null' ? null : placementDefect(value);
  };
  const operand = node.operand === null ? null : next(false);
  if (typeof operand === 'string') return operand;
  const arms: TypedParts['arms'][number][] = [];
  while (arms.length < node.arms.length) {
    const when = next(false);
    if (typeof when === 'string' || when === null) return when ?? NULL_PLACEMENT;
    const result = next(true);
    if (typeof result === 'string') return result;
    arms.push({ when, result });
  }
  const results = arms.map((arm) => arm.result);
  if (node.otherwise === null) return { operand, arms, results };
  const otherwise = next(true);
  if (typeof otherwise === 'string') return otherwise;
  return { operand, arms, results: [...results, otherwise] };
}

function conditionDefect({ operand, arms }: TypedParts): string | undefined {
  for (const { when } of arms) {
    const { type } = when;
    if (operand === null) {
      if (type === 'BOOL') continue;
      return `CASE WHEN condition must evaluate to Boolean, found ${columnTypeName(type)}`;
    }
    const wanted = operand.type;
    if (!isScalarType(wanted))
      return `CASE operand must be scalar, found ${columnTypeName(wanted)}`;
    if (equalTypes(type, wanted)) continue;
    const found = `${columnTypeName(wanted)} and ${columnTypeName(type)}`;
    return `CASE operand and WHEN values must have one exact type, found ${found}`;
  }
  return undefined;
}

function resultDefect(results: readonly Result[]): string | undefined {
  const present = results.filter((result) => result !== null);
  const type = present[0]?.type;
  if (type === undefined) return NULL_PLACEMENT;
  const other = present.find((result) => !equalTypes(result.type, type));
  if (other !== undefined) {
    const found = `${columnTypeName(type)} and ${columnTypeName(other.type)}`;
    return `CASE results must have one exact type, found ${found}`;
  }
  if (isScalarType(type)) return undefined;
  return `CASE result type ${columnTypeName(type)} is not supported by conditional selection`;
}
