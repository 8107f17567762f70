import type { ClientConfigEntry, Statement } from '@nervix/model';
import { isSecretKey } from '@nervix/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { format, parseScript, printDocument, printModel, printStatement } from '../src/index.ts';
import { definitionModel } from './support/arbitraries/definitions.ts';
import { statement } from './support/arbitraries.ts';
import { read } from './support/reading.ts';
import { CANARY, SECRET_STATEMENTS } from './support/secret-slots.ts';

const numRuns = Number(process.env['PROP_RUNS'] ?? 400);
const withSecrets = true;

describe('CL-114: secrets are printed only for who asks for them', () => {
  test.each(SECRET_STATEMENTS)('%s', (text) => {
    const model = read(text);
    const printed = printStatement(model);
    expect(printed).not.toContain(CANARY);
    expect(printed).toContain('<redacted>');
    const whole = printStatement(model, { withSecrets });
    expect(whole).toContain(CANARY);
    expect(read(whole)).toEqual(model);
    expect(printStatement(model, { withSecrets: false })).toBe(printed);
  });

  test('of models and of documents too', () => {
    for (const text of SECRET_STATEMENTS) {
      const model = read(text);
      if (model.kind !== 'create_model') continue;
      const client = model.model;
      expect(printModel(client)).not.toContain(CANARY);
      expect(printModel(client, { withSecrets })).toContain(CANARY);
      expect(printDocument([client])).not.toContain(CANARY);
      expect(printDocument([client], { withSecrets })).toContain(CANARY);
    }
  });

  test('references, other values and the rest of URLs stay', () => {
    const config = "{'note' = 'n', 'password' = SECRET 's' KEY 'k', 'addr' = 'http://me:x@h/p?q'}";
    expect(printStatement(read(`CREATE CLIENT c TYPE S3 CONFIG ${config}`))).toBe(
      `CREATE CLIENT c TYPE S3 CONFIG ${config.replace(':x@', ':<redacted>@')};`,
    );
  });

  test('the formatter keeps what the author wrote', () => {
    for (const text of SECRET_STATEMENTS) {
      const result = format(text);
      expect(result.kind === 'formatted' && result.text).toContain(CANARY);
    }
  });

  test('a statement that was printed is left as it was', () => {
    const model = read(`CREATE USER u WITH PASSWORD '${CANARY}'`);
    printStatement(model);
    expect(model).toMatchObject({ password: CANARY });
  });

  test('whatever the statement is', () => {
    const any = fc.oneof(
      statement,
      definitionModel.map(
        (model): Statement => ({ kind: 'create_model', ifNotExists: false, model }),
      ),
    );
    fc.assert(
      fc.property(any, (original) => {
        const planted = plant(original);
        expect(printStatement(planted)).not.toContain(CANARY);
        const isPlanted = JSON.stringify(planted).includes(CANARY);
        expect(printStatement(planted, { withSecrets }).includes(CANARY)).toBe(isPlanted);
      }),
      { numRuns: numRuns * 2 },
    );
  });
});

/** The statement with the canary in place of all its secrets. */
function plant(original: Statement): Statement {
  switch (original.kind) {
    case 'create_user':
    case 'alter_user':
      return { ...original, password: CANARY };
    case 'plan':
    case 'explain':
    case 'with_suffixes':
      return { ...original, statement: plant(original.statement) };
    case 'create_model': {
      const { model } = original;
      if (model.kind !== 'client') return original;
      const config = model.config.map((entry): ClientConfigEntry => {
        if (entry.value.kind === 'secret') return entry;
        const isSecret = isSecretKey(model.type, entry.key);
        const text = isSecret ? CANARY : `see amqp://u:${CANARY}@h/ and p://${CANARY}@h`;
        return { key: entry.key, value: { kind: 'text', text } };
      });
      return { ...original, model: { ...model, config } };
    }
    default:
      return original;
  }
}

test('CL-114: what holds a redacted password is read, since it is canonical text', () => {
  for (const text of [
    "CREATE USER u WITH PASSWORD '<redacted>';",
    "ALTER USER u SET PASSWORD '<redacted>';",
    "PLAN ALTER USER u SET PASSWORD '<redacted>';",
    "CREATE USER u WITH PASSWORD '<redacted>' WAIT 5s;",
  ]) {
    expect(printStatement(read(text))).toBe(text);
  }
});

describe('CL-114: refusals do not quote secrets', () => {
  const found = 'found "<redacted>"';
  const client = 'CREATE IF NOT EXISTS CLIENT c TYPE HTTP CONFIG';
  test.each([
    ["CREATE USER u WITH PASSWORD 'hunter2' 'x'", `expected WAIT | ;, ${found}`],
    ["CREATE USER u WITH 'hunter2'", `expected PASSWORD, ${found}`],
    ["CREATE IF NOT EXISTS USER u 'hunter2'", `expected WITH, ${found}`],
    ['CREATE USER u WITH PASSWORD hunter2', `expected string_literal, ${found}`],
    ['CREATE USER u WITH PASSWORD 4711', `expected string_literal, ${found}`],
    ['CREATE USER u WITH PASSWORD `hunter2`', `expected string_literal, ${found}`],
    ["PLAN FORMAT JSON ALTER USER u SET 'hunter2'", `expected PASSWORD, ${found}`],
    ['ALTER USER u SET PASSWORD hunter2', `expected string_literal, ${found}`],
    [`${client} {'password' 'hunter2'}`, `expected =, ${found}`],
    [`${client} {'a' = 'b', 'Password' hunter2}`, `expected =, ${found}`],
    [`${client} {'token' = 'a' 'hunter2'}`, `expected , | }, ${found}`],
    [`${client} {'token' = hunter 2}`, `expected , | }, ${found}`],
    ["CREATE CLIENT c TYPE OTEL CONFIG {'headers' 'hunter2'}", `expected =, ${found}`],
    [
      `${client} {'addr' 'http://me:hunter2@host/x'}`,
      'expected =, found "http://me:<redacted>@host/x"',
    ],
    [
      `EXPLAIN ${client} {'addr' = 'x' "http://hunter2@host"}`,
      'expected , | }, found "http://<redacted>@host"',
    ],
  ])('%s', (text, message) => {
    expect(parseScript(text).errors.map((error) => error.message)).toEqual([message]);
  });

  test.each([
    ["CREATE USER u WITH PASSWORD = 'x'", 'expected string_literal, found ='],
    ['CREATE USER u WITH PASSWORD', 'expected string_literal, found end of input'],
    ['CREATE USER u WITH PASWORD', 'expected PASSWORD, found PASWORD'],
    ["CREATE USER 'u'", 'expected user_name, found "u"'],
    [`${client} {'note' 'x'}`, 'expected =, found "x"'],
    [`${client} {'headers' 'x'}`, 'expected =, found "x"'],
    [`${client} {'password' = 'x', note = 'y'}`, 'expected config_key | }, found note'],
    [`${client} {'password' : 'x'}`, 'expected =, found :'],
    [`${client} {'password' = 'x'} 'y'`, 'expected WAIT | ;, found "y"'],
    [`${client} 'password'`, 'expected {, found "password"'],
    ["CREATE RELAY r SCHEMA 'password'", 'expected ref:schema, found "password"'],
    ["DROP USER 'u'", 'expected ref:user, found "u"'],
  ])('and quote everything else: %s', (text, message) => {
    expect(parseScript(text).errors.map((error) => error.message)).toEqual([message]);
  });
});
