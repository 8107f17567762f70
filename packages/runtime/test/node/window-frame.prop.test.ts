import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { WindowFrame } from '../../src/node/window-frame.js';

type Step =
  | { readonly kind: 'admit'; readonly times: readonly number[] }
  | { readonly kind: 'step' }
  | { readonly kind: 'clear' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(fc.nat(20), { minLength: 1, maxLength: 6 })
      .map((times): Step => ({ kind: 'admit', times })),
  },
  { weight: 3, arbitrary: fc.constant<Step>({ kind: 'step' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'clear' }) },
);

const messages = fc.integer({ min: 1, max: 5 });
const duration = fc.integer({ min: 1, max: 12 });
const bound = fc.oneof(
  fc.record({ messages, duration: fc.constant(null) }),
  fc.record({ messages: fc.constant(null), duration }),
  fc.record({ messages, duration }),
);

interface Bound {
  readonly messages: number | null;
  readonly duration: number | null;
}

function planOf({ messages, duration }: Bound) {
  return { messages, durationNanos: duration === null ? null : BigInt(duration) };
}

/** Whether rows of these times are wide by the time of the last one. */
function isWide(rows: readonly number[], width: Bound): boolean {
  const [first] = rows;
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return false;
  if (width.messages !== null && rows.length >= width.messages) return true;
  return width.duration !== null && last >= first + width.duration;
}

function stepped(rows: readonly number[], { messages, duration }: Bound): number[] {
  const cutoff = duration === null ? -Infinity : (rows[0] ?? 0) + duration;
  const kept = rows.findIndex((time) => time >= cutoff);
  const byTime = kept < 0 ? rows.length : kept;
  return rows.slice(Math.max(byTime, messages ?? 0));
}

describe('window frame', () => {
  test.prop([bound, bound, fc.array(step, { maxLength: 60 })])(
    'admits until it is wide and knows the lowest time, in whatever order rows came (RT-110)',
    (width, stride, steps) => {
      const frame = new WindowFrame(planOf(width), planOf(stride));
      let rows: number[] = [];
      for (const next of steps) {
        if (next.kind === 'admit') {
          const times = BigInt64Array.from(next.times, BigInt);
          const start = next.times.length > 1 ? 1 : 0;
          const end = frame.admit(times, start, times.length);
          let row = start;
          do rows.push(next.times[row++] as number);
          while (row < times.length && !isWide(rows, width));
          expect(end).toBe(row);
          expect(frame.isWide(times[end - 1] as bigint)).toBe(isWide(rows, width));
        } else if (next.kind === 'step') {
          const removed = frame.step();
          const kept = stepped(rows, stride);
          expect(removed).toBe(rows.length - kept.length);
          rows = kept;
        } else {
          frame.clear();
          rows = [];
        }
        expect(frame.rowCount).toBe(rows.length);
        if (rows.length > 0) expect(frame.lowest()).toBe(BigInt(Math.min(...rows)));
      }
    },
  );

  test('a step costs the same however wide the window is', () => {
    const frame = new WindowFrame(
      { messages: 100_000, durationNanos: null },
      { messages: 1, durationNanos: null },
    );
    const times = BigInt64Array.from({ length: 200_000 }, (_, row) => BigInt(row));
    expect(frame.admit(times, 0, times.length)).toBe(100_000);
    const startMs = performance.now();
    for (let row = 0; row < 100_000; row += 1) {
      expect(frame.lowest() === BigInt(row)).toBe(true);
      frame.step();
      frame.admit(times, 100_000 + row, times.length);
    }
    expect(performance.now() - startMs).toBeLessThan(5000);
  });
});
