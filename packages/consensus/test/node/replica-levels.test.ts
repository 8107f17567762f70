import { describe, expect, test } from 'vitest';
import type { Configuration } from '../../src/raft/configuration.ts';
import { encodeConfiguration } from '../../src/raft/configuration-codec.ts';
import type { EntryBody } from '../../src/raft/entry.ts';
import { levelsOfRelease } from '../../src/raft/feature-levels.ts';
import { configurationOf } from '../support/core-member.ts';
import { put, putEntry, ReplicaFixture } from '../support/replica-fixture.ts';

/** Three voters of a release that supports levels 1 and 2. */
function upgraded(level = 1): Configuration {
  const plain = configurationOf([1, 2, 3]);
  const levels = levelsOfRelease(2);
  return { ...plain, level, voters: plain.voters.map((member) => ({ ...member, levels })) };
}

function fixtureOf(newest: number, level = 1): ReplicaFixture {
  return new ReplicaFixture({ configuration: upgraded(level), levels: levelsOfRelease(newest) });
}

const activation = (term: bigint, level: number): EntryBody => ({
  term,
  kind: 'configuration',
  payload: encodeConfiguration(upgraded(level)),
});

describe('CS-342 CS-344 a level is activated at one index of the log', () => {
  test('by a leader, and what lies behind has its shape, in one write with what lies before', () => {
    const fixture = fixtureOf(2);
    fixture.lead();
    fixture.propose(put(1));
    const activated = fixture.changeMembers({ kind: 'activate', level: 2 });
    fixture.propose(put(2));
    fixture.settle();
    expect(fixture.content.level).toBe(1);
    fixture.accept(2);
    fixture.settle();
    expect(activated.value).toMatchObject({ index: 4n });
    expect(fixture.applied).toEqual([3n, 5n]);
    expect(fixture.appliedLevels).toEqual([1, 2]);
    expect(fixture.content.level).toBe(2);
    const again = fixture.changeMembers({ kind: 'activate', level: 2 });
    expect(again.error).toMatchObject({
      code: 'RAFT_INVALID_CHANGE',
      message: 'cannot activate feature level 2: the cluster has activated level 2',
    });
  });

  test('the same way on every follower, however it is told', () => {
    const entries = [putEntry(2n, 1), activation(2n, 2), putEntry(2n, 2), putEntry(2n, 3)];
    for (const steps of [[entries], entries.map((entry) => [entry])]) {
      const fixture = fixtureOf(2);
      for (const batch of steps) {
        fixture.append(2, 2n, batch);
        fixture.settle();
        fixture.heartbeat(2, 2n, fixture.core.lastIndex);
        fixture.settle();
      }
      expect(fixture.appliedLevels).toEqual([1, 2, 2]);
    }
  });

  test('and nothing has it while the activation may still be cut', () => {
    const fixture = fixtureOf(2);
    fixture.append(2, 2n, [activation(2n, 2), putEntry(2n, 1)]);
    fixture.settle();
    expect(fixture.replica.configuration?.configuration.level).toBe(2);
    expect(fixture.content.level).toBe(1);
    fixture.append(3, 3n, [putEntry(3n, 2)], { prevIndex: 1n, commit: 2n });
    fixture.settle();
    expect(fixture.replica.configuration?.configuration.level).toBe(1);
    expect(fixture.appliedLevels).toEqual([1]);
    expect(fixture.content.level).toBe(1);
  });

  test('or comes with a snapshot that was made behind it', () => {
    const fixture = fixtureOf(2);
    const at = { index: 9n, term: 2n, configuration: upgraded(2) };
    fixture.append(2, 2n);
    fixture.receiveSnapshot(2, 2n, at);
    fixture.settle();
    expect(fixture.content.level).toBe(2);
    fixture.append(2, 2n, [putEntry(2n, 1)], { commit: 10n });
    fixture.settle();
    expect(fixture.appliedLevels).toEqual([2]);
  });
});

describe('CS-343 a release that does not know the activated level', () => {
  test('stops at its activation and makes nothing of it durable', () => {
    const fixture = fixtureOf(1);
    fixture.append(2, 2n, [putEntry(2n, 1), activation(2n, 2), putEntry(2n, 2)]);
    fixture.settle();
    fixture.heartbeat(2, 2n, 4n);
    fixture.settle();
    expect(fixture.replica.failure).toMatchObject({
      code: 'RAFT_LEVEL_UNSUPPORTED',
      retryable: false,
      message:
        "node 'n1' supports feature levels 1 to 1; the cluster has activated level 2;" +
        ' start a release that supports it',
    });
    expect(fixture.content.level).toBe(1);
    expect(fixture.replica.applied.index).toBeLessThan(3n);
  });
});
