import { describe, expect, test } from 'vitest';
import { SystemClock, VirtualClock } from '../../src/index.js';

describe('clocks', () => {
  test.each([0, 0.1, 0.7, 1, 3.4])('a wait of %s ms never ends early (RT-47)', async (delayMs) => {
    const clock = new SystemClock();
    for (let round = 0; round < 5; round += 1) {
      const startMs = clock.monotonicMs();
      await new Promise<void>((resolve) => {
        clock.after(delayMs, resolve);
      });
      expect(clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(delayMs);
    }
  });

  test('a cancelled call does not run, even when it is due in the same turn', async () => {
    const clock = new SystemClock();
    const ran: string[] = [];
    let cancelSecond = (): void => undefined;
    clock.after(0.05, () => {
      ran.push('first');
      cancelSecond();
    });
    const second = clock.after(0.05, () => ran.push('second'));
    cancelSecond = () => {
      second.cancel();
    };
    const late = clock.after(2, () => ran.push('late'));
    late.cancel();
    await new Promise<void>((resolve) => {
      clock.after(5, resolve);
    });
    expect(ran).toEqual(['first']);
  });

  test('UTC has nanoseconds and stays close to the host', () => {
    const clock = new SystemClock();
    const utcMs = Number(clock.utcNanos() / 1_000_000n);
    expect(Math.abs(utcMs - Date.now())).toBeLessThan(50);
  });

  test('virtual time runs due calls in order, those they add included', () => {
    const clock = new VirtualClock(1_000n);
    const ran: [string, number][] = [];
    clock.after(5, () => ran.push(['five', clock.monotonicMs()]));
    clock.after(2, () => {
      ran.push(['two', clock.monotonicMs()]);
      clock.after(1, () => ran.push(['three', clock.monotonicMs()]));
    });
    expect(clock.nextDueMs()).toBe(2);
    clock.advance(4);
    expect(ran).toEqual([
      ['two', 2],
      ['three', 3],
    ]);
    expect(clock.utcNanos()).toBe(4_001_000n);
    clock.advance(10);
    expect(ran.at(-1)).toEqual(['five', 5]);
    expect(clock.nextDueMs()).toBeUndefined();
  });
});
