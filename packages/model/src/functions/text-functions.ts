import { OVERFLOW } from './failure-kind.js';
import type { BuiltinFunction } from './function-signature.js';
import {
  count,
  familyOf,
  listOf,
  ofClass,
  same,
  signature,
  text,
  texts,
} from './signature-builder.js';

const define = familyOf('text');
const VEC_OF_TEXT = { kind: 'vec', element: 'STRING' } as const;
const OF_TEXT = signature([text('text')], 'STRING');
const LENGTH = signature([text('text')], 'I64');
const FILLS_COLUMN = { failures: [OVERFLOW] };
const pad = signature([text('text'), count('length'), text('fill')], 'STRING', FILLS_COLUMN);
const predicate = signature([text('text'), text('part')], 'BOOL');
const edge = signature([text('text'), count('n')], 'STRING');

/** Functions over STRING; they count Unicode scalars, positions from 1. */
export const TEXT_FUNCTIONS: readonly BuiltinFunction[] = [
  define('lower', 'The text in lower case, by the full mapping of Unicode.', OF_TEXT),
  define('upper', 'The text in upper case, by the full mapping of Unicode.', OF_TEXT),
  define('initcap', 'The text with each word begun in upper case, the rest in lower.', OF_TEXT),
  define('trim', 'The text without white space at its ends.', OF_TEXT, { aliases: ['btrim'] }),
  define('ltrim', 'The text without white space at its start.', OF_TEXT),
  define('rtrim', 'The text without white space at its end.', OF_TEXT),
  define('length', 'How many characters the text has.', LENGTH, { aliases: ['char_length'] }),
  define('octet_length', 'How many bytes the text has in UTF-8.', LENGTH),
  define('bit_length', 'How many bits the text has in UTF-8.', LENGTH),
  define('ascii', 'Code point of the first character; 0 of an empty text.', LENGTH),
  define('left', 'The first n characters; a negative n drops as many at the end.', edge),
  define('right', 'The last n characters; a negative n drops as many at the start.', edge),
  define(
    'substr',
    'The characters from a position on, at most length of them.',
    signature([text('text'), count('start')], 'STRING', { optionalParameters: [count('length')] }),
    { aliases: ['substring'] },
  ),
  define('concat', 'Texts one behind the other, nulls left out; or lists joined.', [
    signature([text('text')], 'STRING', { overload: 'concat.text', rest: text('text') }),
    signature(
      [listOf('list', 'any')],
      { kind: 'joined' },
      {
        overload: 'concat.list',
        rest: listOf('list', 'any'),
      },
    ),
  ]),
  define(
    'concat_ws',
    'Texts with a separator between them, nulls left out.',
    signature([text('separator'), text('text')], 'STRING', { rest: text('text'), ...FILLS_COLUMN }),
  ),
  define(
    'repeat',
    'The text n times; empty for an n below 1.',
    signature([text('text'), count('n')], 'STRING', FILLS_COLUMN),
  ),
  define(
    'replace',
    'The text with every occurrence of a part replaced.',
    signature([text('text'), text('from'), text('to')], 'STRING'),
  ),
  define('reverse', 'The characters in reverse order.', OF_TEXT),
  define(
    'normalize_nfc',
    'The text in Unicode normalization form C.',
    signature([text('text')], 'STRING', FILLS_COLUMN),
  ),
  define('lpad', 'The text filled up at its start, or cut, to a length.', pad),
  define('rpad', 'The text filled up at its end, or cut, to a length.', pad),
  define(
    'split_part',
    'The n-th part of a text cut at a delimiter; empty where there is none.',
    signature([text('text'), text('delimiter'), count('n')], 'STRING'),
  ),
  define(
    'split',
    'All parts of a text cut at a delimiter.',
    signature([text('text'), text('delimiter')], VEC_OF_TEXT, FILLS_COLUMN),
  ),
  define(
    'join',
    'The texts of a list with a separator between them.',
    signature([texts('list'), text('separator')], 'STRING', FILLS_COLUMN),
  ),
  define(
    'strpos',
    'Position of a part in the text; 0 where it is absent.',
    signature([text('text'), text('part')], 'I64'),
  ),
  define(
    'translate',
    'The text with characters mapped one to one, those without counterpart deleted.',
    signature([text('text'), text('from'), text('to')], 'STRING'),
  ),
  define(
    'to_hex',
    "An integer in hexadecimal, two's complement at its width.",
    signature([ofClass('value', 'integer')], 'STRING'),
  ),
  define('md5', 'MD5 digest of the UTF-8 text, in hexadecimal.', OF_TEXT),
  define('contains', 'Whether a text holds a part, or a list an element.', [
    { ...predicate, overload: 'contains.text' },
    signature([listOf('list', 'scalar'), same('element', 'scalar')], 'BOOL', {
      overload: 'contains.list',
    }),
  ]),
  define('starts_with', 'Whether the text begins with a part.', predicate),
  define('ends_with', 'Whether the text ends with a part.', predicate),
];
