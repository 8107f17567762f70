import type { BuiltinFunction } from './function-signature.js';
import { familyOf, ofClass, signature, text, word } from './signature-builder.js';

const define = familyOf('context', { stability: 'row' });

/** Functions that read or write the surroundings of a payload. */
export const CONTEXT_FUNCTIONS: readonly BuiltinFunction[] = [
  define(
    'read_header',
    'A header of the payload; null where it has none of the name.',
    signature([text('name')], 'STRING', { nullability: 'always' }),
    { place: 'header_source' },
  ),
  define(
    'read_headers',
    'All values of a header of the payload.',
    signature([text('name')], { kind: 'vec', element: 'STRING' }, { nullability: 'never' }),
    { place: 'header_source' },
  ),
  define(
    'write_header',
    'Adds a header to what is sent.',
    signature([text('name'), text('value')], { kind: 'none' }),
    { place: 'invoke' },
  ),
  define(
    'LOOKUP_HASH_MAP',
    'A field of the entry that a hash map has for a key; null without an entry.',
    signature(
      [word('map', 'hash_map'), ofClass('key', 'scalar'), word('field', 'hash_map_field')],
      { kind: 'field' },
      { nullability: 'always' },
    ),
    { place: 'lookup' },
  ),
];
