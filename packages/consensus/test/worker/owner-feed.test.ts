import { expect, test } from 'vitest';
import { INITIAL_APPLIED } from '../../src/index.ts';
import type { AppliedPosition, StateRecord } from '../../src/storage/log-storage.ts';
import { MirroredStateMachine } from '../../src/worker/mirrored-state-machine.ts';
import { FEED_BYTES_MAX, FeedCredit, OwnerFeed } from '../../src/worker/owner-feed.ts';
import { unpackWrites } from '../../src/worker/packing.ts';
import type { FeedReport, WorkerReport, WorkerStatus } from '../../src/worker/worker-protocol.ts';
import { LedgerMachine } from '../support/ledger-machine.ts';
import { MirrorView } from '../support/mirror-view.ts';
import { until } from '../support/transport-fixture.ts';

const MEBIBYTE = 1_024 * 1_024;
const text = new TextEncoder();
const at = (index: number): AppliedPosition => ({ ...INITIAL_APPLIED, index: BigInt(index) });
const write = (key: string, value?: string) => ({
  key: text.encode(key),
  value: value === undefined ? undefined : text.encode(value),
});
const changeAt = (index: number) => ({
  revision: 0n,
  appliedIndex: BigInt(index),
  isLeader: true,
  isFailed: false,
});
const status = () => ({}) as WorkerStatus;

/** A worker's feed and an owner that takes nothing until it is told to. */
class SlowOwner {
  readonly view = new MirrorView();
  readonly taken: WorkerReport[] = [];
  readonly feed: OwnerFeed;
  readonly #credit: FeedCredit;
  readonly queue: WorkerReport[] = [];

  constructor() {
    this.feed = new OwnerFeed((report) => this.queue.push(report));
    this.#credit = new FeedCredit((request) => {
      if (request.kind === 'taken') this.feed.taken(request.bytes);
    });
  }

  get queuedBytes(): number {
    return this.queue.reduce((sum, it) => sum + ('packed' in it ? it.packed.length : 0), 0);
  }

  takeAll(): void {
    for (let next = this.queue.shift(); next !== undefined; next = this.queue.shift()) {
      this.#take(next);
    }
  }

  #take(report: WorkerReport): void {
    this.taken.push(report);
    if (report.kind === 'records' && report.isFirst) this.view.reset();
    if (report.kind === 'records' || report.kind === 'writes') {
      this.view.changed(unpackWrites(report.packed), report.applied);
    }
    const isAsked = ['answer', 'results', 'rejected', 'refusal'].includes(report.kind);
    if (!isAsked) this.#credit.took(report as FeedReport);
  }
}

test('CS-1 an owner that stands still finds bounded reports, and then all of the newest', () => {
  const owner = new SlowOwner();
  const value = 'v'.repeat(10_000);
  for (let index = 1; index <= 20_000; index += 1) {
    owner.feed.event({ kind: 'purged', through: BigInt(index) });
    owner.feed.written([write(`k${index % 10}`, `${index} ${value}`)], at(index));
    if (index % 10 === 7) owner.feed.written([write(`k${index % 10}`)], at(index));
    owner.feed.changed(changeAt(index), status);
  }
  expect(owner.queuedBytes).toBeLessThan(FEED_BYTES_MAX + MEBIBYTE);
  expect(owner.queue.length).toBeLessThan(FEED_BYTES_MAX / 1_024 + 10);
  owner.takeAll();
  expect(owner.view.position?.index).toBe(20_000n);
  expect([...owner.view.records.keys()].sort().join()).toBe('k0,k1,k2,k3,k4,k5,k6,k8,k9');
  expect(owner.view.records.get('k0')?.startsWith('20000 ')).toBe(true);
  expect(owner.taken.at(-1)).toMatchObject({ kind: 'changed', change: { appliedIndex: 20_000n } });
  // It has caught up: everything is told at once again.
  const before = owner.taken.length;
  owner.feed.written([write('a', '1')], at(20_001));
  owner.feed.changed(changeAt(20_001), status);
  owner.feed.event({ kind: 'purged', through: 1n });
  owner.takeAll();
  expect(owner.taken.slice(before).map(({ kind }) => kind)).toEqual(['writes', 'changed', 'event']);
});

test('CS-1 an answer comes after everything that happened before it, also to a slow owner', () => {
  const owner = new SlowOwner();
  owner.feed.written([write('large', 'v'.repeat(FEED_BYTES_MAX))], at(1));
  const reused = write('a', '1');
  owner.feed.written([reused], at(2));
  owner.feed.changed(changeAt(2), status);
  reused.value?.fill(0);
  expect(owner.queue).toHaveLength(1);
  owner.feed.answer({ kind: 'answer', id: 7, value: undefined });
  expect(owner.queue.map(({ kind }) => kind)).toEqual(['writes', 'writes', 'changed', 'answer']);
  owner.takeAll();
  expect(owner.view.records.get('a')).toBe('1');
  expect(owner.view.position?.index).toBe(2n);
});

test('CS-1 a large state reaches a mirror in bounded memory, and what was held before is dropped', async () => {
  const owner = new SlowOwner();
  owner.feed.written([write('large', 'v'.repeat(FEED_BYTES_MAX))], at(1));
  owner.feed.written([write('outdated', '1')], at(2));
  const count = 40;
  let read = 0;
  const records = async function* (): AsyncGenerator<StateRecord, void, void> {
    for (; read < count; read += 1) {
      yield { key: text.encode(`r${read}`), value: new Uint8Array(MEBIBYTE).fill(65) };
    }
  };
  const machine = new MirroredStateMachine(new LedgerMachine(), owner.feed);
  const restored = machine.restore(records(), at(9));
  await until(() => owner.queue.length === 2, 'the first part');
  expect(read).toBe(0);
  let queuedMax = 0;
  let isRestored = false;
  void restored.then(() => {
    isRestored = true;
  });
  while (!isRestored) {
    queuedMax = Math.max(queuedMax, owner.queuedBytes);
    owner.takeAll();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await restored;
  owner.takeAll();
  expect(queuedMax).toBeLessThan(FEED_BYTES_MAX + 2 * MEBIBYTE);
  expect(owner.view.resets).toBe(1);
  expect(owner.view.records.size).toBe(count);
  expect(owner.view.records.has('outdated')).toBe(false);
  expect(owner.view.position?.index).toBe(9n);
});
