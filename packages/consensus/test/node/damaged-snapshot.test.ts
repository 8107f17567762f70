import { expect, test } from 'vitest';
import { type LogStorage, RaftError } from '../../src/index.ts';
import { encodeCommand } from '../support/ledger-machine.ts';
import { openMemoryMember, withCalls } from '../support/memory-member.ts';
import type { NodeObservation } from '../support/node-cluster.ts';
import { until } from '../support/transport-fixture.ts';

const retention = { entriesThreshold: 5, entriesKept: 2 };

/** A store whose first snapshot cannot be read any more. */
function withDamage(storage: LogStorage, reads: bigint[]): LogStorage {
  const snapshotSection = async (generation: bigint, section: number): Promise<Uint8Array> => {
    reads.push(generation);
    if (generation === 1n) {
      const details = { directory: 'memory', location: 'section', problem: 'checksum differs' };
      throw new RaftError('RAFT_STORAGE_CORRUPT', details);
    }
    return storage.snapshotSection(generation, section);
  };
  return withCalls(storage, { snapshotSection });
}

const phases = (events: readonly NodeObservation[]): readonly string[] =>
  events.flatMap((event) => (event.kind === 'snapshot' ? [event.phase] : []));

test('CS-110 a snapshot that turns out to be damaged is made anew and sent', async () => {
  const reads: bigint[] = [];
  const leader = await openMemoryMember({
    retention,
    wrap: (storage) => withDamage(storage, reads),
  });
  for (let number = 0; number < 40; number += 1) {
    const command = { op: 'put', key: `k${number}`, value: `${number}` } as const;
    await leader.node.propose(encodeCommand(command));
  }
  // The member alone has cut its log, so whoever joins needs a snapshot.
  expect(leader.node.status().firstIndex).toBeGreaterThan(1n);
  const joined = await openMemoryMember({ nodeId: 'n2', contacts: [leader.endpoint], retention });
  await until(
    () => joined.machine.published.size === 40,
    'the records of the joined member',
    15_000,
  );
  expect(joined.machine.published).toEqual(leader.machine.published);
  expect(phases(joined.events)).toContain('installed');
  expect(phases(leader.events).slice(0, 5)).toEqual([
    'begun',
    'complete',
    'damaged',
    'begun',
    'complete',
  ]);
  // Once known to be damaged it is not read again.
  expect(reads).toEqual([1n, 2n]);
  await leader.node.propose(encodeCommand({ op: 'put', key: 'last', value: '1' }));
  await until(() => joined.machine.published.has('last'), 'the last record', 5_000);
});
