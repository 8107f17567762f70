import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, expect, test } from 'vitest';
import {
  completeAt,
  format,
  outlineScript,
  parseExpression,
  parseScript,
  renderDiagnostics,
  scriptCatalog,
} from '../src/index.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const TEXTS = 40;
const COMMENT_LENGTH = 1_000_000;
/** What {@link TEXTS} texts would hold is ten times as much, one text of them all likewise. */
const RETAINED_MAX = 4_000_000;

/** A comment that makes a text long; no two are the same string. */
const padding = (index: number) => `// ${'x'.repeat(COMMENT_LENGTH)}${index}\n`;

function memory(): number {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Bytes that stay in memory behind a work, together with what it returns. */
function retained(work: () => unknown): number {
  const before = memory();
  const kept = work();
  const bytes = memory() - before;
  return kept === undefined ? 0 : bytes;
}

/** What a work on each of many long texts returns. */
const ofMany = (work: (index: number) => unknown) => () =>
  Array.from({ length: TEXTS }, (_, index) => work(index));

const longName = (index: number) => `name_that_is_no_short_word_${index}`;
const client = (index: number) =>
  `CREATE CLIENT ${longName(index)} TYPE HTTP CONFIG {'base_url' = 'http://host${index}.example/'}`;

/** What reads a script of one statement and what it is asked for. */
const KEPT: readonly [name: string, work: (index: number) => unknown][] = [
  [
    'nothing of the words in it',
    (index) => {
      parseScript(`CREATE RELAY ${longName(index)} SCHEMA s UNBRANCHED; ${padding(index)}`);
      return index;
    },
  ],
  [
    'nothing of the literals in it',
    (index) => {
      const spans = 's1'.repeat(COMMENT_LENGTH / 10);
      parseScript(`CREATE BRANCH b SCHEMA s TTL 1${spans}s${index}s;`);
      return index;
    },
  ],
  ['a model', (index) => onlyStatement(padding(index) + client(index)).statement],
  ['a statement with its spans', (index) => onlyStatement(padding(index) + client(index))],
  ['the same beyond ASCII', (index) => onlyStatement(`// é${padding(index)}${client(index)}`)],
  ['refusals', (index) => parseScript(`${padding(index)}${client(index)} '${longName(index)}'`)],
  ['lexical refusals', (index) => parseScript(`${padding(index)} $tag_of_a_string_${index}$`)],
  ['an outline', (index) => outlineScript(`// é${padding(index)}${client(index)}`)],
  ['a catalog', (index) => scriptCatalog(padding(index) + client(index))],
  [
    'an expression',
    (index) => {
      const text = `${padding(index)} lower(${longName(index)}) = 'a text as long as ${index}'`;
      const result = parseExpression(text);
      return result.kind === 'parsed' && result.expression;
    },
  ],
];

function onlyStatement(text: string) {
  const { statements, errors } = parseScript(text);
  expect(errors).toEqual([]);
  return statements[0]!;
}

/** One text as long as many, of which nothing is kept; the last that a process works on. */
const LAST: readonly [name: string, statement: string, work: (text: string) => unknown][] = [
  ['parsed', client(0), parseScript],
  ['parsed beyond ASCII', client(0).replace('example', 'exämple'), parseScript],
  ['refused', `${client(0)} x`, parseScript],
  ['refused in an expression', `CREATE SUBSCRIPTION ${longName(0)} TO r WHERE a = `, parseScript],
  ['outlined', client(0), outlineScript],
  ['formatted', client(0), format],
  ['completed', client(0), (text) => completeAt(text, client(0).length)],
  [
    'shown',
    `${client(0)} '\u{1f600}'`,
    (text) => renderDiagnostics(text, parseScript(text).errors),
  ],
];

beforeAll(() => {
  for (const [, work] of KEPT) work(TEXTS);
  for (const [, text, work] of LAST) work(text);
});

test.each(KEPT)('of texts that are dropped, who keeps %s keeps no text', (_name, work) => {
  expect(retained(ofMany(work))).toBeLessThan(RETAINED_MAX);
});

test.each(LAST)('the text that was %s last is not kept', (_name, statement, work) => {
  const length = 12 * COMMENT_LENGTH;
  const bytes = retained(() => {
    work(`${statement} // ${'x'.repeat(length)}`);
    return true;
  });
  expect(bytes).toBeLessThan(RETAINED_MAX);
});

test('a statement holds no more than its own text', () => {
  const statements = ofMany((index) => onlyStatement(padding(index) + client(index)).text)();
  expect(statements).toEqual(Array.from({ length: TEXTS }, (_, index) => client(index)));
});
