import {
  BUILTIN_FUNCTIONS,
  type BuiltinFunction,
  type ConstantRule,
  type DataType,
  equalTypes,
  type FunctionSignature,
  isOfClass,
  type Parameter,
  resolveCall,
  type TypedExpression,
} from '@nervix/model';
import type { Dice } from './random-program.js';

const SCALARS: readonly DataType[] = [
  ...['U8', 'I8', 'U16', 'I16', 'U32', 'I32', 'U64', 'I64', 'F32', 'F64'],
  ...['BOOL', 'STRING', 'BYTES', 'DATETIME'],
].map((type) => type as DataType);

const CONSTANTS: Partial<Record<ConstantRule, readonly string[]>> = {
  calendar_unit: ['nanosecond', 'second', 'hour', 'day', 'week', 'month', 'quarter', 'year'],
  fixed_unit: ['microsecond', 'millisecond', 'minute', 'hour', 'week'],
  date_part: ['year', 'quarter', 'day', 'hour', 'nanosecond', 'iso_week', 'day_of_week'],
  bin_width: ['1', '7', '90'],
  time_zone: ['UTC', '+05:30', 'Europe/Paris', 'America/New_York', 'Asia/Kathmandu'],
  written_format: ['%Y-%m-%dT%T%.f%:z', '%a %e %b %I%p %j %G-W%V %Z', '%s%3f%%'],
  read_format: ['%Y-%m-%d %H:%M:%S%:z', '%s', '%FT%T%.f%z'],
  network: ['10.0.0.0/8', 'fe80::/10'],
};
const PATTERNS = ['a+', '(b|c)', '\\d', '(?<n>x)?y', '', '[', '%a_', 'A%'];
const REPLACEMENTS = ['$1', '$n-$$', 'x'];

const NAMES = [...BUILTIN_FUNCTIONS.values()].flatMap((definition) =>
  definition.place === 'invoke' || definition.place === 'lookup'
    ? []
    : definition.signatures.map((signature) => ({ definition, signature })),
);

type Make = (type: DataType) => TypedExpression;

/** A call of any function of the table that yields a type, or undefined when the dice found none. */
export function tableCall(dice: Dice, type: DataType, make: Make): TypedExpression | undefined {
  const { definition, signature } = dice.pick(NAMES);
  const shared = sharedType(dice, signature, type);
  if (shared === undefined) return undefined;
  const { parameters, optionalParameters, rest } = signature;
  const count = signature.result.kind === 'array' ? lengthOf(type) : dice.below(3);
  const isZoned = definition.name === 'parse_datetime';
  const chosen = [
    ...parameters.slice(0, Math.max(parameters.length, 1)),
    ...(isZoned ? [] : optionalParameters.slice(0, dice.below(optionalParameters.length + 1))),
    ...(rest === null ? [] : Array<Parameter>(Math.max(0, count - (count > 0 ? 1 : 0))).fill(rest)),
  ];
  const args = chosen.map((parameter, index) =>
    argument(dice, definition, parameter, index, shared, make),
  );
  const resolution = resolveCall(definition, args);
  if (resolution.kind !== 'ok' || resolution.type === null) return undefined;
  if (!equalTypes(resolution.type, type)) return undefined;
  return {
    kind: 'call',
    function: definition.name,
    overload: resolution.signature.overload,
    arguments: args,
    type,
    optional: resolution.optional,
    sensitive: false,
  };
}

function lengthOf(type: DataType): number {
  return typeof type !== 'string' && type.kind === 'array' ? type.length : 1;
}

/** The common type of the arguments, so that the result is of a type; undefined when it cannot be. */
function sharedType(
  dice: Dice,
  { result, parameters }: FunctionSignature,
  type: DataType,
): DataType | undefined {
  const classes = parameters.flatMap(({ type: each }) =>
    each.kind === 'same' || each.kind === 'list' ? [each.class] : [],
  );
  const fits = (each: DataType): boolean => classes.every((name) => isOfClass(each, name));
  switch (result.kind) {
    case 'exact':
      if (!equalTypes(result.type, type)) return undefined;
      return dice.pick(SCALARS.filter(fits));
    case 'same':
      return fits(type) ? type : undefined;
    case 'vec':
    case 'array':
    case 'joined':
      return typeof type !== 'string' && fits(type.element) ? type.element : undefined;
    default:
      return undefined;
  }
}

function argument(
  dice: Dice,
  { family, name }: BuiltinFunction,
  { type, constant, name: word }: Parameter,
  index: number,
  shared: DataType,
  make: Make,
): TypedExpression {
  const values = constant === null ? undefined : CONSTANTS[constant];
  if (values !== undefined) {
    return literal(constant === 'bin_width' ? 'I64' : 'STRING', dice.pick(values));
  }
  if (family === 'pattern' && index > 0 && type.kind === 'exact' && dice.chance(0.8)) {
    return literal('STRING', dice.pick(index > 1 ? REPLACEMENTS : PATTERNS));
  }
  switch (type.kind) {
    case 'exact':
      return make(type.type);
    case 'same':
      return make(shared);
    case 'texts':
      return make({ kind: 'vec', element: 'STRING' });
    case 'list':
      return make(list(dice, shared, name));
    case 'class':
      if (type.class === 'integer' && word !== 'value') return count(dice);
      return make(dice.pick(SCALARS.filter((each) => isOfClass(each, type.class))));
  }
}

function list(dice: Dice, element: DataType, name: string): DataType {
  const isFixed = name !== 'concat' && dice.chance(0.3);
  return isFixed ? { kind: 'array', element, length: 2 } : { kind: 'vec', element };
}

/** Counts stay small, so that texts do. */
function count(dice: Dice): TypedExpression {
  if (dice.chance(0.7)) return literal('I64', String(dice.below(9) - 3));
  const type = dice.pick(['I8', 'U8'] as const);
  return {
    kind: 'column',
    row: 'input',
    field: type.toLowerCase(),
    type,
    optional: false,
    sensitive: false,
  };
}

function literal(type: 'I64' | 'STRING', value: string): TypedExpression {
  return { kind: 'literal', type, value, optional: false, sensitive: false };
}
