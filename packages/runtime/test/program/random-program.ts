import {
  BUILTIN_FUNCTIONS,
  type DataType,
  printDataType,
  resolveCall,
  type ScalarType,
  type SchemaPlan,
  type TypedExpression,
  typedNodes,
} from '@nervix/model';
import { BatchBuilder } from '../../src/batch/batch-builder.js';
import type { RecordBatch } from '../../src/batch/record-batch.js';
import type { Value } from '../../src/column/column.js';
import { tableCall } from './random-call.js';

export const SCALARS: readonly ScalarType[] = [
  'U8',
  'I8',
  'U16',
  'I16',
  'U32',
  'I32',
  'U64',
  'I64',
  'BOOL',
  'STRING',
  'BYTES',
  'DATETIME',
  'F32',
  'F64',
];

/** Small deterministic generator, so that one integer names a whole case. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0 || 1;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }
}

const INTEGERS = [
  0n,
  1n,
  -1n,
  2n,
  3n,
  5n,
  7n,
  10n,
  -10n,
  100n,
  127n,
  128n,
  -128n,
  255n,
  256n,
  32767n,
  32768n,
  -32768n,
  65535n,
  2147483647n,
  -2147483648n,
  4294967295n,
  9007199254740991n,
  9007199254740992n,
  9007199254740993n,
  -9007199254740992n,
  -9007199254740993n,
  9223372036854775807n,
  -9223372036854775808n,
  18446744073709551615n,
  1700000000000000000n,
];
const FLOATS = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  1.5,
  2.5,
  -2.5,
  0.1,
  255.99,
  1e21,
  1e-7,
  3.4028234663852886e38,
  1.7976931348623157e308,
  5e-324,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  2 ** 63,
  16777217,
  1 + 2 ** -24,
];
const TEXTS = [
  '',
  'a',
  'abc',
  'ABC',
  'x',
  ' pad ',
  'héllo',
  'ΣΟΦΟΣ',
  'ß',
  '\u00a0trim\u0085',
  '😀x',
  '\ufffd',
  'a,b,c',
  '42',
  '-7',
  '+5',
  '300',
  '1e3',
  '.5',
  'NaN',
  '-inf',
  'true',
  'OFF',
  ' YES ',
  '2024-02-29 12:00:00+02:00',
  '1969-12-31T23:59:59.25Z',
  '2030-06-30T23:59:60Z',
  'İstanbul',
  'ﬁ',
  '18446744073709551616',
  '1.0000000596046448',
];
const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');
TEXTS.push(
  ASCII,
  `${ASCII}é`,
  `\u0001${ASCII}\n`,
  'é'.repeat(20),
  `${'aZ'.repeat(9)}ß${'Az'.repeat(9)}`,
);
TEXTS.push(
  '{"a":{"b c":[1,"x"]}}',
  '[1.5,-7]',
  '10.0.0.1',
  'fe80::1',
  'https://u@h:8/p?a=1&b=%41#f',
);
TEXTS.push(
  'AQ==',
  '00ff',
  '2030-03-31 02:15',
  'x'.repeat(300),
  '@AZ[`az{'.repeat(5),
  `${' '.repeat(20)}wide${' '.repeat(20)}`,
);
const RANGES: Partial<Record<ScalarType, readonly [bigint, bigint]>> = {
  U8: [0n, 255n],
  I8: [-128n, 127n],
  U16: [0n, 65535n],
  I16: [-32768n, 32767n],
  U32: [0n, 4294967295n],
  I32: [-2147483648n, 2147483647n],
  U64: [0n, 18446744073709551615n],
  I64: [-9223372036854775808n, 9223372036854775807n],
  DATETIME: [-9223372036854775808n, 9223372036854775807n],
};

export function randomValue(dice: Dice, type: ScalarType): Value {
  if (type === 'BOOL') return dice.chance(0.5);
  if (type === 'STRING') return dice.pick(TEXTS) + (dice.chance(0.2) ? dice.pick(TEXTS) : '');
  if (type === 'BYTES') return Uint8Array.from({ length: dice.below(4) }, () => dice.below(256));
  if (type === 'F64') return dice.chance(0.3) ? dice.below(2000) / 8 - 100 : dice.pick(FLOATS);
  if (type === 'F32') return Math.fround(randomValue(dice, 'F64') as number);
  const [min, max] = RANGES[type]!;
  let value = dice.chance(0.5) ? BigInt(dice.below(40) - 20) : dice.pick(INTEGERS);
  if (value < min || value > max) value = BigInt(dice.below(20));
  return type === 'I64' || type === 'U64' || type === 'DATETIME' ? value : Number(value);
}

const vec = (element: DataType): DataType => ({ kind: 'vec', element });
const array = (element: DataType): DataType => ({ kind: 'array', element, length: 2 });

/** List types that the rows have fields of. */
export const LISTS: readonly DataType[] = [
  ...SCALARS.map(vec),
  array('F64'),
  array('I64'),
  array('STRING'),
  array('BOOL'),
  vec(vec('I64')),
  vec(array('F32')),
  array(array('U8')),
];

/** Name of the required field of a type. */
function fieldOf(type: DataType): string {
  return printDataType(type).toLowerCase();
}

function schemaOf(types: readonly DataType[]): SchemaPlan {
  const fields = types.flatMap((type) => [
    { name: fieldOf(type), type, optional: false, sensitive: false },
    { name: `${fieldOf(type)}_opt`, type, optional: true, sensitive: false },
  ]);
  return { name: 'rows', fields };
}

/** Two fields of every type: a required and an optional one. */
export const SCHEMA: SchemaPlan = schemaOf([...SCALARS, ...LISTS]);

/** The same without the lists. */
export const SCALAR_SCHEMA: SchemaPlan = schemaOf(SCALARS);

/** {@link SCHEMA} without the fields that no program reads, because making values takes long. */
export function schemaReadBy(...programs: readonly TypedExpression[]): SchemaPlan {
  const read = new Set<string>();
  for (const program of programs) {
    for (const part of typedNodes(program)) if (part.kind === 'column') read.add(part.field);
  }
  const fields = SCHEMA.fields.filter(({ name }, index) => index === 0 || read.has(name));
  return { name: SCHEMA.name, fields };
}

function randomAny(dice: Dice, type: DataType): Value {
  if (typeof type === 'string') return randomValue(dice, type);
  const length = type.kind === 'array' ? type.length : dice.below(4);
  return Array.from({ length }, () => randomAny(dice, type.element));
}

/** Rows of a schema; half of the batches are a slice of a longer one. */
export function randomBatch(dice: Dice, rows: number, schema: SchemaPlan = SCHEMA): RecordBatch {
  const builder = new BatchBuilder(schema);
  const [before, after] = dice.chance(0.5) ? [dice.below(20), dice.below(20)] : [0, 0];
  for (let row = 0; row < before + rows + after; row += 1) {
    builder.appendRow(
      schema.fields.map((field) =>
        field.optional && dice.chance(0.3) ? null : randomAny(dice, field.type),
      ),
    );
  }
  return builder.finish().slice(before, before + rows);
}

const INTEGER_TYPES = ['U8', 'I8', 'U16', 'I16', 'U32', 'I32', 'U64', 'I64'] as const;
const NUMERIC: readonly ScalarType[] = [...INTEGER_TYPES, 'F32', 'F64'];
const SIGNED: readonly ScalarType[] = ['I8', 'I16', 'I32', 'I64', 'F32', 'F64'];
const ORDERED: readonly ScalarType[] = [...NUMERIC, 'STRING', 'DATETIME'];

type Maker = (dice: Dice, depth: number, type: ScalarType) => TypedExpression | undefined;

function node(type: DataType, optional: boolean, rest: object): TypedExpression {
  return { ...rest, type, optional, sensitive: false } as TypedExpression;
}

function literal(dice: Dice, type: DataType): TypedExpression | undefined {
  if (typeof type !== 'string' || type === 'BYTES' || type === 'DATETIME') return undefined;
  const value = randomValue(dice, type);
  if (typeof value === 'number' && !Number.isFinite(value)) return undefined;
  const isInteger = (INTEGER_TYPES as readonly string[]).includes(type);
  return node(type, false, { kind: 'literal', value: isInteger ? String(value) : value });
}

function call(
  type: ScalarType,
  name: string,
  args: readonly TypedExpression[],
  optional?: boolean,
) {
  const isOptional = optional ?? args.some((argument) => argument.optional);
  return node(type, isOptional, { ...callOf(name, args), arguments: args });
}

function callOf(name: string, args: readonly TypedExpression[]) {
  const resolution = resolveCall(BUILTIN_FUNCTIONS.get(name)!, args);
  if (resolution.kind !== 'ok') throw new Error(`${name} takes other arguments`);
  return { kind: 'call', function: name, overload: resolution.signature.overload } as const;
}

const MAKERS: readonly Maker[] = [
  (dice, depth, type) => {
    if (!NUMERIC.includes(type)) return undefined;
    const [left, right] = [expression(dice, depth, type), expression(dice, depth, type)];
    const operator = dice.pick(['add', 'sub', 'mul', 'div', 'rem']);
    return node(type, left.optional || right.optional, { kind: 'binary', operator, left, right });
  },
  (dice, depth, type) => {
    if (!SIGNED.includes(type)) return undefined;
    const operand = expression(dice, depth, type);
    return node(type, operand.optional, { kind: 'unary', operator: 'neg', operand });
  },
  (dice, depth, type) => {
    if (type === 'BYTES') return undefined;
    const from = dice.pick(SCALARS.filter((scalar) => scalar !== 'BYTES'));
    const operand = expression(dice, depth, from);
    const isTry = dice.chance(0.5);
    return node(type, isTry || operand.optional, { kind: 'cast', isTry, operand, target: type });
  },
  (dice, depth, type) => {
    const isSimple = dice.chance(0.4);
    const keyType = dice.pick(SCALARS);
    const arms = Array.from({ length: 1 + dice.below(2) }, () => ({
      when: expression(dice, depth, isSimple ? keyType : 'BOOL'),
      // biome-ignore lint/suspicious/noThenProperty: the plan's own name.
      then: expression(dice, depth, type),
    }));
    const operand = isSimple ? expression(dice, depth, keyType) : null;
    const otherwise = dice.chance(0.7) ? expression(dice, depth, type) : null;
    const optional = otherwise === null || otherwise.optional || arms.some((a) => a.then.optional);
    return node(type, optional, { kind: 'case', operand, arms, otherwise });
  },
  (dice, depth, type) => {
    const args = Array.from({ length: 1 + dice.below(3) }, () => expression(dice, depth, type));
    const name = dice.pick(['coalesce', 'greatest', 'least', 'leak_sensitive', 'nullif']);
    if (name === 'leak_sensitive') return call(type, name, args.slice(0, 1));
    if (name === 'nullif') return call(type, name, [args[0]!, expression(dice, depth, type)], true);
    return call(
      type,
      name,
      args,
      args.every((argument) => argument.optional),
    );
  },
  (dice, depth, type) => {
    if (!ORDERED.includes(type)) return undefined;
    const args = [0, 1, 2].map(() => expression(dice, depth, type));
    return call(type, 'clamp', args);
  },
  (dice, depth, type) => {
    if (!NUMERIC.includes(type)) return undefined;
    const name = dice.pick(['abs', 'ceil', 'floor', 'round', 'trunc', 'sign']);
    const args = [expression(dice, depth, type)];
    if (name === 'round' && dice.chance(0.5)) args.push(literal(dice, 'I8')!);
    return call(type, name, args);
  },
  (dice, depth, type) =>
    type === 'F64' ? call(type, 'sqrt', [expression(dice, depth, dice.pick(NUMERIC))]) : undefined,
  (dice, depth, type) =>
    type === 'DATETIME' && dice.chance(0.3 + depth) ? call(type, 'now', []) : undefined,
  (dice, depth, type) => (type === 'STRING' ? textCall(dice, depth) : undefined),
  (dice, depth, type) => {
    if (type !== 'I64') return undefined;
    const text = expression(dice, depth, 'STRING');
    if (dice.chance(0.3)) return call(type, 'strpos', [text, expression(dice, depth, 'STRING')]);
    return call(type, dice.pick(['length', 'octet_length', 'bit_length']), [text]);
  },
  (dice, depth, type) => (type === 'BOOL' ? condition(dice, depth) : undefined),
];

function textCall(dice: Dice, depth: number): TypedExpression {
  const text = (): TypedExpression => expression(dice, depth, 'STRING');
  const count = (): TypedExpression =>
    dice.chance(0.7)
      ? node('I64', false, { kind: 'literal', value: String(dice.below(9) - 3) })
      : node('I8', true, { kind: 'column', row: 'input', field: 'i8_opt' });
  const name = dice.pick([
    'lower',
    'upper',
    'initcap',
    'trim',
    'ltrim',
    'rtrim',
    'left',
    'right',
    'substr',
    'concat',
    'concat_ws',
    'repeat',
    'replace',
    'reverse',
    'lpad',
    'rpad',
    'split_part',
    'uuid_v4',
    'uuid_v7',
    'read_header',
  ]);
  switch (name) {
    case 'uuid_v4':
    case 'uuid_v7':
      return call('STRING', name, []);
    case 'read_header':
      return call('STRING', name, [text()], true);
    case 'left':
    case 'right':
    case 'repeat':
      return call('STRING', name, [text(), count()]);
    case 'substr':
      return call(
        'STRING',
        name,
        dice.chance(0.5) ? [text(), count()] : [text(), count(), count()],
      );
    case 'concat':
    case 'concat_ws':
      return call('STRING', name, [text(), text(), text()]);
    case 'replace':
      return call('STRING', name, [text(), text(), text()]);
    case 'lpad':
    case 'rpad':
      return call('STRING', name, [text(), count(), text()]);
    case 'split_part':
      return call('STRING', name, [text(), text(), count()]);
    default:
      return call('STRING', name, [text()]);
  }
}

function condition(dice: Dice, depth: number): TypedExpression {
  const of = (type: ScalarType): TypedExpression => expression(dice, depth, type);
  const kind = dice.pick([
    'logic',
    'not',
    'equal',
    'order',
    'distinct',
    'between',
    'in',
    'text',
    'float',
    'null',
  ]);
  const [any, ordered] = [dice.pick(SCALARS), dice.pick(ORDERED)];
  switch (kind) {
    case 'logic': {
      const [left, right] = [of('BOOL'), of('BOOL')];
      return node('BOOL', left.optional || right.optional, {
        kind: 'binary',
        operator: dice.pick(['and', 'or']),
        left,
        right,
      });
    }
    case 'not': {
      const operand = of('BOOL');
      return node('BOOL', operand.optional, { kind: 'unary', operator: 'not', operand });
    }
    case 'equal':
    case 'order': {
      const type = kind === 'equal' ? any : ordered;
      const [left, right] = [of(type), of(type)];
      const operator = dice.pick(
        kind === 'equal' ? ['eq', 'not_eq'] : ['lt', 'lt_eq', 'gt', 'gt_eq'],
      );
      return node('BOOL', left.optional || right.optional, {
        kind: 'binary',
        operator,
        left,
        right,
      });
    }
    case 'distinct':
      return node('BOOL', false, {
        kind: 'distinct',
        negated: dice.chance(0.5),
        left: of(any),
        right: of(any),
      });
    case 'between': {
      const [operand, low, high] = [of(ordered), of(ordered), of(ordered)];
      const optional = operand.optional || low.optional || high.optional;
      return node('BOOL', optional, {
        kind: 'between',
        negated: dice.chance(0.5),
        operand,
        low,
        high,
      });
    }
    case 'in': {
      const type = dice.pick(
        SCALARS.filter((scalar) => scalar !== 'BYTES' && scalar !== 'DATETIME'),
      );
      const elements = [0, 1, 2].flatMap(() => literal(dice, type) ?? []).slice(dice.below(3));
      const operand = of(type);
      return node('BOOL', operand.optional && elements.length > 0, {
        kind: 'in',
        negated: dice.chance(0.5),
        operand,
        elements,
      });
    }
    case 'text':
      return call('BOOL', dice.pick(['contains', 'starts_with', 'ends_with']), [
        of('STRING'),
        of('STRING'),
      ]);
    case 'float':
      return call('BOOL', dice.pick(['is_nan', 'is_finite', 'is_infinite']), [
        of(dice.pick(['F32', 'F64'])),
      ]);
    default:
      return call('BOOL', 'is_null', [of(any)], false);
  }
}

/** A well-typed expression over rows of {@link SCHEMA}. */
export function expression(dice: Dice, depth: number, type: DataType): TypedExpression {
  if (depth > 0) {
    for (let tries = 0; tries < 8; tries += 1) {
      const made = dice.chance(0.5)
        ? tableCall(dice, type, (part) => expression(dice, depth - 1, part))
        : operation(dice, depth - 1, type);
      if (made !== undefined) return { ...made, span: { start: dice.below(1000), end: 1000 } };
    }
  }
  const constant = dice.chance(0.3) ? literal(dice, type) : undefined;
  return constant ?? leaf(dice, type);
}

function operation(dice: Dice, depth: number, type: DataType): TypedExpression | undefined {
  if (typeof type === 'string') {
    return dice.chance(0.1) && type !== 'BYTES' && type !== 'DATETIME'
      ? jsonRead(type, expression(dice, depth, 'STRING'), dice)
      : dice.pick(MAKERS)(dice, depth, type);
  }
  const length = type.kind === 'array' ? type.length : dice.below(4);
  const elements = Array.from({ length }, () => expression(dice, depth, type.element));
  const optional = elements.some((element) => element.optional);
  return node(type, optional, { kind: 'list', elements });
}

function jsonRead(type: DataType, document: TypedExpression, dice: Dice): TypedExpression {
  const path = dice.pick(['$', '$.a', '$[1]', '$.a["b c"][0]']);
  return node(type, true, { kind: 'json_read', isTry: dice.chance(0.5), document, path });
}

function leaf(dice: Dice, type: DataType): TypedExpression {
  const optional = dice.chance(0.5);
  const name = `${fieldOf(type)}${optional ? '_opt' : ''}`;
  if (SCHEMA.fields.some((field) => field.name === name)) {
    return node(type, optional, { kind: 'column', row: 'input', field: name });
  }
  if (typeof type === 'string') throw new Error('every scalar type has a field');
  const length = type.kind === 'array' ? type.length : 2;
  const elements = Array.from({ length }, () => leaf(dice, type.element));
  return node(
    type,
    elements.some((element) => element.optional),
    { kind: 'list', elements },
  );
}
