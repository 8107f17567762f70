import { type BuiltinFunction, builtin, same } from './builtin-function.js';

/** Nulls, extrema, identity and the functions of the execution itself. */
export const IDENTITY_FUNCTIONS: readonly BuiltinFunction[] = [
  builtin('coalesce', [same('any')], 'T', { rest: same('any'), nullability: 'all_arguments' }),
  builtin('is_null', [same('any')], 'BOOL', { nullability: 'never' }),
  builtin('nullif', [same('scalar'), same('scalar')], 'T', { nullability: 'always' }),
  builtin('greatest', [same('scalar')], 'T', {
    rest: same('scalar'),
    nullability: 'all_arguments',
  }),
  builtin('least', [same('scalar')], 'T', { rest: same('scalar'), nullability: 'all_arguments' }),
  builtin('clamp', [same('orderable'), same('orderable'), same('orderable')], 'T'),
  builtin('leak_sensitive', [same('any')], 'T', { isTransparent: true }),
  builtin('now', [], 'DATETIME', { nullability: 'never' }),
  builtin('uuid_v4', [], 'STRING', { nullability: 'never', isVolatile: true }),
  builtin('uuid_v7', [], 'STRING', { nullability: 'never', isVolatile: true }),
];
