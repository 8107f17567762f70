import { type BuiltinFunction, builtin, TEXT } from './builtin-function.js';

/** Functions that read the surroundings of a payload. */
export const CONTEXT_FUNCTIONS: readonly BuiltinFunction[] = [
  builtin('read_header', [TEXT], 'STRING', { nullability: 'always', readsHeaders: true }),
];
