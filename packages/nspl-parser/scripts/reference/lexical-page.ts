import { KEYWORDS } from '@nervix/nspl-parser';
import { RESERVED_IN_EXPRESSIONS } from '@nervix/nspl-parser/documentation';
import { code, document, list, nspl, paragraph, table } from './markdown.ts';

const TOKENS: readonly (readonly string[])[] = [
  [
    'string',
    '`\'…\'` or `"…"` on one line, or `$tag$…$tag$` over any number of lines; there are no escapes',
  ],
  ['number', 'digits without leading zeros, perhaps with `.` and digits, perhaps with an exponent'],
  ['word', 'a letter or `_`, then letters, digits and `_`; ASCII only'],
  ['quoted name', 'anything but a backtick between backticks; only inside expressions'],
  [
    'punctuation',
    '`!=` `>=` `<=` `::` `{` `}` `[` `]` `(` `)` `,` `;` `:` `.` `-` `=` `>` `<` `+` `*` `/` `%`',
  ],
];

const UNITS: readonly (readonly string[])[] = [
  ['nanosecond', '`nanos` `nsec` `ns`'],
  ['microsecond', '`usec` `us`'],
  ['millisecond', '`millis` `msec` `ms`'],
  ['second', '`seconds` `second` `secs` `sec` `s`'],
  ['minute', '`minutes` `minute` `mins` `min` `m`'],
  ['hour', '`hours` `hour` `hrs` `hr` `h`'],
  ['day', '`days` `day` `d`'],
  ['week', '`weeks` `week` `wks` `wk` `w`'],
  ['month of 30.44 days', '`months` `month` `M`'],
  ['year of 365.25 days', '`years` `year` `yrs` `yr` `y`'],
];

/** The page of words, literals, names and scripts. */
export function lexicalPage(): string {
  return document([
    '# Lexical structure',
    '## Tokens',
    table(['token', 'form'], TOKENS),
    list([
      'White space separates tokens and is otherwise ignored; a comment runs from `//` to the end of the line.',
      'Digits and letters beside each other are two tokens: `250ms` is a number and a word.',
      'A text with anything else in it is refused as a whole.',
      'In a dollar-quoted string the tag may be empty; the text ends at the first repetition of the delimiter.',
    ]),
    nspl('CREATE USER ada WITH PASSWORD $p$it\'s "quoted"$p$; // both kinds of quotes inside'),
    '## Names',
    list([
      'A name is one word of at most 128 characters. Letter case makes no difference: it is stored in lower case.',
      'Every keyword can be a name: `CREATE RELAY to SCHEMA schema UNBRANCHED`. Only `message` and `branch` ' +
        'cannot name a relay.',
      'Host names and cluster nodes may hold `-` and `.`.',
      'Names at the other side, such as topics, are words or quoted; a quoted one is kept letter by letter.',
    ]),
    '## Durations',
    paragraph(
      'A number directly followed by a unit: `250ms`, `1.5s`, `1h30m`. Units distinguish upper and lower ' +
        'case. Durations are kept as they are written, except those of clocks, which print in the largest unit ' +
        'that divides them.',
    ),
    table(['unit', 'spellings'], UNITS),
    '## Sizes',
    paragraph(
      'A number directly followed by a unit in any case: `B`; `kB`, `MB`, `GB`, `TB`, `PB`, `EB` in ' +
        'thousands; `KiB`, `MiB`, `GiB`, `TiB`, `PiB`, `EiB` in 1024s.',
    ),
    '## Scripts',
    list([
      'A semicolon ends a statement; behind the last one it may be left out.',
      'Statements are read one by one: a mistake in one does not hide the next.',
    ]),
    nspl('CREATE SCHEMA reading (celsius F64);\nCREATE RELAY readings SCHEMA reading UNBRANCHED'),
    '## Keywords',
    paragraph('Keywords are recognized in any case. None of them is reserved in statements.'),
    paragraph(KEYWORDS.map(code).join(' ')),
    '## Words reserved in expressions',
    paragraph('A field or function of such a name is written in backticks.'),
    paragraph([...RESERVED_IN_EXPRESSIONS].map((word) => code(word.toUpperCase())).join(' ')),
    '[All statements](README.md)',
  ]);
}
