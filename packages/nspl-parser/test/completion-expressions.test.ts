import { decodeErrorRowFields, ERROR_ROW_FIELDS, functionNames } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { parseScript, scriptCatalog } from '../src/index.ts';
import { labels } from './support/completing.ts';

/** What is offered behind a part of an expression. */
type Offer =
  /** The part begins something that needs more. */
  | 'nothing'
  /** An operand may stand there behind an operator, bracket or comma. */
  | 'functions'
  /** What stands before the cursor is a whole expression. */
  | 'clauses';

/** An expression in pieces, each with what is offered behind it. */
type Form = readonly (readonly [piece: string, offer: Offer])[];

/** Pieces of a text, each marked by its last character: `-` nothing, `f` functions, `!` clauses. */
function form(marked: string): Form {
  const offers: Readonly<Record<string, Offer>> = {
    '-': 'nothing',
    f: 'functions',
    '!': 'clauses',
  };
  return marked.split(' ').map((each) => {
    const offer = offers[each.at(-1) ?? ''];
    if (offer === undefined) throw new Error(`${each} is not marked`);
    return [each.slice(0, -1), offer];
  });
}

const FORMS: readonly [name: string, form: Form][] = [
  ['a number', form('1!')],
  ['a string', form("'x'!")],
  ['a truth value', form('TRUE!')],
  ['NULL', form('NULL!')],
  ['a field', form('fare!')],
  ['a quoted field', form('`set`!')],
  ['a sum', form('a! +f b! -f c!')],
  ['a product', form('a! *f b! /f c! %f d!')],
  ['a comparison', form('a! =f b!')],
  ['an order', form('a! <=f b! >f c!')],
  ['AND and OR', form('a! AND- b! OR- c!')],
  ['unary -', form('-f fare!')],
  ['unary - twice', form('-f -f 1!')],
  ['NOT', form('NOT- paid!')],
  ['parentheses', form('(f a- +f b- )!')],
  ['IN', form('a! IN- (f 1- ,f 2- )!')],
  ['an empty IN', form('a! IN- (f )!')],
  ['NOT IN', form('a! NOT- IN- (f 1- )!')],
  ['BETWEEN', form('a! BETWEEN- 1- AND- 2!')],
  ['NOT BETWEEN', form('a! NOT- BETWEEN- -f 1- +f 1- AND- b! *f 2!')],
  ['IS DISTINCT FROM', form('a! IS- DISTINCT- FROM- b!')],
  ['IS NOT DISTINCT FROM', form('a! IS- NOT- DISTINCT- FROM- NULL!')],
  ['AS', form('a! AS- I64! AS- STRING!')],
  ['AS behind a sum', form('a! +f b! AS- F64!')],
  ['TRY_CAST', form('TRY_CAST- (f a- AS- STRING- AS- I64- )!')],
  ['JSON_VALUE', form("JSON_VALUE- (f a- ,- '$.b'- AS- VEC- <- U8- >- )!")],
  ['TRY_JSON_VALUE', form("TRY_JSON_VALUE- (f a- ,- '$.b'- AS- ARRAY- <- U8- ,- 3- >- )!")],
  ['JSON_EXISTS', form("JSON_EXISTS- (f a- ,- '$.b'- )!")],
  ['a list', form('[f 1- ,f [f 2- ]- ,f ]!')],
  ['a call', form('lower! (f a- ,f b- )!')],
  ['a call without arguments', form('now! (f )!')],
  ['a UDF', form('udf- ::- grade- (f a- ,f 1- )!')],
  ['IF', form('IF- a- =f 1- THEN- 2- ELSE- 3- END!')],
  ['CASE', form('CASE- WHEN- a- THEN- 1- WHEN- b- THEN- 2- ELSE- 3- END!')],
  ['CASE of an operand', form('CASE- a- WHEN- 1- THEN- -f 2- END!')],
  ...['message', 'input', 'output', 'branch', 'left', 'right', 'metadata', 'partial_output'].map(
    (scope): [string, Form] => [scope, form(`${scope}! .- set!`)],
  ),
  ['error', form('error! .- code! +f 1!')],
  ['relay_state', form('relay_state! .- rates- .- city!')],
];

/** Clauses of a statement that hold an expression, and what may follow it. */
const CLAUSES: readonly [name: string, head: string, following: readonly string[]][] = [
  [
    'SET',
    'CREATE JUNCTION j FROM a UNBRANCHED TO b SET x =',
    ['FLUSH EACH', 'FLUSH IMMEDIATE', 'INVOKE', 'WHERE'],
  ],
  [
    'WHERE',
    'CREATE JUNCTION j FROM a UNBRANCHED TO b WHERE',
    ['FLUSH EACH', 'FLUSH IMMEDIATE', 'INVOKE'],
  ],
  ['FILTER WHERE', 'CREATE JUNCTION j FROM a FILTER WHERE', ['BRANCHED BY', 'UNBRANCHED']],
  ['ALTER', 'ALTER JUNCTION j SET FILTER WHERE', [';', 'WAIT']],
];

describe.each(CLAUSES)('NSPL 11: behind each part of an expression in %s', (_, head, following) => {
  const functions = [...functionNames('anywhere', 'lookup')].sort();
  const offered: Readonly<Record<Offer, readonly string[]>> = {
    nothing: [],
    functions,
    clauses: following,
  };

  test.each(FORMS)('%s', (_name, pieces) => {
    let text = head;
    for (const [piece, offer] of pieces) {
      text += ` ${piece}`;
      expect(labels(`${text} |`), text).toEqual(offered[offer]);
    }
  });

  test.each(FORMS)('%s is an expression there', (_name, pieces) => {
    const text = `${head} ${pieces.map(([piece]) => piece).join(' ')}`;
    const { errors } = parseScript(`${text} 'wrong'`);
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^expected .*, found "wrong"$/u),
    ]);
    expect(errors[0]?.span.start).toBe(text.length + 1);
  });
});

describe('NSPL 11: INHERIT and INVOKE', () => {
  const junction = 'CREATE JUNCTION j FROM a UNBRANCHED TO b';
  const http = "METHOD 'GET' PATH '/' MODE ACK RETRY POLICY BACKOFF 1s MAX 2s WITHOUT BODY";
  const following = ['FLUSH EACH', 'FLUSH IMMEDIATE', 'INVOKE', 'SET', 'WHERE'];

  test.each<[string, readonly string[]]>([
    ['INHERIT', []],
    ['INHERIT ALL', following],
    ['INHERIT ALL EXCEPT', []],
    ['INHERIT ALL EXCEPT x', following],
    ['INHERIT ALL EXCEPT x,', []],
    ['INHERIT ALL EXCEPT x, y', following],
    ['INHERIT x', following],
    ['INHERIT x,', []],
    ['INHERIT x LEAK', []],
    ['INHERIT x LEAK SENSITIVE', following],
    ['INHERIT x LEAK SENSITIVE, y', following],
  ])('behind %s', (clause, offered) => {
    expect(labels(`${junction} ${clause} |`)).toEqual(offered);
  });

  test.each<[string, readonly string[]]>([
    ['INVOKE', functionNames('invoke')],
    ['INVOKE write_header', []],
    ['INVOKE write_header(', [...functionNames('anywhere', 'lookup')].sort()],
    ["INVOKE write_header('a'", []],
    ["INVOKE write_header('a', 'b')", ['FLUSH EACH', 'FLUSH IMMEDIATE']],
    ["INVOKE write_header('a', 'b'),", functionNames('invoke')],
  ])('behind %s of an emitter', (clause, offered) => {
    expect(labels(`CREATE EMITTER e FROM a TO HTTP c ${http} ${clause} |`)).toEqual(offered);
  });
});

describe('NSPL 3, 11: fields behind every scope', () => {
  const catalog = scriptCatalog(`
    CREATE SCHEMA one (first U8); CREATE SCHEMA two (second U8); CREATE SCHEMA key (city STRING);
    CREATE RELAY a SCHEMA one UNBRANCHED; CREATE RELAY b SCHEMA two UNBRANCHED;
    CREATE BRANCH by_city SCHEMA key TTL 1h;`);
  const branched = 'CREATE JUNCTION j FROM a BRANCHED BY by_city';
  const using = `${branched} USING MATERIALIZED STATE b REQUIRED SKIP`;
  const failing = `${branched} TO b SET x = 1 FLUSH IMMEDIATE ON MESSAGE ERROR SEND TO a SET x =`;
  const decoding =
    'CREATE INGESTOR i FROM HTTP c EVERY 1s ON QUIESCE SUSPEND DECODE USING k TO b UNBRANCHED ' +
    'FLUSH IMMEDIATE ON MESSAGE ERROR LOG ON DECODE ERROR SEND TO a SET x =';
  const names = (fields: readonly { readonly name: string }[]) =>
    fields.map(({ name }) => name).sort();

  test.each<[scope: string, head: string, readonly string[]]>([
    ['input.', 'CREATE JUNCTION j FROM a FILTER WHERE', ['first']],
    ['input.', `${branched} TO b SET x =`, ['first']],
    ['message.', `${branched} TO b SET x =`, ['second']],
    ['output.', `${branched} TO b SET x =`, ['second']],
    ['output.', `${branched} TO b WHERE`, ['second']],
    ['branch.', `${branched} TO b SET x =`, ['city']],
    ['metadata.', `${branched} TO b SET x =`, []],
    ['left.', 'CREATE CORRELATOR c LEFT FROM a RIGHT FROM b CORRELATE WHERE', ['first']],
    ['right.', 'CREATE CORRELATOR c LEFT FROM a RIGHT FROM b CORRELATE WHERE', ['second']],
    ['partial_output.', failing, ['second']],
    ['input.', failing, ['first']],
    ['error.', failing, names(ERROR_ROW_FIELDS)],
    ['error.', decoding, names(decodeErrorRowFields(false))],
    ['error.', `${branched} TO b SET x =`, []],
    ['error.', `${failing} 1 TO b SET x =`, []],
    ['relay_state.', `${using} TO b SET x =`, ['b']],
    ['relay_state.b.', `${using} TO b SET x =`, ['second']],
    ['unknown.', `${branched} TO b SET x =`, []],
  ])('%s behind %s', (scope, head, fields) => {
    for (const before of ['', 'lower(', '1 + -', 'a IN (1, ']) {
      expect(labels(`${head} ${before}${scope}|`, catalog), before).toEqual(fields);
    }
  });
});
