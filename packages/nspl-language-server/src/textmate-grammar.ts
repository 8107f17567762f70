import { KEYWORDS } from '@nervix/nspl-parser';

/** A rule of a TextMate grammar; patterns are Oniguruma regular expressions. */
export interface TextMateRule {
  readonly name?: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly captures?: Readonly<Record<string, { readonly name: string }>>;
  readonly include?: string;
  readonly patterns?: readonly TextMateRule[];
}

export interface TextMateGrammar extends TextMateRule {
  readonly name: string;
  readonly scopeName: string;
  readonly patterns: readonly TextMateRule[];
  readonly repository: Readonly<Record<string, TextMateRule>>;
}

/** Keywords with a meaning of their own in expressions or types; all others only name clauses. */
const CLASSES = {
  'constant.language': 'FALSE NULL TRUE',
  'keyword.control': 'CASE ELSE END IF THEN WHEN',
  'keyword.operator.word': 'AND BETWEEN DISTINCT IN IS NOT OR',
  'storage.type':
    'ARRAY BOOL BOOLEAN BYTES DATETIME DOUBLE ENUM F32 F64 FIXED FLOAT I16 I32 I64 I8 INT INTEGER ' +
    'LONG MAP NUMBER OBJECT RECORD STRING TENSOR U16 U32 U64 U8 VEC',
  'support.function.builtin': 'JSON_EXISTS JSON_VALUE TRY_CAST TRY_JSON_VALUE',
};

/** Words in front of a parenthesis that are no call, though nothing separates them from it. */
const NO_CALLS =
  'ALL AND ARGS AS BETWEEN CASE CONFLICT DISTINCT ELSE EXCEPT FROM IN INHERIT INVOKE IS LEAK LOOSE ' +
  'NOT OR SENSITIVE SET STRICT THEN WHEN WHERE';

const SCOPES = 'branch error input left message metadata output partial_output relay_state right';

/** Longer units first, so that the longest fits. */
const DURATION_UNITS =
  'seconds|minutes|millis|months|second|minute|nanos|hours|weeks|month|years|nsec|usec|msec|secs|' +
  'mins|hour|days|week|year|sec|min|hrs|day|wks|yrs|ns|us|ms|hr|wk|yr|s|m|h|d|w|M|y';
const SIZE_UNITS = '(?i:(?:[KMGTPE]i?)?B)';

const NUMBER = '(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?';
const WORD_BEHIND = '(?![A-Za-z0-9_])';

/** Any of some words, in any case, as a whole word. */
function anyOf(words: string | readonly string[]): string {
  const list = typeof words === 'string' ? words.split(' ') : words;
  return `\\b(?i:${list.join('|')})${WORD_BEHIND}`;
}

function keywordRules(): readonly TextMateRule[] {
  const classified = new Set(Object.values(CLASSES).flatMap((words) => words.split(' ')));
  const others = KEYWORDS.filter((word) => !classified.has(word));
  return [
    ...Object.entries(CLASSES).map(([name, words]) => ({
      name: `${name}.nspl`,
      match: anyOf(words),
    })),
    { name: 'keyword.other.nspl', match: anyOf(others) },
  ];
}

/** A string or name that ends in its line, and one that does not. */
function quoted(quote: string, name: string): readonly TextMateRule[] {
  return [
    { name: `${name}.nspl`, match: `${quote}[^${quote}\\n]*${quote}` },
    { name: 'invalid.illegal.unterminated.nspl', match: `${quote}[^${quote}\\n]*$` },
  ];
}

const STRINGS: readonly TextMateRule[] = [
  ...quoted("'", 'string.quoted.single'),
  ...quoted('"', 'string.quoted.double'),
  {
    name: 'string.quoted.other.dollar.nspl',
    begin: '\\$([A-Za-z0-9_]*)\\$',
    end: '\\$\\1\\$',
  },
];

const NUMBERS: readonly TextMateRule[] = [
  {
    name: 'constant.numeric.duration.nspl',
    match: `${NUMBER}(?:${DURATION_UNITS})(?:[0-9]+(?:\\.[0-9]+)?(?:${DURATION_UNITS}))*${WORD_BEHIND}`,
  },
  { name: 'constant.numeric.size.nspl', match: `${NUMBER}${SIZE_UNITS}${WORD_BEHIND}` },
  { name: 'constant.numeric.nspl', match: NUMBER },
];

const QUALIFIED: readonly TextMateRule[] = [
  {
    match: '\\b((?i:udf))\\s*(::)\\s*(?:([A-Za-z_][A-Za-z0-9_]*)|(`[^`\\n]*`))?',
    captures: {
      1: { name: 'keyword.other.nspl' },
      2: { name: 'punctuation.separator.namespace.nspl' },
      3: { name: 'entity.name.function.udf.nspl' },
      4: { name: 'entity.name.function.udf.nspl' },
    },
  },
  { name: 'variable.language.nspl', match: `${anyOf(SCOPES)}(?=\\s*\\.\\s*[A-Za-z_\`])` },
  {
    match: '(\\.)\\s*([A-Za-z_][A-Za-z0-9_]*)',
    captures: {
      1: { name: 'punctuation.accessor.nspl' },
      2: { name: 'variable.other.member.nspl' },
    },
  },
];

const SIGNS: readonly TextMateRule[] = [
  { name: 'punctuation.separator.namespace.nspl', match: '::' },
  { name: 'keyword.operator.nspl', match: '!=|>=|<=|[=<>+*/%-]' },
  { name: 'punctuation.terminator.statement.nspl', match: ';' },
  { name: 'punctuation.separator.nspl', match: '[,:]' },
  { name: 'punctuation.accessor.nspl', match: '\\.' },
  { name: 'punctuation.section.brackets.nspl', match: '[(){}\\[\\]]' },
  { name: 'invalid.illegal.character.nspl', match: '[^A-Za-z0-9_\\p{Space}]' },
];

/** The grammar that colours NSPL in editors; they apply the first rule that fits. */
export function textMateGrammar(): TextMateGrammar {
  const calls: TextMateRule = {
    name: 'entity.name.function.nspl',
    match: `(?!${anyOf(`${NO_CALLS} ${CLASSES['support.function.builtin']}`)})\\b[A-Za-z_][A-Za-z0-9_]*(?=\\()`,
  };
  const rules: Readonly<Record<string, readonly TextMateRule[]>> = {
    comments: [{ name: 'comment.line.double-slash.nspl', match: '//.*$' }],
    strings: STRINGS,
    names: quoted('`', 'variable.other.quoted'),
    numbers: NUMBERS,
    qualified: QUALIFIED,
    calls: [calls],
    keywords: keywordRules(),
    // Without this, the digits of a name would be coloured as a number.
    words: [{ match: '[A-Za-z_][A-Za-z0-9_]*' }],
    signs: SIGNS,
  };
  return {
    name: 'NSPL',
    scopeName: 'source.nspl',
    patterns: Object.keys(rules).map((name) => ({ include: `#${name}` })),
    repository: Object.fromEntries(
      Object.entries(rules).map(([name, patterns]) => [name, { patterns }]),
    ),
  };
}

/** The text of the file that holds the grammar. */
export function textMateGrammarFile(): string {
  return `${JSON.stringify(textMateGrammar(), null, 2)}\n`;
}
