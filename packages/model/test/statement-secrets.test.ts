import { describe, expect, test } from 'vitest';
import { passwordStatement, redactStatement, type Statement } from '../src/index.ts';

const user: Statement = { kind: 'create_user', ifNotExists: false, name: 'u', password: 'canary' };
const client: Statement = {
  kind: 'create_model',
  ifNotExists: true,
  model: {
    kind: 'client',
    name: 'c',
    type: 'HTTP',
    pool: null,
    signaling: null,
    mount: null,
    config: [{ key: 'token', value: { kind: 'text', text: 'canary' } }],
  },
};

/** The statement by itself and in all that can hold it. */
function held(statement: Statement): readonly Statement[] {
  return [
    statement,
    { kind: 'plan', format: 'TEXT', statement },
    { kind: 'explain', format: 'JSON', statement },
    { kind: 'with_suffixes', statement, acceptStateLoss: false, wait: '5s' },
  ];
}

describe('CL-114: a statement as everyone may see it', () => {
  const alter: Statement = { kind: 'alter_user', name: 'u', password: 'canary' };
  test.each([user, alter, client].flatMap(held))('%j', (statement) => {
    const text = JSON.stringify(statement);
    const expected: unknown = JSON.parse(text.replace('canary', '<redacted>'));
    expect(redactStatement(statement)).toEqual(expected);
    expect(JSON.stringify(statement)).toBe(text);
  });

  test('without secrets it is the statement itself', () => {
    const stop: Statement = { kind: 'stop' };
    expect(redactStatement(stop)).toBe(stop);
  });
});

test('CL-114: the statement with a password, wherever it is', () => {
  for (const statement of held(user)) expect(passwordStatement(statement)).toBe(user);
  for (const statement of held(client)) expect(passwordStatement(statement)).toBeUndefined();
});
