import { type BuiltinFunction, builtin, COUNT, TEXT } from './builtin-function.js';

/** Functions over STRING; counts and positions are in Unicode scalars, positions from 1. */
export const TEXT_FUNCTIONS: readonly BuiltinFunction[] = [
  builtin('lower', [TEXT], 'STRING'),
  builtin('upper', [TEXT], 'STRING'),
  builtin('initcap', [TEXT], 'STRING'),
  builtin('trim', [TEXT], 'STRING', { aliases: ['btrim'] }),
  builtin('ltrim', [TEXT], 'STRING'),
  builtin('rtrim', [TEXT], 'STRING'),
  builtin('length', [TEXT], 'I64', { aliases: ['char_length'] }),
  builtin('octet_length', [TEXT], 'I64'),
  builtin('bit_length', [TEXT], 'I64'),
  builtin('left', [TEXT, COUNT], 'STRING'),
  builtin('right', [TEXT, COUNT], 'STRING'),
  builtin('substr', [TEXT, COUNT], 'STRING', {
    aliases: ['substring'],
    optionalParameters: [COUNT],
  }),
  builtin('concat', [TEXT], 'STRING', { rest: TEXT }),
  builtin('concat_ws', [TEXT, TEXT], 'STRING', { rest: TEXT }),
  builtin('repeat', [TEXT, COUNT], 'STRING'),
  builtin('replace', [TEXT, TEXT, TEXT], 'STRING'),
  builtin('reverse', [TEXT], 'STRING'),
  builtin('lpad', [TEXT, COUNT, TEXT], 'STRING'),
  builtin('rpad', [TEXT, COUNT, TEXT], 'STRING'),
  builtin('split_part', [TEXT, TEXT, COUNT], 'STRING'),
  builtin('strpos', [TEXT, TEXT], 'I64'),
  builtin('contains', [TEXT, TEXT], 'BOOL'),
  builtin('starts_with', [TEXT, TEXT], 'BOOL'),
  builtin('ends_with', [TEXT, TEXT], 'BOOL'),
];
