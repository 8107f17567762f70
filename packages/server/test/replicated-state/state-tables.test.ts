import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { archive, readArchive } from '../../src/control-plane/transactions/content-archive.ts';
import { keyOf } from '../../src/replicated-state/record-keys.ts';
import type { StateRecord } from '../../src/replicated-state/records.ts';
import { ReplicatedState } from '../../src/replicated-state/replicated-state.ts';
import { encodeStored } from '../../src/replicated-state/write-command.ts';

const MEBIBYTE = 1_024 * 1_024;

/** What the key of each kind of record is made of; the kinds are all there are. */
const NAMED: { readonly [K in StateRecord['kind']]: object } = {
  user: { name: 'a' },
  domain: { name: 'a' },
  model: { domain: 'a', model: { kind: 'relay', name: 'b' } },
  schedule: { domain: 'a' },
  assignment: { domain: 'a', entry: { kind: 'relay', name: 'b' } },
  cordon: { node: 'a' },
  lease: { domain: 'a' },
  transaction: { id: 'a' },
  execution: { reference: { id: 'a' } },
  operation: { transaction: 'a', number: 1 },
  content: { transaction: 'a', digest: 'b' },
  latest_begin: { domain: 'a' },
  reference: { id: 'a' },
  resource: { domain: 'a', name: 'b' },
  resource_version: { domain: 'a', resource: 'b', version: 1 },
  resource_upload: { domain: 'a', resource: 'b', owner: { user: 'c' }, identity: 'd' },
  resource_catalog: { domain: 'a' },
  secret: { domain: 'a', name: 'b', key: null },
  secret_catalog: { domain: 'a' },
  history: {},
};

test('CS-95: every kind of record has a table of its own, which its keys begin with', () => {
  const keys = Object.entries(NAMED).map(([kind, names]) =>
    keyOf({ kind, ...names } as StateRecord),
  );
  const tables = keys.map((key) => key.split('/')[0]);
  expect(new Set(tables).size).toBe(Object.keys(NAMED).length);
});

test('CS-95: what is large is split into records of at most 1 MiB that are named by their content', () => {
  const value = { text: randomBytes(2 * MEBIBYTE).toString('base64') };
  const { records, reference } = archive('t', value);
  expect(records.length).toBeGreaterThan(2);
  for (const record of records) {
    expect(encodeStored({ revision: 1, record }).length).toBeLessThan(MEBIBYTE);
    expect(keyOf(record)).toBe(`content/t/${record.digest}`);
  }
  // Equal content has equal names, so it is stored once.
  expect(archive('t', value).reference).toEqual(reference);
  const state = new ReplicatedState();
  state.apply({ fences: [], put: records, remove: [], reference: null }, 1n, 1);
  state.publish(1n);
  expect(readArchive(state, 't', reference)).toEqual(value);
});
