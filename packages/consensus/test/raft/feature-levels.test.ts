import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Configuration, MemberChange } from '../../src/raft/configuration.ts';
import { decodeConfiguration, encodeConfiguration } from '../../src/raft/configuration-codec.ts';
import {
  type FeatureLevels,
  FIRST_LEVELS,
  levelRefusal,
  levelsOfRelease,
} from '../../src/raft/feature-levels.ts';
import { changeConfiguration } from '../../src/raft/membership.ts';
import { configurationOf, memberOf } from '../support/core-member.ts';
import { configurations } from '../support/message-arbitraries.ts';
import { propRuns } from '../support/prop-runs.ts';

const leader = memberOf(1);

/** Voters 1 to 3 and learner 4 whose releases have these newest levels. */
function cluster(level: number, newest: readonly number[]): Configuration {
  const plain = configurationOf([1, 2, 3], [4]);
  const installed = (offset: number) => (member: (typeof plain.voters)[number], i: number) => ({
    ...member,
    levels: levelsOfRelease(newest[i + offset] ?? 1),
  });
  const voters = plain.voters.map(installed(0));
  return { ...plain, level, voters, learners: plain.learners.map(installed(3)) };
}

function problemOf(from: Configuration, ...changes: readonly MemberChange[]): string | undefined {
  const outcome = changeConfiguration(from, changes, leader);
  return outcome.kind === 'refused' ? outcome.problem : undefined;
}

describe('CS-341 CS-342 what a release runs at', () => {
  test('its newest level and the one below', () => {
    expect(levelsOfRelease(1)).toEqual({ oldest: 1, newest: 1 });
    expect(levelsOfRelease(2)).toEqual({ oldest: 1, newest: 2 });
    expect(levelsOfRelease(7)).toEqual({ oldest: 6, newest: 7 });
    expect(FIRST_LEVELS).toEqual(levelsOfRelease(1));
  });

  test('configurations keep level and reports in the log', () => {
    const property = fc.property(configurations, (configuration) => {
      expect(decodeConfiguration(encodeConfiguration(configuration))).toEqual(configuration);
    });
    fc.assert(property, { numRuns: propRuns(200) });
  });
});

describe('CS-344 a level is activated', () => {
  test('once all members support it, in one entry that is not joint', () => {
    const from = cluster(1, [2, 2, 2, 2]);
    const outcome = changeConfiguration(from, [{ kind: 'activate', level: 2 }], leader);
    expect(outcome).toEqual({ kind: 'changed', configuration: { ...from, level: 2 } });
  });

  test.each([
    ['a voter', [2, 1, 2, 2], 'n2'],
    ['the leader itself', [1, 2, 2, 2], 'n1'],
    ['a learner', [2, 2, 2, 1], 'n4'],
  ])('never while %s has reported less', (_, newest, nodeId) => {
    const problem = problemOf(cluster(1, newest), { kind: 'activate', level: 2 });
    expect(problem).toBe(`cannot activate feature level 2: node '${nodeId}' supports 1 to 1`);
  });

  test('without skipping one, and never back', () => {
    const from = cluster(2, [3, 3, 3, 3]);
    for (const level of [1, 2, 4]) {
      expect(problemOf(from, { kind: 'activate', level })).toBe(
        `cannot activate feature level ${level}: the cluster has activated level 2`,
      );
    }
  });

  test('after what it was refused for is gone, in the same step', () => {
    const from = cluster(1, [2, 2, 1, 2]);
    const remove: MemberChange = { kind: 'remove', member: memberOf(3) };
    expect(problemOf(from, remove, { kind: 'activate', level: 2 })).toBeUndefined();
  });
});

test('CS-343 CS-345 nobody is admitted, or recorded, who does not know the activated level', () => {
  const from = cluster(3, [3, 3, 3, 3]);
  const text = (nodeId: string, levels: FeatureLevels) =>
    `node '${nodeId}' supports feature levels ${levels.oldest} to ${levels.newest};` +
    ' the cluster has activated level 3; start a release that supports it';
  for (const newest of [1, 2, 5]) {
    const levels = levelsOfRelease(newest);
    const added: MemberChange = { kind: 'addLearner', member: { ...memberOf(5), levels } };
    expect(problemOf(from, added)).toBe(text('n5', levels));
    const updated: MemberChange = { kind: 'update', member: { ...memberOf(2), levels } };
    expect(problemOf(from, updated)).toBe(text('n2', levels));
  }
  for (const newest of [3, 4]) {
    const member = { ...memberOf(2), levels: levelsOfRelease(newest) };
    const outcome = changeConfiguration(from, [{ kind: 'update', member }], leader);
    expect(outcome).toMatchObject({ kind: 'changed', configuration: { level: 3 } });
  }
});

test('CS-141 CS-343 two processes talk iff both know the greater level that one has applied', () => {
  const process = fc.record({
    nodeId: fc.constantFrom('n1', 'n2'),
    levels: fc.integer({ min: 1, max: 5 }).map(levelsOfRelease),
    level: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  });
  const property = fc.property(process, process, (one, other) => {
    const known = [one.level, other.level].filter((it) => it !== undefined);
    const level = known.length === 0 ? undefined : Math.max(...known);
    const unfit = [one, other].find(
      ({ levels }) => level !== undefined && (level < levels.oldest || level > levels.newest),
    );
    const refusal = levelRefusal(one, other);
    expect(refusal === undefined).toBe(unfit === undefined);
    if (unfit === undefined) return;
    const { oldest, newest } = unfit.levels;
    expect(refusal).toContain(`node '${unfit.nodeId}' supports feature levels ${oldest} to`);
    expect(refusal).toContain(`to ${newest}; the cluster has activated level ${level}`);
  });
  fc.assert(property, { numRuns: propRuns(500) });
});
