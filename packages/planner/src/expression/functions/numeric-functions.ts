import { type BuiltinFunction, builtin, same } from './builtin-function.js';

/** Functions over numbers. */
export const NUMERIC_FUNCTIONS: readonly BuiltinFunction[] = [
  builtin('abs', [same('numeric')], 'T'),
  builtin('ceil', [same('numeric')], 'T', { aliases: ['ceiling'] }),
  builtin('floor', [same('numeric')], 'T'),
  builtin('round', [same('numeric')], 'T'),
  builtin('trunc', [same('numeric')], 'T'),
  builtin('sign', [same('numeric')], 'T'),
  builtin('sqrt', [same('numeric')], 'F64'),
  builtin('is_nan', [same('float')], 'BOOL'),
  builtin('is_finite', [same('float')], 'BOOL'),
  builtin('is_infinite', [same('float')], 'BOOL'),
];
