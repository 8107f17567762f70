import fc from 'fast-check';
import { assert, expect, test } from 'vitest';
import type { Configuration, MemberChange } from '../../src/raft/configuration.ts';
import {
  decodeConfiguration,
  encodeConfiguration,
  MalformedConfigurationError,
  MEMBERS_MAX,
} from '../../src/raft/configuration-codec.ts';
import { changeConfiguration, leaveJoint, membersOf } from '../../src/raft/membership.ts';
import { configurationOf, memberOf } from '../support/core-member.ts';
import { configurations } from '../support/message-arbitraries.ts';
import { propRuns } from '../support/prop-runs.ts';

const change: fc.Arbitrary<MemberChange> = fc
  .tuple(
    fc.constantFrom('addLearner', 'promote', 'demote', 'remove', 'update'),
    fc.integer({ min: 1, max: 6 }),
  )
  .map(([kind, number]) => ({ kind, member: memberOf(number) }) as MemberChange);
const changes = fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { maxLength: 20 });

/** Why a single change of a plain roster is refused, as the texts are promised. */
function expectedProblem(from: Configuration, step: MemberChange): string | undefined {
  if (step.kind === 'activate') return 'levels have their own test';
  const { nodeId } = step.member;
  const isVoter = from.voters.some((it) => it.nodeId === nodeId);
  const isLearner = from.learners.some((it) => it.nodeId === nodeId);
  const isLast = isVoter && from.voters.length === 1;
  if (step.kind === 'addLearner') {
    return isVoter || isLearner ? `node '${nodeId}' is already a raft member` : undefined;
  }
  if (!isVoter && !isLearner) return `node '${nodeId}' is not a raft member`;
  if (step.kind === 'promote') return isVoter ? `node '${nodeId}' is a voter already` : undefined;
  if (step.kind === 'demote') {
    if (isLearner) return `node '${nodeId}' is a learner already`;
    return isLast ? `cannot remove the last raft voter '${nodeId}'` : undefined;
  }
  if (step.kind === 'update') return undefined;
  if (isLast) return `cannot remove the last raft voter '${nodeId}'`;
  return nodeId === 'n1' ? "cannot remove the local leader node 'n1'" : undefined;
}

/** Whether every majority of the one shares a voter with every majority of the other. */
function intersects(left: readonly string[], right: readonly string[]): boolean {
  const all = [...new Set([...left, ...right])];
  const majorities = (group: readonly string[]) =>
    Array.from({ length: 2 ** all.length }, (_, mask) =>
      all.filter((_voter, at) => (mask & (1 << at)) !== 0),
    ).filter((set) => set.filter((it) => group.includes(it)).length * 2 > group.length);
  const others = majorities(right).map((set) => new Set(set));
  return majorities(left).every((set) => others.every((other) => set.some((it) => other.has(it))));
}

const ids = (members: Configuration['voters']) => members.map(({ nodeId }) => nodeId);

test('CS-315 any legal sequence keeps a voter; illegal ones are refused with the exact text', () => {
  fc.assert(
    fc.property(changes, (list) => {
      let now: Configuration = configurationOf([1, 2, 3], [4]);
      for (const [step] of list) {
        const outcome = changeConfiguration(now, [step!], memberOf(1));
        const problem = expectedProblem(now, step!);
        if (outcome.kind === 'refused') expect(outcome.problem).toBe(problem);
        else {
          expect(problem).toBeUndefined();
          expect(outcome.configuration.outgoing).toEqual([]);
          now = outcome.configuration;
        }
        expect(now.voters.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: propRuns(200) },
  );
});

test('CS-315, CS-121 consecutive configurations decide by sets that intersect', () => {
  fc.assert(
    fc.property(changes, (list) => {
      let now: Configuration = configurationOf([1, 2, 3], [4]);
      for (const steps of list) {
        const outcome = changeConfiguration(now, steps, memberOf(1));
        if (outcome.kind === 'refused') continue;
        const next = outcome.configuration;
        if (next.outgoing.length > 0) expect(ids(next.outgoing)).toEqual(ids(now.voters));
        else expect(intersects(ids(now.voters), ids(next.voters))).toBe(true);
        now = leaveJoint(next);
        expect(now.voters.length).toBeGreaterThan(0);
        const names = [...ids(now.voters), ...ids(now.learners)];
        expect(new Set(names).size).toBe(names.length);
        expect(membersOf(next).length).toBeGreaterThanOrEqual(names.length);
      }
    }),
    { numRuns: propRuns(60) },
  );
});

test('CS-315 no change is no change', () => {
  const outcome = changeConfiguration(configurationOf([1]), [], memberOf(1));
  expect(outcome).toEqual({ kind: 'refused', problem: 'a change of members changes some' });
});

test('CS-120, CS-310 a configuration and its bytes determine each other', () => {
  fc.assert(
    fc.property(configurations, (configuration) => {
      const bytes = encodeConfiguration(configuration);
      expect(decodeConfiguration(bytes)).toEqual(configuration);
    }),
    { numRuns: propRuns(200) },
  );
});

test('CS-310 other bytes are refused or are what their configuration is encoded into', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 80 }),
    fc.json().map((it) => new TextEncoder().encode(it)),
    fc.tuple(configurations, fc.nat(), fc.nat({ max: 255 })).map(([configuration, at, byte]) => {
      const changed = encodeConfiguration(configuration).slice();
      changed[at % changed.length] = byte;
      return changed;
    }),
  );
  fc.assert(
    fc.property(bytes, (input) => {
      try {
        expect(encodeConfiguration(decodeConfiguration(input))).toEqual(new Uint8Array(input));
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedConfigurationError);
      }
    }),
    { numRuns: propRuns(500) },
  );
});

test('CS-120 no change leads to more members than a configuration in the log can name', () => {
  const from = configurationOf([1], []);
  const newcomers = Array.from(
    { length: MEMBERS_MAX + 1 },
    (_, at): MemberChange => ({
      kind: 'addLearner',
      member: { ...memberOf(2), storeId: at.toString(16).padStart(32, '0') },
    }),
  );
  const most = changeConfiguration(from, newcomers.slice(1), memberOf(1));
  assert(most.kind === 'changed');
  expect(decodeConfiguration(encodeConfiguration(most.configuration))).toEqual(most.configuration);
  expect(changeConfiguration(from, newcomers, memberOf(1))).toEqual({
    kind: 'refused',
    problem: 'there are at most 1024 voters and learners each',
  });
});
