import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AVAILABILITY_LIMITS,
  type Availability,
  type AvailabilityLimits,
  afterObservation,
  availabilityAt,
  type Observation,
  type ObservedRun,
} from '../../src/cluster/availability.ts';

const LIMITS: AvailabilityLimits = { unavailableAfterMs: 100, staleAfterMs: 30 };

function verdict(observations: readonly Observation[], nowMs: number): Availability {
  let run: ObservedRun | undefined;
  for (const observation of observations) run = afterObservation(run, observation, LIMITS);
  return availabilityAt(run, nowMs, LIMITS);
}

/**
 * The definition read aloud, by half milliseconds: at each moment the latest observation
 * counts if it is at most so old; a member is unavailable if at every moment of the whole interval
 * up to now a failure was what counted.
 */
function oracle(observations: readonly Observation[], nowMs: number): Availability {
  const countsAt = (atMs: number): Observation['outcome'] | 'nothing' => {
    const seen = observations.filter((each) => each.atMs <= atMs);
    const latestMs = Math.max(...seen.map((each) => each.atMs));
    if (atMs - latestMs > LIMITS.staleAfterMs) return 'nothing';
    return seen.findLast((each) => each.atMs === latestMs)?.outcome ?? 'nothing';
  };
  const now = countsAt(nowMs);
  if (now === 'healthy') return 'available';
  if (now !== 'failure') return 'unknown';
  for (let back = 0; back <= LIMITS.unavailableAfterMs; back += 0.5) {
    if (countsAt(nowMs - back) !== 'failure') return 'failing';
  }
  return 'unavailable';
}

// Gaps around the limit of staleness, and mostly failures, so that runs of both lengths come up.
const gaps = fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constantFrom(29, 30, 31, 32));
const outcomes = fc.oneof(
  { weight: 8, arbitrary: fc.constant('failure' as const) },
  { weight: 1, arbitrary: fc.constant('healthy' as const) },
  { weight: 1, arbitrary: fc.constant('capacity_exhausted' as const) },
);
const sequences = fc
  .tuple(fc.array(fc.tuple(gaps, outcomes), { maxLength: 24 }), fc.integer({ min: 0, max: 40 }))
  .map(([steps, rest]) => {
    let atMs = 0;
    const observations = steps.map(([gap, outcome]): Observation => {
      atMs += gap;
      return { atMs, outcome };
    });
    return { observations, nowMs: atMs + rest };
  });

describe('CS-152, CS-316: availability', () => {
  test('is what its definition says, of every sequence of observations', () => {
    const met = new Set<Availability>();
    fc.assert(
      fc.property(sequences, ({ observations, nowMs }) => {
        const expected = oracle(observations, nowMs);
        met.add(expected);
        expect(verdict(observations, nowMs)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
    expect([...met].sort()).toEqual(['available', 'failing', 'unavailable', 'unknown']);
  });

  test('CS-151: an observation that arrives behind a later one changes nothing', () => {
    fc.assert(
      fc.property(sequences, fc.nat(40), outcomes, ({ observations, nowMs }, age, outcome) => {
        const latestMs = observations.at(-1)?.atMs ?? 0;
        fc.pre(age > 0 && observations.length > 0);
        const late = [...observations, { atMs: latestMs - age, outcome }];
        expect(verdict(late, nowMs)).toBe(verdict(observations, nowMs));
      }),
    );
  });

  test.each<readonly [string, readonly (readonly [number, Observation['outcome']])[], string]>([
    ['nothing at all', [], 'unknown'],
    ['ten seconds of failures', seconds(0, 10, 'failure'), 'unavailable'],
    ['not yet ten seconds', seconds(1, 10, 'failure'), 'failing'],
    ['one that had no room', [...seconds(0, 9, 'failure'), [10, 'capacity_exhausted']], 'unknown'],
    ['health between', [...seconds(0, 5, 'failure'), [5.5, 'healthy'], [10, 'failure']], 'failing'],
    ['long ago', [[6.9, 'healthy']], 'unknown'],
    ['just now', [[7, 'healthy']], 'available'],
  ])('with the limits of a node, after %s', (_name, observed, expected) => {
    let run: ObservedRun | undefined;
    for (const [second, outcome] of observed) {
      run = afterObservation(run, { atMs: second * 1_000, outcome }, AVAILABILITY_LIMITS);
    }
    expect(availabilityAt(run, 10_000, AVAILABILITY_LIMITS)).toBe(expected);
  });
});

function seconds(
  from: number,
  to: number,
  outcome: Observation['outcome'],
): readonly (readonly [number, Observation['outcome']])[] {
  return Array.from({ length: to - from + 1 }, (_, index) => [from + index, outcome] as const);
}
