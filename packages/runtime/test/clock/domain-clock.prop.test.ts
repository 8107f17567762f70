import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { ExactRate } from '../../src/clock/exact-rate.js';
import { type DeadlineOutcome, LogicalDeadline } from '../../src/clock/logical-deadline.js';
import { PacedClock } from '../../src/clock/paced-clock.js';
import { UnpacedClock } from '../../src/clock/unpaced-clock.js';
import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { propertyRuns } from '../support/property-runs.js';

const MS = 1_000_000n;
const rates = fc.constantFrom(1, 2, 0.5, 1 / 3, 7.25, 1000, 0.001);

/** A double as the fraction of its bits. */
function fractionOf(value: number): readonly [bigint, bigint] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = exponent === 0 ? fraction : fraction | (1n << 52n);
  const power = Math.max(exponent, 1) - 1075;
  return power < 0 ? [mantissa, 1n << BigInt(-power)] : [mantissa << BigInt(power), 1n];
}

test.prop(
  [fc.double({ min: 5e-324, max: 1e300, noNaN: true }), fc.bigInt({ min: 0n, max: 1n << 70n })],
  { numRuns: propertyRuns(100) },
)('products with a rate are exact, whatever the double is (RT-184)', (rate, value) => {
  const [numerator, denominator] = fractionOf(rate);
  const exact = new ExactRate(rate);
  expect(exact.floorOf(value)).toBe((value * numerator) / denominator);
  const quotient = exact.ceilQuotient(value + 1n);
  expect(quotient * numerator >= (value + 1n) * denominator).toBe(true);
  expect((quotient - 1n) * numerator < (value + 1n) * denominator).toBe(true);
});

type Step =
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'advance'; readonly ms: number }
  | { readonly kind: 'rate'; readonly rate: number }
  | { readonly kind: 'stand' }
  | { readonly kind: 'cancel' };
const millis = fc.integer({ min: 1, max: 500 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: millis }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('advance' as const), ms: millis }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rate' as const), rate: rates }) },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ kind: 'stand' }, { kind: 'cancel' }) },
);

/** Deadlines that were waited for, and what was told of each. */
function recordedWaits() {
  const waits: { deadline: LogicalDeadline; outcomes: DeadlineOutcome[]; cancel: () => void }[] =
    [];
  const add = (clock: PacedClock | UnpacedClock, deadline: LogicalDeadline) => {
    const outcomes: DeadlineOutcome[] = [];
    const timer = clock.wait(deadline, (outcome) => outcomes.push(outcome));
    waits.push({ deadline, outcomes, cancel: () => timer.cancel() });
  };
  return { waits, add };
}

describe('logical deadlines', () => {
  test.prop([fc.array(step, { maxLength: 40 }), rates], { numRuns: propertyRuns(100) })(
    'are due when the time of the domain says so, through every change of its rate and while it ' +
      'stands (RT-13, RT-184)',
    (steps, firstRate) => {
      const physical = new VirtualClock(5_000n * MS);
      const origin = -1_000n * MS;
      const mapping = { anchorNanos: 5_000n * MS, originNanos: origin, rate: firstRate };
      const clock = new PacedClock('d', 1, physical, mapping);
      const { waits, add } = recordedWaits();
      let rate = firstRate;
      let before = clock.nowNanos();
      expect(before).toBe(origin);
      for (const each of steps) {
        if (each.kind === 'wait') {
          add(clock, clock.deadlineIn(BigInt(each.ms) * MS));
        } else if (each.kind === 'advance') {
          physical.advance(each.ms);
        } else if (each.kind === 'cancel') {
          waits.at(-1)?.cancel();
        } else if (each.kind === 'stand') {
          clock.install(null);
          rate = 0;
        } else {
          rate = each.rate;
          const originNanos = clock.nowNanos();
          clock.install({ anchorNanos: physical.utcNanos(), originNanos, rate });
        }
        const now = clock.nowNanos();
        expect(now >= before).toBe(true);
        if (each.kind !== 'advance' || rate === 0) expect(now).toBe(before);
        before = now;
        // A virtual instant is a double: a wait may end some nanoseconds of UTC late.
        const slack = BigInt(Math.ceil(Math.max(rate, 1) * 4));
        for (const { deadline, outcomes } of waits) {
          expect(outcomes.length).toBeLessThanOrEqual(1);
          const [outcome] = outcomes;
          if (outcome === undefined) {
            expect(deadline.targetNanos > now - slack).toBe(true);
          } else if (outcome.kind === 'due') {
            expect(outcome.dueNanos).toBe(deadline.targetNanos);
            expect(outcome.nowNanos >= deadline.targetNanos).toBe(true);
            expect(outcome.nowNanos <= now).toBe(true);
          } else {
            expect(outcome.kind).toBe('cancelled');
          }
        }
      }
      clock.end();
      for (const { outcomes } of waits) expect(outcomes).toHaveLength(1);
    },
  );

  test('of another start or domain are stale, and so are all once the clock ends (RT-13)', () => {
    const physical = new VirtualClock();
    const clock = new UnpacedClock('d', 2, physical);
    const { waits, add } = recordedWaits();
    add(clock, new LogicalDeadline('d', 1, 0n));
    add(clock, new LogicalDeadline('other', 2, 0n));
    add(clock, clock.deadlineIn(10n * MS));
    expect(waits.map(({ outcomes }) => outcomes)).toEqual([[], [], []]);
    physical.advance(1);
    expect(waits.map(({ outcomes }) => outcomes)).toEqual([
      [{ kind: 'stale' }],
      [{ kind: 'stale' }],
      [],
    ]);
    clock.end();
    add(clock, clock.deadlineIn(0n));
    physical.advance(1);
    expect(waits.slice(2).map(({ outcomes }) => outcomes)).toEqual([
      [{ kind: 'stale' }],
      [{ kind: 'stale' }],
    ]);
  });

  test('a cancelled wait says so at once and only that (RT-13)', () => {
    const physical = new VirtualClock();
    const clock = new UnpacedClock('d', 1, physical);
    const { waits, add } = recordedWaits();
    add(clock, clock.deadlineIn(5n * MS));
    waits[0]!.cancel();
    waits[0]!.cancel();
    physical.advance(10);
    expect(waits[0]!.outcomes).toEqual([{ kind: 'cancelled' }]);
  });

  test('of an unpaced domain take no part in steps of UTC (RT-10)', () => {
    const physical = new VirtualClock();
    let stepNanos = 0n;
    const stepping = {
      monotonicMs: () => physical.monotonicMs(),
      utcNanos: () => physical.utcNanos() + stepNanos,
      after: physical.after.bind(physical),
    };
    const clock = new UnpacedClock('d', 1, stepping);
    const { waits, add } = recordedWaits();
    add(clock, clock.deadlineIn(10n * MS));
    stepNanos = -3_600_000n * MS;
    physical.advance(9);
    expect(waits[0]!.outcomes).toEqual([]);
    physical.advance(1);
    expect(waits[0]!.outcomes).toMatchObject([{ kind: 'due' }]);
    add(clock, clock.deadlineAt(clock.nowNanos() + 10n * MS));
    stepNanos = 3_600_000n * MS;
    physical.advance(9);
    expect(waits[1]!.outcomes).toEqual([]);
    physical.advance(1);
    expect(waits[1]!.outcomes).toMatchObject([{ kind: 'due' }]);
  });

  test('a time beyond 64 bits is an error, not another time (RT-184)', () => {
    const physical = new VirtualClock();
    const mapping = { anchorNanos: 0n, originNanos: 2n ** 63n - 2n, rate: 1 };
    const clock = new PacedClock('d', 1, physical, mapping);
    physical.advance(0.000_001);
    expect(clock.nowNanos()).toBe(2n ** 63n - 1n);
    physical.advance(1);
    expect(() => clock.nowNanos()).toThrow("time of domain 'd' left the range");
  });
});
