import type { StateWrite } from '@nervix/consensus';
import { describe, expect, test } from 'vitest';
import type { StateRecord } from '../../src/replicated-state/records.ts';
import { ReplicatedState } from '../../src/replicated-state/replicated-state.ts';
import { replicatedStateMachine } from '../../src/replicated-state/state-machine.ts';
import { stateMirror } from '../../src/replicated-state/state-mirror.ts';
import { encodeStored } from '../../src/replicated-state/write-command.ts';

const domain = (name: string, generation = 0): StateRecord => ({
  kind: 'domain',
  name,
  placement: 'NEUTRAL',
  status: 'stopped',
  generation,
  lastStart: null,
});

const key = (name: string): Uint8Array => new TextEncoder().encode(`domain/${name}`);
const stored = (name: string, revision: number): StateWrite => ({
  key: key(name),
  value: encodeStored({ revision, record: domain(name, revision) }),
});
const at = (revision: bigint) => ({ index: revision, term: 1n, revision });

function mirrored() {
  const state = new ReplicatedState();
  const publications: [number, readonly string[]][] = [];
  const removed: string[] = [];
  state.onPublished(({ revision, domains }) => publications.push([revision, [...domains]]));
  state.onRemoved((record) =>
    removed.push(`${record.kind} ${'name' in record ? record.name : ''}`),
  );
  const names = () => state.domains().map(({ name, generation }) => `${name}@${generation}`);
  return { state, mirror: stateMirror(state), publications, removed, names };
}

describe('CS-1 CS-90: a view of a log that another thread keeps', () => {
  test('has nothing until all records have come, and then all of one revision', () => {
    const { state, mirror, publications, names } = mirrored();
    mirror.reset();
    mirror.changed([stored('a', 1)], undefined);
    expect(state.revision).toBeUndefined();
    expect(publications).toEqual([]);
    mirror.changed([stored('b', 2)], at(4n));
    expect(names()).toEqual(['a@1', 'b@2']);
    expect(state.revision).toBe(4);
    expect(publications).toEqual([[4, ['a', 'b']]]);
  });

  test('follows changes and removals, each batch as one publication', () => {
    const { state, mirror, publications, removed, names } = mirrored();
    mirror.reset();
    mirror.changed([stored('a', 1), stored('b', 1)], at(1n));
    mirror.changed([stored('a', 2), { key: key('b'), value: undefined }, stored('c', 3)], at(3n));
    expect(names()).toEqual(['a@2', 'c@3']);
    expect(state.revisionOf('domain/a')).toBe(2);
    expect(removed).toEqual(['domain b']);
    expect(publications).toEqual([
      [1, ['a', 'b']],
      [3, ['a', 'b', 'c']],
    ]);
  });

  test('CS-115: forgets what a snapshot that took the place of everything does not hold', () => {
    const { mirror, removed, names } = mirrored();
    mirror.reset();
    mirror.changed([stored('a', 1), stored('b', 1)], at(1n));
    mirror.reset();
    mirror.changed([stored('b', 5), stored('d', 6)], at(7n));
    expect(names()).toEqual(['b@5', 'd@6']);
    expect(removed).toEqual(['domain a']);
  });
});

test('CS-115: a state that is restored a second time keeps nothing of the first', async () => {
  const { state, removed, names } = mirrored();
  const machine = replicatedStateMachine(state);
  const records = async function* (...writes: readonly StateWrite[]) {
    for (const write of writes) yield { key: write.key, value: write.value ?? new Uint8Array(0) };
  };
  await machine.restore(records(stored('a', 1), stored('b', 1)), at(1n));
  await machine.restore(records(stored('b', 3)), at(4n));
  expect(names()).toEqual(['b@3']);
  expect(removed).toEqual(['domain a']);
  expect(state.revision).toBe(4);
});
