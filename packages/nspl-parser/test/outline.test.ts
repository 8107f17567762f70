import { expect, test } from 'vitest';
import { outlineScript, parseScript, wordsIn } from '../src/index.ts';

/** The names of each statement as `label=name@text`. */
function namesOf(text: string): string[][] {
  const bytes = new TextEncoder().encode(text);
  const written = (start: number, end: number) =>
    new TextDecoder().decode(bytes.subarray(start, end));
  return outlineScript(text).statements.map(({ names }) =>
    names.map(({ label, name, span }) => `${label}=${name}@${written(span.start, span.end)}`),
  );
}

test('NSPL 10: every name of a statement has the label of its slot', () => {
  const text = `CREATE RELAY Trips SCHEMA trip BRANCHED BY by_city; // é
    CREATE DEDUPLICATOR once FROM trips WHERE input.a = udf::Tidy(relay_state.rates.fare)
      DEDUPLICATE ON a MAX TIME 5m UNBRANCHED USING MATERIALIZED STATE rates REQUIRED SKIP
      TO clean SET a = relay_state.\`Rates\`.fare FLUSH IMMEDIATE
      ON MESSAGE ERROR SEND TO failures SET why = error.message;
    SHOW CREATE RELAY trips`;
  expect(namesOf(text)).toEqual([
    ['relay_name=trips@Trips', 'ref:schema=trip@trip', 'ref:branch=by_city@by_city'],
    [
      'deduplicator_name=once@once',
      'ref:relay=trips@trips',
      'ref:udf=tidy@Tidy',
      'ref:relay=rates@rates',
      'ref:relay=rates@rates',
      'ref:relay=clean@clean',
      'ref:relay=rates@`Rates`',
      'ref:relay=failures@failures',
    ],
    ['ref:relay=trips@trips'],
  ]);
});

test('a refused statement has the names before the refusal', () => {
  const text = 'CREATE RELAY a SCHEMA s BRANCHED x; CREATE RELAY b SCHEMA s UNBRANCHED';
  const { statements, errors } = outlineScript(text);
  expect(statements.map(({ parsed }) => parsed !== undefined)).toEqual([false, true]);
  expect(outlineScript('stop; "Drop" x').statements.map(({ head }) => head)).toEqual([
    'STOP',
    '"DROP"',
  ]);
  expect(errors).toEqual(parseScript(text).errors);
  expect(namesOf(text)).toEqual([
    ['relay_name=a@a', 'ref:schema=s@s'],
    ['relay_name=b@b', 'ref:schema=s@s'],
  ]);
});

test('a text with something that is no token is read around it', () => {
  const text = `CREATE RELAY a SCHEMA s UNBRANCHED; CREATE ENDPOINT e ON v PATH '/open
    TYPE HTTP; CREATE # RELAY b SCHEMA s UNBRANCHED`;
  const { statements, errors } = outlineScript(text);
  expect(errors).toEqual(parseScript(text).errors);
  expect(errors.map(({ code }) => code)).toEqual(['NSPL_LEX', 'NSPL_LEX']);
  expect(statements.map(({ parsed }) => parsed !== undefined)).toEqual([true, false, true]);
  expect(namesOf(text).flat()).toEqual([
    'relay_name=a@a',
    'ref:schema=s@s',
    'endpoint_name=e@e',
    'ref:vhost=v@v',
    'relay_name=b@b',
    'ref:schema=s@s',
  ]);
});

test('what stands behind a thousand refusals is not read', () => {
  const text = `${'x;'.repeat(1200)}STOP;`;
  const { statements, errors } = outlineScript(text);
  expect(statements).toHaveLength(1000);
  expect(errors).toEqual(parseScript(text).errors);
  expect(outlineScript(`${text}#`).errors).toEqual(parseScript(`${text}#`).errors);
});

test('an unreadable path in an expression names nothing', () => {
  expect(namesOf('CREATE SUBSCRIPTION w TO r WHERE relay_state.) = 1')).toEqual([
    ['session_subscription_name=w@w', 'ref:relay=r@r'],
  ]);
});

test('spans of statements reach from the first token to past the semicolon', () => {
  const text = ' ; // é\n USE a; \n STOP ;';
  expect(outlineScript(' STOP ;; USE a').statements.map(({ span }) => span)).toEqual([
    { start: 1, end: 7 },
    { start: 9, end: 14 },
  ]);
  expect(outlineScript(text).statements.map(({ span }) => span)).toEqual([
    { start: 10, end: 16 },
    { start: 19, end: 25 },
  ]);
});

test('words are neither strings nor numbers, comments nor names in backticks', () => {
  const text = "CREATE é SET a1 = 'x y' // in\n + udf::`q`(2m); stop";
  expect(wordsIn(text)).toEqual([
    { text: 'CREATE', span: { start: 0, end: 6 } },
    { text: 'SET', span: { start: 10, end: 13 } },
    { text: 'a1', span: { start: 14, end: 16 } },
    { text: 'udf', span: { start: 34, end: 37 } },
    { text: 'm', span: { start: 44, end: 45 } },
    { text: 'stop', span: { start: 48, end: 52 } },
  ]);
});
