import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { WindowFrame } from '../../src/node/window-frame.js';

type Step =
  | { readonly kind: 'admit'; readonly time: number }
  | { readonly kind: 'step' }
  | { readonly kind: 'clear' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.nat(20).map((time): Step => ({ kind: 'admit', time })) },
  { weight: 3, arbitrary: fc.constant<Step>({ kind: 'step' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'clear' }) },
);

describe('window frame', () => {
  test.prop([fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 60 })])(
    'knows the lowest time of its rows, in whatever order they came (RT-110)',
    (messages, steps) => {
      const bound = { messages, durationNanos: null };
      const frame = new WindowFrame(bound, bound);
      let rows: number[] = [];
      for (const next of steps) {
        if (next.kind === 'admit') {
          frame.admit(BigInt(next.time));
          rows.push(next.time);
        } else if (next.kind === 'step') {
          rows = rows.slice(frame.step());
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
    for (let row = 0; row < 100_000; row += 1) frame.admit(BigInt(row));
    const startMs = performance.now();
    for (let row = 0; row < 100_000; row += 1) {
      expect(frame.lowest() === BigInt(row)).toBe(true);
      frame.step();
      frame.admit(BigInt(100_000 + row));
    }
    expect(performance.now() - startMs).toBeLessThan(5000);
  });
});
