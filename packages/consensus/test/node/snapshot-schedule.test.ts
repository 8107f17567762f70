import { expect, test } from 'vitest';
import { resolveRetention } from '../../src/node/raft-node-options.ts';
import { SnapshotSchedule } from '../../src/node/snapshot-schedule.ts';
import type { Entry } from '../../src/raft/entry.ts';
import type { SnapshotManifest } from '../../src/storage/log-storage.ts';
import { configurationOf } from '../support/core-member.ts';

const MEBIBYTE = 1_024 * 1_024;
const retention = resolveRetention({});

function snapshotOf(bytes: number): SnapshotManifest {
  return {
    ...{ index: 100n, term: 1n, chain: new Uint8Array(16), generation: 1n },
    ...{ configuration: configurationOf([1, 2, 3]), configurationIndex: 1n },
    ...{ stateDigest: 0n, recordCount: 1n, revision: 1n, sections: [''], bytes },
  };
}

function entry(index: bigint, bytes: number): Entry {
  const payload = new Uint8Array(bytes);
  return { index, term: 1n, kind: 'normal', chain: new Uint8Array(16), payload };
}

/** How many commands of so many bytes come before a snapshot is due again. */
function commandsUntilDue(snapshotBytes: number, commandBytes: number): number {
  const schedule = new SnapshotSchedule(retention, snapshotOf(snapshotBytes));
  for (let count = 1; ; count += 1) {
    const index = 100n + BigInt(count);
    schedule.appended([entry(index, commandBytes)]);
    if (schedule.isDue(index, 50n)) return count;
  }
}

test.each([
  ['a small snapshot', 1_000, 10, 10_000],
  ['one of less than a mebibyte', MEBIBYTE - 1, 10, 10_000],
  ['one that its log outweighs', 1.2 * MEBIBYTE, 1_024, 10_000],
  ['one that its log does not outweigh yet', 2 * MEBIBYTE, 1_024, 16_384],
  ['one larger than any log may grow', 1_024 * MEBIBYTE, 1_024, 65_536],
  ['large commands', 1_000, MEBIBYTE, 64],
])('CS-100 %s is followed by the next one in time', (_, snapshotBytes, commandBytes, commands) => {
  expect(commandsUntilDue(snapshotBytes, commandBytes)).toBe(commands);
});
