import { describe, expect, test } from 'vitest';
import {
  planningInputs,
  planTransaction,
  resolveSecret,
  type SnapshotSecret,
  secretReferencesOf,
  snapshotOf,
} from '../../src/index.js';
import { read } from '../support/transactions.js';

const secret = (name: string, key: string | null, version = 1, identity = 'i'): SnapshotSecret => {
  return { name, key, version, identity };
};

describe('CN-387: references to secrets', () => {
  const secrets = [
    secret('one', 'k'),
    secret('two', 'a'),
    secret('two', 'b'),
    secret('both', null),
  ];
  const found = (name: string, key: string | null, list = secrets) => {
    const resolved = resolveSecret('d', list, { name, key });
    return resolved.kind === 'resolved' ? resolved.secret : resolved.reason;
  };

  test('stand for a key, for the value without one, or for the only one', () => {
    expect(found('one', 'k')).toBe(secrets[0]);
    expect(found('One', null)).toBe(secrets[0]);
    expect(found('two', 'b')).toBe(secrets[2]);
    expect(found('both', null, [...secrets, secret('both', 'x')])).toBe(secrets[3]);
  });

  test('or for nothing, and say why (CP-136)', () => {
    expect(found('none', null)).toBe("secret 'none' does not exist in domain 'd'");
    expect(found('one', 'K')).toBe("secret 'one' has no key 'K'");
    expect(found('both', 'x')).toBe("secret 'both' has no key 'x'");
    expect(found('two', null)).toBe("secret 'two' has several keys; name one with KEY");
  });
});

describe('CP-136: secrets are captured', () => {
  const base = snapshotOf('d', []);
  const inputs = (...secrets: SnapshotSecret[]) => planningInputs({ ...base, secrets }).secrets;

  test('by identity and version, in any order', () => {
    const [a, b] = [secret('a', null), secret('b', 'k')];
    expect(inputs()).toBeUndefined();
    expect(inputs(a, b)).toBe(inputs(b, a));
    const others = [
      inputs(a),
      inputs({ ...a, version: 2 }, b),
      inputs({ ...a, identity: 'j' }, b),
      inputs({ ...a, key: 'k' }, b),
      inputs({ ...a, name: 'c' }, b),
    ];
    expect(new Set([...others, inputs(a, b)]).size).toBe(others.length + 1);
  });

  const text = `CREATE CLIENT c TYPE HTTP CONFIG {'endpoint' = SECRET 'a', 'timeout_ms' = '10'}; START;`;

  test('and asked for by new clients, where they are known', () => {
    const plan = (secrets?: readonly SnapshotSecret[]) =>
      planTransaction(secrets === undefined ? base : { ...base, secrets }, read(text));
    expect(plan([secret('a', null)]).kind).toBe('planned');
    expect(plan().kind).toBe('planned');
    const refused = plan([]);
    if (refused.kind === 'planned') throw new Error('the secret is missing');
    const { code, message, operation } = refused.refusals[0] ?? {};
    expect({ code, message, operation }).toEqual({
      code: 'PLAN_SECRET_UNAVAILABLE',
      message: "secret 'a' does not exist in domain 'd'",
      operation: 1,
    });
  });

  test('a client tells each of its references', () => {
    const [first] = read(text);
    if (first?.kind !== 'create_model') throw new Error('it makes a model');
    expect(secretReferencesOf(first.model)).toEqual([{ name: 'a', key: null }]);
  });
});
