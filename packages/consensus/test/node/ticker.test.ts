import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Ticker } from '../../src/node/ticker.ts';

const TICK_MS = 25;
let ticks = 0;
let lost = 0;
let ticker: Ticker;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setImmediate', 'performance'] });
  ticks = 0;
  lost = 0;
  ticker = new Ticker(
    TICK_MS,
    () => {
      ticks += 1;
    },
    (count) => {
      lost += count;
    },
  );
  ticker.start();
});

afterEach(() => {
  ticker.stop();
  vi.useRealTimers();
});

test('CS-3 a tick comes for every period of the clock', () => {
  vi.advanceTimersByTime(TICK_MS * 40);
  expect(ticks).toBe(40);
  expect(lost).toBe(0);
});

test('CS-3 a stall is made up for by two ticks, after the input that waits', () => {
  vi.advanceTimersByTime(TICK_MS);
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + TICK_MS * 100);
  let ticksAtInput: number | undefined;
  // What is read from sockets comes between timers and immediates, so before later immediates.
  setImmediate(() => {
    ticksAtInput = ticks;
  });
  vi.advanceTimersByTime(TICK_MS);
  vi.advanceTimersByTime(1);
  expect(ticksAtInput).toBe(1);
  expect(ticks).toBe(3);
  expect(lost).toBe(98);
});

test('CS-3 nothing comes after the end', () => {
  ticker.stop();
  vi.advanceTimersByTime(TICK_MS * 10);
  expect(ticks).toBe(0);
});
