import { fc, test } from '@fast-check/vitest';
import {
  type ExecutionPlan,
  equalData,
  type Model,
  modelKey,
  type SourceSpan,
  type SpanLookup,
} from '@nervix/model';
import { expect } from 'vitest';
import { ModelSet, type PlanDomainOutcome, PlanRegistry, planDomain } from '../../src/index.js';
import { anyModels, POOL } from '../support/edited-domains.js';
import { DOMAIN, SAMPLE } from '../support/models.js';

const RUNS = Number(process.env['PROP_RUNS'] ?? 100);
/** Milliseconds, also for long runs on busy machines. */
const TIME_MAX = 20_000 + RUNS * 100;

/** Every part of a model has a place of its own, as if it were read from a text. */
const spans = new WeakMap<object, SourceSpan>();
for (const model of POOL) {
  const pending: unknown[] = [model];
  for (let at = 0; pending.length > 0; at += 1) {
    const part = pending.pop();
    if (typeof part !== 'object' || part === null) continue;
    spans.set(part, { start: at, end: at + 1 } as SourceSpan);
    pending.push(...Object.values(part));
  }
}
const everySpan: SpanLookup = { spanOf: (node) => spans.get(node) };

/** The places of one model alone: nothing of another one may be asked for. */
function spansOf(model: Model): SpanLookup {
  const own = new Set<object>();
  const pending: unknown[] = [model];
  while (pending.length > 0) {
    const part = pending.pop();
    if (typeof part !== 'object' || part === null) continue;
    own.add(part);
    pending.push(...Object.values(part));
  }
  return { spanOf: (node) => (own.has(node) ? spans.get(node) : undefined) };
}

const edit = fc.tuple(fc.constantFrom(...POOL), fc.boolean());
const turns = fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 5,
});

function partsOf(plan: ExecutionPlan): readonly object[] {
  return Object.values(plan).flatMap((list) => (Array.isArray(list) ? (list as object[]) : []));
}

const tried = { accepted: 0, rejected: 0, kept: 0, replaced: 0 };

/** Whatever equals a part of the plan before it is that part, and so is a list that equals one. */
function expectShared(before: ExecutionPlan, after: ExecutionPlan): void {
  const former = partsOf(before);
  for (const part of partsOf(after)) {
    const twin = former.find((each) => equalData(each, part));
    if (twin !== undefined) expect(part).toBe(twin);
    tried[twin === undefined ? 'replaced' : 'kept'] += 1;
  }
  for (const list of ['schemas', 'relays', 'ingestors', 'processors', 'emitters'] as const) {
    if (equalData(before[list], after[list])) expect(after[list]).toBe(before[list]);
  }
}

const start = fc.oneof({ weight: 3, arbitrary: fc.constant(SAMPLE) }, anyModels);

test.prop([start, turns], { numRuns: RUNS })(
  'CP-80, RT-194: a plan that is kept is that of planning everything, and shares what stays',
  (models, rounds) => {
    const registry = new PlanRegistry();
    let set = ModelSet.ofList(models);
    let latest: ExecutionPlan | undefined;
    const follow = (revision: number): void => {
      const head = { domain: DOMAIN, revision, generation: 2 };
      const kept: PlanDomainOutcome = registry.plan({ ...head, models: set, spansOf });
      const whole = planDomain({ ...head, models: set, spans: everySpan });
      expect(kept).toEqual(whole);
      tried[kept.kind] += 1;
      const plan = kept.kind === 'accepted' ? kept.plan : undefined;
      if (latest !== undefined && plan !== undefined) expectShared(latest, plan);
      latest = plan;
    };
    follow(1);
    for (const [turn, edits] of rounds.entries()) {
      const changes = new Map(
        edits.map(([model, isThere]) => [
          modelKey(model.kind, model.name),
          isThere ? model : undefined,
        ]),
      );
      set = set.with(changes);
      follow(2 + turn);
    }
  },
  TIME_MAX,
);

test('the domains above are planned and refused, and share much', () => {
  for (const count of Object.values(tried)) expect(count).toBeGreaterThan(0);
  expect(tried.kept).toBeGreaterThan(tried.replaced);
});
