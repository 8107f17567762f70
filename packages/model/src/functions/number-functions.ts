import { INTEGER_OVERFLOW, INVALID_ARGUMENT, NON_FINITE, OVERFLOW } from './failure-kind.js';
import type { BuiltinFunction } from './function-signature.js';
import { count, familyOf, ofClass, same, signature, T } from './signature-builder.js';

const define = familyOf('number');
const numeric = same('value', 'numeric');
const integer = same('value', 'integer');
const round = signature([numeric], T, { failures: [NON_FINITE] });
const NOT_FINITE = { failures: [INVALID_ARGUMENT] };
const real = signature([ofClass('value', 'numeric')], 'F64', NOT_FINITE);
const test = signature([same('value', 'float')], 'BOOL');
const bitwise = signature([integer, same('other', 'integer')], T);

/** Functions over numbers. */
export const NUMBER_FUNCTIONS: readonly BuiltinFunction[] = [
  define(
    'abs',
    'The value without its sign.',
    signature([numeric], T, { failures: [INTEGER_OVERFLOW, NON_FINITE] }),
  ),
  define('ceil', 'The next whole number at or above.', round, { aliases: ['ceiling'] }),
  define('floor', 'The next whole number at or below.', round),
  define('round', 'The nearest number with n decimals, halves away from zero.', [
    round,
    signature([numeric, count('n')], T, {
      overload: 'round.digits',
      failures: [INTEGER_OVERFLOW, NON_FINITE],
    }),
  ]),
  define('trunc', 'The whole number toward zero.', round),
  define('sign', '-1, 0 or 1.', round),
  define('acos', 'Arc cosine, in radians.', real),
  define('asin', 'Arc sine, in radians.', real),
  define('atan', 'Arc tangent, in radians.', real),
  define(
    'atan2',
    'Angle of a point, in radians.',
    signature([ofClass('y', 'numeric'), ofClass('x', 'numeric')], 'F64', NOT_FINITE),
  ),
  define('cos', 'Cosine of radians.', real),
  define('sin', 'Sine of radians.', real),
  define('tan', 'Tangent of radians.', real),
  define('degrees', 'Radians in degrees.', real),
  define('radians', 'Degrees in radians.', real),
  define('exp', 'The number e to the power of the value.', real),
  define('ln', 'Natural logarithm.', real),
  define('log', 'Logarithm to the base 10, or to a base.', [
    real,
    signature([ofClass('base', 'numeric'), ofClass('value', 'numeric')], 'F64', {
      ...NOT_FINITE,
      overload: 'log.base',
    }),
  ]),
  define('log2', 'Logarithm to the base 2.', real),
  define(
    'pow',
    'A base to the power of an exponent.',
    signature([ofClass('base', 'numeric'), ofClass('exponent', 'numeric')], 'F64', NOT_FINITE),
    { aliases: ['power'] },
  ),
  define('sqrt', 'Square root.', real),
  define('is_nan', 'Whether the value is NaN.', test),
  define('is_finite', 'Whether the value is neither infinite nor NaN.', test),
  define('is_infinite', 'Whether the value is infinite.', test),
  define('bitwise_and', 'Bits that both values have.', bitwise),
  define('bitwise_or', 'Bits that either value has.', bitwise),
  define('bitwise_xor', 'Bits that one value has.', bitwise),
  define('bitwise_not', 'All bits inverted.', signature([integer], T)),
  define('bit_count', 'How many bits are set.', signature([integer], 'I64')),
  define(
    'shift_left',
    'The value times two to the power of n.',
    signature([integer, count('n')], T, { failures: [OVERFLOW, INVALID_ARGUMENT] }),
  ),
  define(
    'shift_right',
    'The value divided by two to the power of n, rounded down.',
    signature([integer, count('n')], T, { failures: [INVALID_ARGUMENT] }),
  ),
];
