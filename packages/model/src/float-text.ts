/** Shortest decimal of an F32 that reads back as the same F32, in host notation. */
function shortestSingle(value: number): string {
  for (let precision = 1; precision < 9; precision += 1) {
    const text = value.toPrecision(precision);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(Number(value.toPrecision(9)));
}

/** Shortest digits of a float of that type, in host notation (an exponent may follow). */
export function shortestFloat(value: number, isSingle: boolean): string {
  if (Object.is(value, -0)) return '-0';
  return isSingle && Number.isFinite(value) ? shortestSingle(value) : String(value);
}

/**
 * Text of a float without exponent, of the fewest digits that read back as the same value of its
 * type; `NaN`, `inf`, `-inf`, `-0`.
 */
export function printFloat(value: number, isSingle: boolean): string {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Number.POSITIVE_INFINITY) return 'inf';
  if (value === Number.NEGATIVE_INFINITY) return '-inf';
  if (Object.is(value, -0)) return '-0';
  const shortest = isSingle ? shortestSingle(value) : String(value);
  return shortest.includes('e') ? withoutExponent(shortest) : shortest;
}

function withoutExponent(text: string): string {
  const [mantissa = '', exponentText = '0'] = text.split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [integer = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const point = integer.length + Number(exponentText);
  const all = integer + fraction;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${all}`;
  return `${sign}${all.padEnd(point, '0')}`;
}

const DECIMAL = /^([+-]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?[0-9]+))?$/;
const NAMED = /^([+-]?)(nan|inf|infinity)$/i;

/** Nearest F64 of a decimal or named float text, or null when it is neither. */
export function readDouble(text: string): number | null {
  if (DECIMAL.test(text)) return Number(text);
  const named = NAMED.exec(text);
  if (named === null) return null;
  if (named[2]?.toLowerCase() === 'nan') return Number.NaN;
  return named[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** Nearest F32 of a decimal or named float text in one rounding, or null when it is neither. */
export function readSingle(text: string): number | null {
  const double = readDouble(text);
  if (double === null) return null;
  const tie = tieNeighbours(double);
  if (tie === null) return Math.fround(double);
  return settleTie(tie, compareDecimal(text, double));
}

/** Nearest F32 of a 64-bit integer in one rounding. */
export function integerToSingle(value: bigint): number {
  const double = Number(value);
  const tie = tieNeighbours(double);
  if (tie === null) return Math.fround(double);
  const exact = BigInt(double);
  return settleTie(tie, value === exact ? 0 : value < exact ? -1 : 1);
}

interface Tie {
  readonly below: number;
  readonly above: number;
  /** Where ties-to-even sends the middle itself. */
  readonly even: number;
}

const single = new Float32Array(1);
const singleBits = new Int32Array(single.buffer);

/** The F32 neighbours of a double that lies exactly between them, else null. */
function tieNeighbours(double: number): Tie | null {
  const even = Math.fround(double);
  if (even === double || Number.isNaN(double) || !Number.isFinite(double)) return null;
  if (!Number.isFinite(even)) return overflowTie(double, even);
  single[0] = even;
  const isAway = Math.abs(even) > Math.abs(double);
  singleBits[0] = (singleBits[0] as number) + (isAway ? -1 : 1);
  if (even === 0) {
    single[0] = double > 0 ? 2 ** -149 : -(2 ** -149);
  }
  let other = single[0] as number;
  if (!Number.isFinite(other)) other = Math.sign(other) * 2 ** 128;
  if ((even + other) / 2 !== double) return null;
  const outer = Number.isFinite(single[0] as number) ? other : (single[0] as number);
  return even < other ? { below: even, above: outer, even } : { below: outer, above: even, even };
}

/** Half a step above the largest F32 rounds to infinity, anything below it does not. */
function overflowTie(double: number, even: number): Tie | null {
  const largest = 3.4028234663852886e38;
  if (Math.abs(double) !== (largest + 2 ** 128) / 2) return null;
  return double > 0
    ? { below: largest, above: even, even }
    : { below: even, above: -largest, even };
}

function settleTie(tie: Tie, order: number): number {
  if (order === 0) return tie.even;
  return order < 0 ? tie.below : tie.above;
}

/** Order of a decimal text against a finite double, exactly. */
function compareDecimal(text: string, double: number): number {
  const match = DECIMAL.exec(text);
  if (match === null) return 0;
  const [, sign, integer = '', fraction = '', bare = '', exponent = '0'] = match;
  const all = BigInt(`0${integer}${fraction}${bare}`) * (sign === '-' ? -1n : 1n);
  const power = Number(exponent) - fraction.length - bare.length;
  const { numerator, denominator } = exactFraction(double);
  let left = all * denominator;
  let right = numerator;
  if (power >= 0) left *= 10n ** BigInt(power);
  else right *= 10n ** BigInt(-power);
  return left === right ? 0 : left < right ? -1 : 1;
}

/** A finite double as numerator and power-of-two denominator. */
export function exactFraction(double: number): { numerator: bigint; denominator: bigint } {
  let scaled = double;
  let denominator = 1n;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    denominator *= 2n;
  }
  return { numerator: BigInt(scaled), denominator };
}
