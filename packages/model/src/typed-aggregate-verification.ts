import { equalTypes, printDataType } from './data-type.js';
import { resolveCall } from './functions/call-resolution.js';
import { type BoundedRule, CONSTANT_BOUNDS } from './functions/constant-bounds.js';
import type { ConstantRule, Parameter } from './functions/function-signature.js';
import { findAggregate } from './functions/function-table.js';
import type { TypedAggregate, TypedLiteral } from './typed-expression.js';
import { typedExpressionDefect } from './typed-verification.js';

/**
 * Why a typed aggregate is not one, or undefined: its arguments, its type and its settings follow from
 * the table of aggregates, so that whoever reads one from elsewhere may trust it.
 */
export function typedAggregateDefect(aggregate: TypedAggregate): string | undefined {
  const { function: name, arguments: read, constants } = aggregate;
  const definition = findAggregate(name);
  if (definition === undefined || definition.name !== name) return 'calls no aggregate';
  for (const part of [...read, ...constants]) {
    const defect = typedExpressionDefect(part);
    if (defect !== undefined) return defect;
  }
  const parameters = definition.signatures[0]?.parameters.slice(read.length) ?? [];
  const settings = constants.map((literal, index) =>
    parameters[index]?.constant === 'delay' ? { ...literal, type: 'STRING' as const } : literal,
  );
  const resolution = resolveCall(definition, [...read, ...settings]);
  if (resolution.kind !== 'ok' || parameters.some(({ constant }) => constant === null)) {
    return `calls ${name} with other arguments`;
  }
  const type = resolution.signature.result.kind === 'same' ? read[0]?.type : resolution.type;
  if (type == null || !equalTypes(type, aggregate.type)) {
    return `has type ${printDataType(aggregate.type)}, which ${name} has not`;
  }
  if (resolution.optional && !aggregate.optional) return 'may be null';
  return settingsDefect(name, parameters, constants);
}

function settingsDefect(
  name: string,
  parameters: readonly Parameter[],
  constants: readonly TypedLiteral[],
): string | undefined {
  const known = new Map<ConstantRule, number>();
  for (const [index, { constant: rule }] of parameters.entries()) {
    if (rule === null) continue;
    const value = Number(constants[index]?.value ?? Number.NaN);
    const [least, largest] = boundsOf(rule);
    if (!(value >= least && value <= largest)) return `gives ${name} a ${rule} that it cannot have`;
    if (rule !== 'percentile' && !BOUNDS.has(rule) && !Number.isInteger(value)) {
      return `gives ${name} a ${rule} that is not whole`;
    }
    known.set(rule, value);
  }
  if ((known.get('lower_bound') ?? 0) >= (known.get('upper_bound') ?? 1)) {
    return `gives ${name} no range`;
  }
  if ((known.get('top_count') ?? 0) > (known.get('capacity') ?? 0)) {
    return `asks ${name} for more than it counts`;
  }
  return undefined;
}

/** Settings that are ends of a range. */
const BOUNDS: ReadonlySet<ConstantRule> = new Set(['lower_bound', 'upper_bound']);

function boundsOf(rule: ConstantRule): readonly [number, number] {
  if (rule in CONSTANT_BOUNDS) return CONSTANT_BOUNDS[rule as BoundedRule];
  return [rule === 'delay' ? 0 : -Number.MAX_VALUE, Number.MAX_VALUE];
}
