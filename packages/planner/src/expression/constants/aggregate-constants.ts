import {
  CONSTANT_BOUNDS,
  type ConstantRule,
  type Parameter,
  readDuration,
  type TypedExpression,
  type TypedLiteral,
} from '@nervix/model';

/** The constants of one aggregate that are read so far, by what they are. */
type Values = Map<ConstantRule, number>;

/** Reads the settings of an aggregate: the literals or why one is refused. */
export function readAggregateConstants(
  name: string,
  parameters: readonly Parameter[],
  values: readonly TypedExpression[],
): readonly TypedLiteral[] | string {
  const known: Values = new Map();
  const constants: TypedLiteral[] = [];
  for (const [index, { name: word, constant: rule }] of parameters.entries()) {
    const value = values[index];
    if (value === undefined || rule === null) continue;
    if (rule === 'delay') {
      const delay = readDelay(name, value);
      if (typeof delay === 'string') return delay;
      constants.push(delay);
      continue;
    }
    const literal = numberOf(value);
    if (literal === undefined) return `${name} ${wordOf(rule, word)} must be a numeric constant`;
    if (!FRACTIONS.has(rule) && literal.node.type !== 'I64') {
      return `${name} ${wordOf(rule, word)} must be an integer constant`;
    }
    known.set(rule, literal.number);
    const defect = boundDefect(name, rule, known);
    if (defect !== undefined) return defect;
    constants.push(literal.node);
  }
  return constants;
}

/** Settings that need not be whole. */
const FRACTIONS: ReadonlySet<ConstantRule> = new Set(['percentile', 'lower_bound', 'upper_bound']);

function wordOf(rule: ConstantRule, word: string): string {
  return rule === 'bucket_count' ? 'bucket count' : `${word} argument`;
}

function numberOf(value: TypedExpression): { number: number; node: TypedLiteral } | undefined {
  if (value.kind !== 'literal' || value.value === null) return undefined;
  return value.type === 'I64' || value.type === 'F64'
    ? { number: Number(value.value), node: value }
    : undefined;
}

function boundDefect(name: string, rule: ConstantRule, known: Values): string | undefined {
  const value = known.get(rule) ?? 0;
  const within = (bounded: 'percentile' | 'precision' | 'capacity'): string | undefined => {
    const [low, high] = CONSTANT_BOUNDS[bounded];
    if (value >= low && value <= high) return undefined;
    return `${name} ${bounded} argument must be between ${low} and ${high}`;
  };
  switch (rule) {
    case 'percentile':
      return within('percentile');
    case 'bucket_count':
      if (value <= 0) return `${name} bucket count must be greater than zero`;
      if (value <= CONSTANT_BOUNDS.bucket_count[1]) return undefined;
      return `${name} bucket count must be at most ${CONSTANT_BOUNDS.bucket_count[1]}`;
    case 'upper_bound':
      if ((known.get('lower_bound') ?? 0) < value) return undefined;
      return `${name} minimum must be less than maximum`;
    case 'precision':
      return within('precision');
    case 'capacity': {
      const defect = within('capacity');
      if (defect !== undefined || (known.get('top_count') ?? 1) <= value) return defect;
      return `${name} k argument must not exceed its capacity`;
    }
    case 'top_count':
      return value >= 1 ? undefined : `${name} k argument must be at least 1`;
    default:
      return undefined;
  }
}

function readDelay(name: string, value: TypedExpression): TypedLiteral | string {
  if (value.kind !== 'literal' || typeof value.value !== 'string' || value.type !== 'STRING') {
    return `${name} delay argument must be a duration string constant`;
  }
  const read = readDuration(value.value);
  if (read.kind === 'refused') {
    return `invalid ${name} delay duration '${value.value}': ${read.reason}`;
  }
  return { ...value, type: 'I64', value: String(read.value) };
}
