import { expect, test } from 'vitest';
import {
  canonicalText,
  type Expression,
  equalData,
  modelDigest,
  type RelayModel,
} from '../src/index.js';

const relay: RelayModel = {
  kind: 'relay',
  name: 'trips',
  schema: 'trip',
  branching: { kind: 'unbranched' },
  capacity: '1',
  materialized: false,
};

test('the digest of a model stays what it is from release to release', () => {
  expect(modelDigest(relay)).toBe(
    '8f96375995f56bc7babe5b96ef201812b7549a6eb4847ec910b91c5dea4ab1a1',
  );
});

test('the digest does not depend on the order of members, and changes with any of them', () => {
  const reordered = Object.fromEntries(Object.entries(relay).toReversed()) as unknown as RelayModel;
  expect(modelDigest(reordered)).toBe(modelDigest(relay));
  expect(modelDigest({ ...relay, capacity: '2' })).not.toBe(modelDigest(relay));
});

test('chains longer than a call stack is deep have a text, a digest and an equality', () => {
  const chain = (): Expression => {
    let left: Expression = { kind: 'integer', digits: '1' };
    for (let index = 0; index < 100_000; index += 1) {
      left = { kind: 'binary', operator: 'add', left, right: { kind: 'integer', digits: '1' } };
    }
    return left;
  };
  const where = {
    kind: 'create_subscription',
    name: 's',
    relay: 'r',
    delivery: 'BLOCKING',
  } as const;
  const statement = { ...where, batchSampleRate: null, where: chain() };
  expect(canonicalText(statement).length).toBeGreaterThan(100_000);
  expect(modelDigest(statement)).toBe(
    modelDigest({ ...where, batchSampleRate: null, where: chain() }),
  );
  expect(equalData(chain(), chain())).toBe(true);
});
