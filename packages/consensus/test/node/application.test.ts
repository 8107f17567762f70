import { expect, test } from 'vitest';
import { Application } from '../../src/node/application.ts';
import { resolveLimits } from '../../src/node/raft-node-options.ts';
import type { ReplicaPorts } from '../../src/node/replica-ports.ts';
import { Waiters } from '../../src/node/waiters.ts';
import { AT_FIRST_LEVEL } from '../support/core-member.ts';
import { applied, entries } from '../support/store-jobs.ts';

const NO_USE = { operations: 0, bytes: 0 };

/** An application on a store with entries up to 20, whose reads the test answers itself. */
function makeApplication(): {
  readonly application: Application;
  readonly reads: bigint[];
  readonly appliedIndexes: bigint[];
} {
  const reads: bigint[] = [];
  const appliedIndexes: bigint[] = [];
  const purged = { index: 0n, term: 0n, chain: new Uint8Array(16) };
  const last = { index: 20n, term: 1n, chain: new Uint8Array(16) };
  const ports: Pick<ReplicaPorts, 'store' | 'readCommitted'> = {
    store: {
      bounds: { purged, last, retainedEntries: 20, retainedBytes: 2_000 },
      indexBehind: () => 0n,
      stateDigest: () => '',
    },
    readCommitted: (from) => reads.push(from),
  };
  const application = new Application(
    {
      stateMachine: {
        restore: () => {},
        apply: ({ index }) => {
          appliedIndexes.push(index);
          return { writes: [], result: new Uint8Array() };
        },
      },
      limits: resolveLimits(undefined),
      waiters: new Waiters(() => {}),
      ports: ports as ReplicaPorts,
    },
    applied(0),
    AT_FIRST_LEVEL,
  );
  return { application, reads, appliedIndexes };
}

test('CS-115 an answer from before a snapshot was installed says nothing about a later request', () => {
  const { application, reads, appliedIndexes } = makeApplication();
  application.applyTo(20n, NO_USE);
  application.reset(applied(10), 1);
  application.applyTo(20n, NO_USE);
  expect(reads).toEqual([1n, 11n]);
  application.read(1n, entries(1, 5));
  application.applyTo(20n, NO_USE);
  expect(reads).toEqual([1n, 11n]);
  application.read(11n, entries(11, 20));
  application.read(11n, entries(11, 20));
  application.applyTo(20n, NO_USE);
  expect(appliedIndexes).toEqual(entries(11, 20).map(({ index }) => index));
});

test('entries that are gone when they are read are asked for again', () => {
  const { application, reads } = makeApplication();
  application.applyTo(20n, NO_USE);
  application.read(1n, []);
  application.applyTo(20n, NO_USE);
  expect(reads).toEqual([1n, 1n]);
});
