import { fc, test } from '@fast-check/vitest';
import type { FlushPlan } from '@nervix/model';
import { describe, expect } from 'vitest';
import { UnpacedClock } from '../../src/clock/unpaced-clock.js';
import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { Collector } from '../../src/collect/collector.js';
import { flushPolicy } from '../../src/flush/flush-policy.js';
import { RouteOutput } from '../../src/flush/route-output.js';
import { DomainMetrics } from '../../src/metrics/domain-metrics.js';
import { MetricStore } from '../../src/metrics/metric-store.js';
import { Relay } from '../../src/relay/relay.js';
import { idBatch, idsOf, relayBatch, tenantKey } from '../support/batches.js';
import { propertyRuns } from '../support/property-runs.js';

interface Policy {
  readonly ms: number;
  readonly rows: number;
}
type Step =
  | { readonly kind: 'append'; readonly branch: number; readonly rows: number }
  | ({ readonly kind: 'policy' } & Policy)
  | { readonly kind: 'advance'; readonly ms: number };

const policy = { ms: fc.integer({ min: 1, max: 40 }), rows: fc.integer({ min: 1, max: 12 }) };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      branch: fc.nat(1),
      rows: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('policy' as const), ...policy }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('advance' as const),
      ms: fc.integer({ min: 1, max: 30 }),
    }),
  },
);

interface Published {
  readonly atMs: number;
  readonly branch: number;
  readonly ids: readonly number[];
}

/** Buffers under changing policies, millisecond by millisecond. */
class PolicyModel {
  readonly published: Published[] = [];
  #nowMs = 0;
  #policy: Policy;
  readonly #branches = [0, 1].map(() => ({ ids: [] as number[], sinceMs: 0 }));

  constructor(first: Policy) {
    this.#policy = first;
  }

  append(branch: number, ids: readonly number[]): void {
    const buffer = this.#branches[branch]!;
    if (buffer.ids.length === 0) buffer.sinceMs = this.#nowMs;
    buffer.ids.push(...ids);
    this.#look();
  }

  setPolicy(next: Policy): void {
    this.#policy = next;
    this.#look();
  }

  advance(ms: number): void {
    for (let passed = 0; passed < ms; passed += 1) {
      this.#nowMs += 1;
      this.#look();
    }
  }

  #look(): void {
    for (const [branch, buffer] of this.#branches.entries()) {
      const isDue =
        this.#nowMs >= buffer.sinceMs + this.#policy.ms || buffer.ids.length >= this.#policy.rows;
      if (buffer.ids.length === 0 || !isDue) continue;
      this.published.push({ atMs: this.#nowMs, branch, ids: buffer.ids });
      buffer.ids = [];
    }
  }
}

const rowBytes = idBatch([1]).byteSize;
const keys = [tenantKey('0'), tenantKey('1')];
const planOf = ({ ms, rows }: Policy) =>
  ({
    kind: 'each',
    intervalNanos: BigInt(ms) * 1_000_000n,
    maxBatchBytes: BigInt(rows * rowBytes),
  }) as const satisfies FlushPlan;

interface Buffers {
  append(ids: readonly number[], branch: number): void;
  setPolicy(next: Policy): void;
}

function runAgainstModel(
  first: Policy,
  steps: readonly Step[],
  open: (clock: VirtualClock, published: Published[]) => Buffers,
): void {
  const clock = new VirtualClock();
  const published: Published[] = [];
  const buffers = open(clock, published);
  const model = new PolicyModel(first);
  let next = 0;
  for (const each of steps) {
    if (each.kind === 'append') {
      const ids = Array.from({ length: each.rows }, () => next++);
      buffers.append(ids, each.branch);
      model.append(each.branch, ids);
    } else if (each.kind === 'policy') {
      buffers.setPolicy(each);
      model.setPolicy(each);
    } else {
      clock.advance(each.ms);
      model.advance(each.ms);
    }
    const sorted = (all: readonly Published[]) =>
      [...all].sort((left, right) => left.atMs - right.atMs || left.branch - right.branch);
    expect(sorted(published)).toEqual(sorted(model.published));
  }
}

const branchOf = (text: string | undefined): number => (text === keys[0]!.text ? 0 : 1);

describe('policies that change while rows wait', () => {
  test.prop([fc.record(policy), fc.array(step, { maxLength: 40 })], { numRuns: propertyRuns(100) })(
    'FLUSH: what is buffered stays, and leaves when the new one says so (RT-46, RT-50)',
    (first, steps) => {
      runAgainstModel(first, steps, (clock, published) => {
        const relay = new Relay('out', 1, {
          admitted: ({ batch, branchKey }) => {
            const branch = branchOf(branchKey?.text);
            published.push({ atMs: clock.monotonicMs(), branch, ids: idsOf(batch) });
          },
          fannedOut: () => undefined,
        });
        const output = new RouteOutput({
          relay,
          publisher: 'JUNCTION j',
          policy: flushPolicy(planOf(first)),
          clock: new UnpacedClock('d', 1, clock),
          sent: new DomainMetrics(new MetricStore(clock), 'd', '-').meter({
            kind: 'JUNCTION',
            target: 'j',
            direction: 'sent',
            relay: 'out',
          }),
          failed: (error) => {
            throw error;
          },
        });
        return {
          append: (ids, branch) => {
            output.append(relayBatch(ids, { branchKey: keys[branch]! }));
          },
          setPolicy: (next) => {
            output.setPolicy(flushPolicy(planOf(next)));
          },
        };
      });
    },
  );

  test.prop([fc.record(policy), fc.array(step, { maxLength: 40 })], { numRuns: propertyRuns(100) })(
    'COLLECT FOR: what is collected stays, and is released when the new one says so (RT-37, RT-182)',
    (first, steps) => {
      runAgainstModel(first, steps, (clock, published) => {
        const collector = new Collector(
          planOf(first),
          new UnpacedClock('d', 1, clock),
          ({ batch, branchKey }) => {
            const branch = branchOf(branchKey?.text);
            published.push({ atMs: clock.monotonicMs(), branch, ids: idsOf(batch) });
          },
          (error) => {
            throw error;
          },
        );
        return {
          append: (ids, branch) => {
            collector.add(relayBatch(ids, { branchKey: keys[branch]! }));
          },
          setPolicy: (next) => {
            collector.setPolicy(planOf(next));
          },
        };
      });
    },
  );
});
