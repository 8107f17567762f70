import { INVALID_ARGUMENT, OVERFLOW } from './failure-kind.js';
import type { BuiltinFunction } from './function-signature.js';
import { familyOf, same, signature, T } from './signature-builder.js';

const define = familyOf('nulls');
const extremum = signature([same('value', 'scalar')], T, {
  rest: same('value', 'scalar'),
  nullability: 'all_arguments',
});

/** Nulls, extrema, identity and the clock of the execution. */
export const NULL_FUNCTIONS: readonly BuiltinFunction[] = [
  define(
    'coalesce',
    'The first value that is not null.',
    signature([same('value', 'any')], T, {
      rest: same('value', 'any'),
      nullability: 'all_arguments',
    }),
  ),
  define(
    'is_null',
    'Whether the value is null.',
    signature([same('value', 'any')], 'BOOL', { nullability: 'never' }),
  ),
  define(
    'nullif',
    'The first value, or null where both are equal.',
    signature([same('value', 'scalar'), same('other', 'scalar')], T, { nullability: 'always' }),
  ),
  define('greatest', 'The largest value, nulls left out; NaN is above every number.', extremum),
  define('least', 'The smallest value, nulls left out; NaN is above every number.', extremum),
  define(
    'clamp',
    'The value, or the bound that it is beyond.',
    signature(
      [same('value', 'orderable'), same('low', 'orderable'), same('high', 'orderable')],
      T,
      {
        failures: [INVALID_ARGUMENT],
      },
    ),
  ),
  define(
    'leak_sensitive',
    'The value itself, no longer treated as sensitive.',
    signature([same('value', 'any')], T),
    { isTransparent: true },
  ),
  define(
    'now',
    "The domain's time, the same for all rows of one piece of work.",
    signature([], 'DATETIME', { nullability: 'never' }),
    { stability: 'execution' },
  ),
  define(
    'uuid_v4',
    'A random UUID, another one for each row.',
    signature([], 'STRING', { nullability: 'never' }),
    { stability: 'volatile' },
  ),
  define(
    'uuid_v7',
    "A UUID that sorts by the domain's time, another one for each row.",
    signature([], 'STRING', { nullability: 'never', failures: [OVERFLOW] }),
    { stability: 'volatile' },
  ),
];
