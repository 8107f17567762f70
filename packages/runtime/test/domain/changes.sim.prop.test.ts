import { fc, test } from '@fast-check/vitest';
import type { ExecutionPlan } from '@nervix/model';
import { describe, expect } from 'vitest';
import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { HttpRouteTable } from '../../src/connector/http/http-route-table.js';
import { DomainRuntime } from '../../src/domain/domain-runtime.js';
import { executionPause, type PauseLevel } from '../../src/domain/execution-delta.js';
import { RuntimeLog } from '../../src/log.js';
import { MetricStore } from '../../src/metrics/metric-store.js';
import { randomPool } from '../../src/node/random-pool.js';
import { SUBSCRIPTION_CREDIT_BYTES } from '../../src/relay/subscription.js';
import * as p from '../support/plans.js';
import { propertyRuns } from '../support/property-runs.js';

/** What a plan of these tests may differ in. */
interface Variant {
  readonly capacity: number;
  readonly flushMs: number;
  readonly collectMs: number;
  readonly isFiltered: boolean;
  readonly maxHours: number;
  readonly isAttached: boolean;
  readonly isEntryFiltered: boolean;
  readonly hasMore: boolean;
}
const usually = fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.boolean());
const variant: fc.Arbitrary<Variant> = fc.record({
  capacity: fc.integer({ min: 1, max: 2 }),
  flushMs: fc.constantFrom(0, 3, 40),
  collectMs: fc.constantFrom(0, 5, 25),
  isFiltered: fc.boolean(),
  maxHours: fc.integer({ min: 1, max: 3 }),
  isAttached: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.boolean()),
  isEntryFiltered: usually,
  hasMore: usually,
});
const always = p.binary('gt', p.input('id'), p.int(-1));
/** So long that a few records use up what a view may have under way. */
const NOTE = 'x'.repeat(SUBSCRIPTION_CREDIT_BYTES / 2);
const each = (ms: number) =>
  ({ kind: 'each', intervalNanos: BigInt(ms) * 1_000_000n, maxBatchBytes: 1n << 20n }) as const;

/** Two endpoints into `events`; `d` to `unique`, `j` to `copies`, and `s` straight to `side`. */
function plan(revision: number, of: Variant): ExecutionPlan {
  const relays = ['events', 'unique', 'copies', 'side', ...(of.hasMore ? ['more'] : [])];
  const collect =
    of.collectMs === 0
      ? null
      : { intervalNanos: BigInt(of.collectMs) * 1_000_000n, maxBatchBytes: null };
  const entry = { filter: of.isEntryFiltered ? always : null };
  return p.plan({
    revision,
    relays: relays.map((name) => p.relay(name, { capacity: of.capacity })),
    endpoints: ['plain', 'acknowledged'].map((name) => ({
      name,
      vhost: 'main',
      hostnames: ['shop.test'],
      path: `/${name}`,
      type: 'HTTP',
    })),
    ingestors: [
      p.ingestor('first', {
        ...entry,
        endpoint: 'plain',
        quiesce: { kind: 'buffer', maxBytes: 100_000_000n },
      }),
      p.ingestor('second', {
        endpoint: 'acknowledged',
        mode: 'ack_parallel',
        ackWindow: { max: 1000, timeoutNanos: 3_600_000_000_000n },
      }),
    ],
    processors: [
      {
        kind: 'deduplicator',
        name: 'd',
        attached: of.isAttached,
        inputs: [{ relay: 'events', where: null }],
        collect,
        filter: null,
        inputSchema: 'event',
        branch: null,
        keys: [p.input('id')],
        maxTimeNanos: BigInt(of.maxHours) * 3_600_000_000_000n,
        routes: [p.route('unique')],
      },
      p.junction(
        'j',
        ['unique'],
        [p.route('copies', { flush: of.flushMs === 0 ? p.IMMEDIATE : each(of.flushMs) })],
        { filter: of.isFiltered ? always : null } as object,
      ),
      p.junction('s', ['events'], [p.route('side')]),
    ],
    emitters: [],
  });
}

type Step =
  | { readonly kind: 'post'; readonly isAcknowledged: boolean; readonly count: number }
  | { readonly kind: 'again' }
  /** Readers take nothing more, or go on. */
  | { readonly kind: 'stall'; readonly isStalled: boolean }
  | { readonly kind: 'advance'; readonly ms: number }
  | {
      readonly kind: 'change';
      readonly next: Variant;
      readonly style: 'install' | 'prepare' | 'release';
    };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('post' as const),
      isAcknowledged: fc.boolean(),
      count: fc.integer({ min: 1, max: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'again' }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('stall' as const),
      isStalled: fc.constantFrom(true, true, false),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('advance' as const),
      ms: fc.integer({ min: 1, max: 30 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      next: variant,
      style: fc.constantFrom('install', 'prepare', 'release'),
    }),
  },
);

/** A domain in virtual time, with readers of its last relays and callers of its endpoints. */
interface SimulatedDomain {
  readonly domain: DomainRuntime;
  pass(ms: number): Promise<void>;
  /** Ids that a new view of a relay is shown, as they come. */
  read(relay: string): readonly number[];
  /** Posts ids; the status is there once the body is answered. */
  post(ids: readonly number[], isAcknowledged: boolean): { readonly status: number };
  /** Whether views take nothing more. */
  stall(isStalled: boolean): void;
}

async function openDomain(first: Variant): Promise<SimulatedDomain> {
  const clock = new VirtualClock();
  const routes = new HttpRouteTable();
  const faults: unknown[] = [];
  const domain = new DomainRuntime({
    domain: 'shop',
    clock,
    randomBytes: randomPool(),
    log: new RuntimeLog(
      () => undefined,
      'info',
      () => clock.monotonicMs(),
    ),
    store: new MetricStore(clock),
    nodeId: '-',
    routes: { plain: routes, secure: new HttpRouteTable() },
    failed: (error) => faults.push(error),
    // Small groups make many batches, which fill relays whose readers stall.
    ingestGroup: { messagesMax: 1, idleMs: 1 },
    pressure: null,
  });
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 1) {
      clock.advance(1);
      for (let turn = 0; turn < 2; turn += 1) await new Promise((done) => setImmediate(done));
      if (faults.length > 0) throw faults[0];
    }
  };
  await domain.install(plan(1, first));
  const read = (relay: string): number[] => {
    const ids: number[] = [];
    const request = { domain: 'shop', relay, sampleRate: null, where: null } as const;
    const view = domain.subscribe({ ...request, delivery: 'BLOCKING' }, (event) => {
      if (event.kind !== 'rows') throw new Error(`the view got ${event.kind}`);
      const lines = Buffer.from(event.lines).toString('utf8').trimEnd().split('\n');
      ids.push(...lines.map((line) => (JSON.parse(line) as { id: number }).id));
      owed.push(() => {
        view.credit(event.lines.length);
      });
      if (!isStalled) giveCredit();
    });
    return ids;
  };
  let isStalled = false;
  const owed: (() => void)[] = [];
  const giveCredit = (): void => {
    for (const give of owed.splice(0)) give();
  };
  const stall = (value: boolean): void => {
    isStalled = value;
    if (!value) giveCredit();
  };
  const post = (ids: readonly number[], isAcknowledged: boolean): { status: number } => {
    const answered = { status: 0 };
    const body = ids
      .map((id) => JSON.stringify({ id, tenant: 't', amount: 1, note: NOTE }))
      .join('\n');
    const path = isAcknowledged ? '/acknowledged' : '/plain';
    const request = { body: Buffer.from(body), isLines: true, headers: () => [] };
    routes.find('shop.test', path)!.submit(request, ({ status }) => {
      answered.status = status;
    });
    return answered;
  };
  return { domain, pass, read, post, stall };
}

describe('changes of a domain under traffic', () => {
  test.prop([variant, fc.array(step, { maxLength: 30, size: 'max' }), fc.nat(3)], {
    numRuns: propertyRuns(25),
  })(
    'lose nothing that was accepted, double nothing, let nothing else through, and hold no more ' +
      'than they have to; so does the drain at the end (RT-9, RT-31, RT-34, RT-78, RT-196, RT-201, ' +
      'RT-205, RT-206)',
    async (first, steps, last) => {
      const { domain, pass, read, post, stall } = await openDomain(first);
      const [copies, side] = [read('copies'), read('side')];
      const bodies: { ids: readonly number[]; answered: { status: number } }[] = [];
      let running = plan(1, first);
      let revision = 1;
      let changing: { level: PauseLevel; done: Promise<void> } | null = null;
      const change = async (next: ExecutionPlan, style: string): Promise<void> => {
        if (style !== 'install') await domain.prepare(next);
        if (style === 'release') await domain.release();
        else await domain.install(next);
        if (style !== 'release') running = next;
        changing = null;
      };
      let nextId = 0;
      for (const each of steps) {
        if (each.kind === 'post') {
          const ids = Array.from({ length: each.count }, () => nextId++);
          bodies.push({ ids, answered: post(ids, each.isAcknowledged) });
        } else if (each.kind === 'again') {
          const { ids, answered } = bodies.at(-1) ?? { ids: [], answered: { status: 0 } };
          if (answered.status === 202) bodies.push({ ids, answered: post(ids, false) });
        } else if (each.kind === 'stall') {
          stall(each.isStalled);
        } else if (each.kind === 'advance') {
          await pass(each.ms);
        } else if (changing === null) {
          revision += 1;
          const next = plan(revision, each.next);
          const level = executionPause(running, next);
          changing = { level, done: change(next, each.style) };
          await pass(1);
        }
        const now = changing as { level: PauseLevel } | null;
        if (now?.level !== 'DOMAIN_PAUSE') expect(domain.state).toBe('running');
      }
      stall(false);
      await pass(1);
      await Promise.all([(changing as { done: Promise<void> } | null)?.done, pass(300)]);
      await pass(200);
      expect(domain.status()).toMatchObject({ state: 'running', revision: running.revision });
      for (let count = 0; count < last; count += 1) {
        const ids = [nextId++];
        bodies.push({ ids, answered: post(ids, count % 2 === 0) });
        await pass(count);
      }
      const drained = domain.drain(60_000);
      await pass(100);
      expect(await drained).toEqual({ outcome: 'completed', pending: [] });
      const isTaken = ({ status }: { status: number }) => status === 202 || status === 200;
      for (const { answered } of bodies) expect([200, 202, 503]).toContain(answered.status);
      const taken = bodies.filter(({ answered }) => isTaken(answered)).flatMap(({ ids }) => ids);
      const ascending = (ids: Iterable<number>) => [...ids].sort((left, right) => left - right);
      expect(ascending(side)).toEqual(ascending(taken));
      expect(ascending(copies)).toEqual(ascending(new Set(taken)));
    },
  );
});
