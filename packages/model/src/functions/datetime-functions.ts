import { CAST_FAILED, INVALID_ARGUMENT, OVERFLOW } from './failure-kind.js';
import type { BuiltinFunction } from './function-signature.js';
import { count, exact, familyOf, number, signature, text, word } from './signature-builder.js';

const define = familyOf('datetime');
const UNIT = word('unit', 'calendar_unit');
const FIXED_UNIT = word('unit', 'fixed_unit');
const VALUE = exact('value', 'DATETIME');
const ZONE = { optionalParameters: [word('zone', 'time_zone')] };
const BEYOND_RANGE = { failures: [OVERFLOW] };

/** Functions over DATETIME; units, parts, zones and formats are read when a statement is applied. */
export const DATETIME_FUNCTIONS: readonly BuiltinFunction[] = [
  define(
    'date_part',
    'One part of an instant, such as its hour, in a zone.',
    signature([word('part', 'date_part'), VALUE], 'I64', ZONE),
  ),
  define(
    'date_trunc',
    'Start of the unit that holds an instant, in a zone.',
    signature([UNIT, VALUE], 'DATETIME', { ...ZONE, ...BEYOND_RANGE }),
  ),
  define(
    'date_bin',
    'Start of the bin of a width that holds an instant, counted from an origin.',
    signature(
      [FIXED_UNIT, number('width', 'bin_width'), VALUE, exact('origin', 'DATETIME')],
      'DATETIME',
      BEYOND_RANGE,
    ),
  ),
  define(
    'date_add',
    'The instant n units later, in a zone.',
    signature([UNIT, count('n'), VALUE], 'DATETIME', { ...ZONE, ...BEYOND_RANGE }),
  ),
  define(
    'date_diff',
    'Whole units from one instant to another, in a zone.',
    signature([UNIT, exact('start', 'DATETIME'), exact('end', 'DATETIME')], 'I64', {
      ...ZONE,
      ...BEYOND_RANGE,
    }),
  ),
  define('to_unix', 'Whole units since 1970, rounded down.', signature([FIXED_UNIT, VALUE], 'I64')),
  define(
    'from_unix',
    'The instant n units after 1970.',
    signature([FIXED_UNIT, count('n')], 'DATETIME', BEYOND_RANGE),
  ),
  define(
    'format_datetime',
    'The instant as text by a format of % directives, in a zone.',
    signature([word('format', 'written_format'), VALUE], 'STRING', ZONE),
  ),
  define(
    'parse_datetime',
    'The instant that a text tells by a format of % directives, in a zone.',
    signature([word('format', 'read_format'), text('text')], 'DATETIME', {
      optionalParameters: [word('zone', 'time_zone'), word('disambiguation', 'disambiguation')],
      failures: [CAST_FAILED, INVALID_ARGUMENT, OVERFLOW],
    }),
  ),
];
