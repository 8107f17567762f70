import { afterEach, expect, test, vi } from 'vitest';
import { ChangeFeed, type NodeChange } from '../../src/node/change-feed.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Collects microtasks instead of running them. */
function heldMicrotasks(): (() => void)[] {
  const held: (() => void)[] = [];
  vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((task) => {
    held.push(task);
  });
  return held;
}

test('CP-4 one notification tells the newest of several changes', () => {
  const held = heldMicrotasks();
  const change = { revision: 1n, appliedIndex: 1n, isLeader: true, isFailed: false };
  const feed = new ChangeFeed(() => ({ ...change }));
  const seen: NodeChange[] = [];
  feed.subscribe((it) => seen.push(it));
  feed.notify();
  feed.notify();
  change.revision = 7n;
  expect(held).toHaveLength(1);
  held[0]!();
  expect(seen).toEqual([{ ...change, revision: 7n }]);
});

test('a change during a notification makes another one', () => {
  const held = heldMicrotasks();
  const feed = new ChangeFeed(() => ({
    revision: 0n,
    appliedIndex: 0n,
    isLeader: true,
    isFailed: false,
  }));
  feed.subscribe(() => {
    if (held.length === 1) feed.notify();
  });
  feed.notify();
  held[0]!();
  expect(held).toHaveLength(2);
});

test('a listener that throws does not keep the others from being told', () => {
  const held = heldMicrotasks();
  const feed = new ChangeFeed(() => ({
    revision: 0n,
    appliedIndex: 0n,
    isLeader: true,
    isFailed: false,
  }));
  const failing = () => {
    throw new Error('listener');
  };
  const other = vi.fn();
  feed.subscribe(failing);
  feed.subscribe(other);
  feed.notify();
  held[0]!();
  expect(other).toHaveBeenCalledTimes(1);
  expect(held[1]).toThrow('listener');
});
