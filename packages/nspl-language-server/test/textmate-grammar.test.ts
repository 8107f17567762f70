import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { readByteSize, readDuration } from '@nervix/model';
import { KEYWORDS, wordsIn } from '@nervix/nspl-parser';
import { beforeAll, expect, test } from 'vitest';
import { createOnigScanner, createOnigString, loadWASM } from 'vscode-oniguruma';
import { type IGrammar, INITIAL, parseRawGrammar, Registry } from 'vscode-textmate';
import { textMateGrammarFile } from '../src/textmate-grammar.ts';

const file = new URL('../syntaxes/nspl.tmLanguage.json', import.meta.url);
const content = readFileSync(file, 'utf8');
let grammar: IGrammar;

beforeAll(async () => {
  const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');
  await loadWASM(readFileSync(wasm));
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
    loadGrammar: () => Promise.resolve(parseRawGrammar(content, file.pathname)),
  });
  const loaded = await registry.loadGrammar('source.nspl');
  if (loaded === null) throw new Error('no grammar');
  grammar = loaded;
});

/** The coloured parts of a text as `part: scope`, without `.nspl`. */
function colours(text: string): string[] {
  let state = INITIAL;
  return text.split('\n').flatMap((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    return tokens.flatMap(({ startIndex, endIndex, scopes }) => {
      const scope = scopes.slice(1).join(' ').replaceAll('.nspl', '');
      return scope === '' ? [] : [`${line.slice(startIndex, endIndex)}: ${scope}`];
    });
  });
}

test('the committed grammar is the generated one', () => {
  expect(content).toBe(textMateGrammarFile());
});

test('the language configuration names the comment and closes what opens', () => {
  const configuration = new URL('../language-configuration.json', import.meta.url);
  const { comments, brackets } = JSON.parse(readFileSync(configuration, 'utf8')) as {
    comments: unknown;
    brackets: string[][];
  };
  expect(comments).toEqual({ lineComment: '//' });
  expect(brackets.map((pair) => pair.join(''))).toEqual(['{}', '[]', '()']);
});

test('NSPL 1.1: comments run to the end of the line and begin in no string', () => {
  expect(colours("USE a; // it's `all`\n'//' // x")).toEqual([
    'USE: keyword.other',
    ';: punctuation.terminator.statement',
    "// it's `all`: comment.line.double-slash",
    "'//': string.quoted.single",
    '// x: comment.line.double-slash',
  ]);
});

test('NSPL 1.1: quoted strings have no escapes and end in their line', () => {
  expect(colours(`'a\\' "b'\\" "it's" 'x`)).toEqual([
    "'a\\': string.quoted.single",
    `"b'\\": string.quoted.double`,
    `"it's": string.quoted.double`,
    "'x: invalid.illegal.unterminated",
  ]);
  expect(colours(`"x\nSTOP`)).toEqual(['"x: invalid.illegal.unterminated', 'STOP: keyword.other']);
});

test('NSPL 1.1: dollar quotes span lines up to the same tag', () => {
  const dollar = 'string.quoted.other.dollar';
  expect(colours("$a1$ 'x $b$ // $$\nSTOP; $a$\n$a1$ STOP $$ 1\n$$")).toEqual([
    `$a1$: ${dollar}`,
    ` 'x $b$ // $$: ${dollar}`,
    `STOP; $a$: ${dollar}`,
    `$a1$: ${dollar}`,
    'STOP: keyword.other',
    `$$: ${dollar}`,
    ` 1: ${dollar}`,
    `$$: ${dollar}`,
  ]);
});

test('NSPL 1.1: numbers have no sign; the digits of a word are none', () => {
  expect(colours('-1 2.50 3e-7 4.25E+3 a3 007 0')).toEqual([
    '-: keyword.operator',
    '1: constant.numeric',
    '2.50: constant.numeric',
    '3e-7: constant.numeric',
    '4.25E+3: constant.numeric',
    '0: constant.numeric',
    '0: constant.numeric',
    '7: constant.numeric',
    '0: constant.numeric',
  ]);
});

test('NSPL 1.4: durations and sizes, and what is neither', () => {
  expect(colours('250ms 1h30m 1.5s 2M 64KiB 1.5mb 10B 3parsecs')).toEqual([
    '250ms: constant.numeric.duration',
    '1h30m: constant.numeric.duration',
    '1.5s: constant.numeric.duration',
    '2M: constant.numeric.duration',
    '64KiB: constant.numeric.size',
    '1.5mb: constant.numeric.size',
    '10B: constant.numeric.size',
    '3: constant.numeric',
  ]);
});

test('NSPL 1.4: every unit that the language reads is coloured, and no other', () => {
  const units =
    'nanos nsec ns usec us millis msec ms seconds second secs sec s minutes minute mins min m ' +
    'hours hour hrs hr h days day d weeks week wks wk w months month M years year yrs yr y ' +
    'B kB KiB MB MiB GB GiB TB TiB PB PiB EB EiB H D micros fortnight iB';
  for (const unit of units.split(' ')) {
    const text = `1${unit}`;
    const readers = [
      ['duration', readDuration(text).kind],
      ['size', readByteSize(text).kind],
    ];
    const kind = readers.find(([, outcome]) => outcome === 'ok')?.[0];
    const expected =
      kind === undefined ? '1: constant.numeric' : `${text}: constant.numeric.${kind}`;
    expect(colours(text)[0]).toBe(expected);
  }
});

test('NSPL 1.2: every keyword is coloured in any case, and only as a whole word', () => {
  for (const keyword of KEYWORDS) {
    for (const word of [keyword, keyword.toLowerCase()]) {
      expect(colours(word)).toEqual([expect.stringMatching(new RegExp(`^${word}: (?!var|ent)`))]);
      expect(colours(`${word}x x${word} _${word}`)).toEqual([]);
    }
  }
});

test('a statement', () => {
  const text =
    'CREATE RELAY trips SCHEMA trip UNBRANCHED;\nCREATE SCHEMA trip (id U64, at DATETIME OPTIONAL);';
  expect(colours(text)).toEqual([
    'CREATE: keyword.other',
    'RELAY: keyword.other',
    'SCHEMA: keyword.other',
    'UNBRANCHED: keyword.other',
    ';: punctuation.terminator.statement',
    'CREATE: keyword.other',
    'SCHEMA: keyword.other',
    '(: punctuation.section.brackets',
    'U64: storage.type',
    ',: punctuation.separator',
    'at: keyword.other',
    'DATETIME: storage.type',
    'OPTIONAL: keyword.other',
    '): punctuation.section.brackets',
    ';: punctuation.terminator.statement',
  ]);
});

test('expressions: scopes, members, calls, operators, quoted names', () => {
  const text =
    'WHERE input.time >= left(`a b`, 2) AND NOT max(x) IN(1) OR udf::clean(y) = TRUE % - udf::`q r`()';
  expect(colours(text).filter((part) => !/^[(),]: /.test(part))).toEqual([
    'WHERE: keyword.other',
    'input: variable.language',
    '.: punctuation.accessor',
    'time: variable.other.member',
    '>=: keyword.operator',
    'left: entity.name.function',
    '`a b`: variable.other.quoted',
    '2: constant.numeric',
    'AND: keyword.operator.word',
    'NOT: keyword.operator.word',
    'max: entity.name.function',
    'IN: keyword.operator.word',
    '1: constant.numeric',
    'OR: keyword.operator.word',
    'udf: keyword.other',
    '::: punctuation.separator.namespace',
    'clean: entity.name.function.udf',
    '=: keyword.operator',
    'TRUE: constant.language',
    '%: keyword.operator',
    '-: keyword.operator',
    'udf: keyword.other',
    '::: punctuation.separator.namespace',
    '`q r`: entity.name.function.udf',
  ]);
});

test('expressions: CASE, casts and JSON readers', () => {
  const text = "CASE WHEN a != 1 THEN TRY_CAST(b AS I64) ELSE JSON_VALUE(c, '$.d' AS VEC<U8>) END";
  expect(colours(text).filter((part) => !/^[(),<>]: /.test(part))).toEqual([
    'CASE: keyword.control',
    'WHEN: keyword.control',
    '!=: keyword.operator',
    '1: constant.numeric',
    'THEN: keyword.control',
    'TRY_CAST: support.function.builtin',
    'AS: keyword.other',
    'I64: storage.type',
    'ELSE: keyword.control',
    'JSON_VALUE: support.function.builtin',
    "'$.d': string.quoted.single",
    'AS: keyword.other',
    'VEC: storage.type',
    'U8: storage.type',
    'END: keyword.control',
  ]);
});

test('NSPL 1.1: what is no token is marked', () => {
  expect(colours('a @ é # 😀 \u00a0\u2003 `x')).toEqual([
    '@: invalid.illegal.character',
    'é: invalid.illegal.character',
    '#: invalid.illegal.character',
    '😀: invalid.illegal.character',
    '`x: invalid.illegal.unterminated',
  ]);
});

test('NSPL 1.1: words are coloured or left alone as the lexer splits them', () => {
  const text = 'trip_2 input . x udf::f USE2 use _ a1b2 MAX';
  const plain = wordsIn(text).map((word) => word.text);
  const coloured = colours(text).map((part) => part.split(':')[0]);
  expect(plain).toEqual(['trip_2', 'input', 'x', 'udf', 'f', 'USE2', 'use', '_', 'a1b2', 'MAX']);
  expect(coloured.filter((part) => /\w/.test(part ?? ''))).toEqual([
    'input',
    'x',
    'udf',
    'f',
    'use',
    'MAX',
  ]);
});
