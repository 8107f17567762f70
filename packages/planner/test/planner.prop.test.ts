import { fc, test } from '@fast-check/vitest';
import { canonicalText, type Expression, type Model, typedExpressionDefect } from '@nervix/model';
import { expect } from 'vitest';
import { isUntyped } from '../src/expression/checked.js';
import * as policies from '../src/expression/scope-policy.js';
import { domainModels, type ModelChange, planDomain } from '../src/index.js';
import { applyChanges } from './support/applied-changes.js';
import { anyExpression, validGraph } from './support/arbitraries.js';
import {
  assign,
  change,
  construct,
  DOMAIN,
  deduplicator,
  from,
  junction,
  messagesOf,
  planWith,
  windowProcessor,
} from './support/models.js';
import { scopeOf, typing } from './support/typing.js';

const plan = (models: readonly Model[]) =>
  planDomain({ domain: DOMAIN, revision: 1, generation: 1, models: domainModels(models) });
/** Cases of a property over expressions. */
const runs = (usual: number): number => Number(process.env['PROP_RUNS'] ?? usual);
const permuted = <Item>(items: readonly Item[]) =>
  fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });

test.prop([validGraph])('valid graphs plan without refusal', (models) => {
  expect(messagesOf(plan(models))).toEqual([]);
});

test.prop([validGraph.chain((models) => fc.tuple(fc.constant(models), permuted(models)))])(
  'the order of insertion makes no difference',
  ([models, shuffled]) => {
    expect(canonicalText(plan(shuffled))).toBe(canonicalText(plan(models)));
  },
);

test.prop([validGraph.chain((models) => fc.tuple(fc.constant(models), permuted(models)))])(
  'CP-32 a whole graph drops in any order, and is created again in any order',
  ([models, shuffled]) => {
    const drops = shuffled.map(({ kind, name }): ModelChange => ({ op: 'drop', kind, name }));
    const base = domainModels(models);
    const dropped = applyChanges(DOMAIN, base, drops);
    expect(dropped).toMatchObject({ kind: 'accepted' });
    expect(dropped.kind === 'accepted' && dropped.models.size).toBe(0);
    const creates = shuffled.map(
      (model): ModelChange => ({ op: 'create', ifNotExists: false, model }),
    );
    expect(applyChanges(DOMAIN, base, [...drops, ...creates])).toMatchObject({
      kind: 'accepted',
      differences: [],
    });
    expect(applyChanges(DOMAIN, domainModels([]), creates)).toMatchObject({ kind: 'accepted' });
  },
);

test.prop([validGraph.chain((models) => fc.tuple(fc.constant(models), fc.subarray([...models])))])(
  'a partial drop is refused exactly when the rest would miss a reference',
  ([models, victims]) => {
    const drops = victims.map(({ kind, name }): ModelChange => ({ op: 'drop', kind, name }));
    const isInUse = applyChanges(DOMAIN, domainModels(models), drops).kind === 'rejected';
    const rest = models.filter((model) => !victims.includes(model));
    expect(isInUse).toBe(
      messagesOf(plan(rest)).some((message) => message.includes('requires missing')),
    );
  },
);

test.prop([anyExpression, fc.constantFrom(...Object.values(policies))], { numRuns: runs(1_000) })(
  'typing never throws, and gives a value or a reason',
  (expression, policy) => {
    const value = typing(expression, scopeOf(policy));
    if (typeof value === 'string') expect(value.length).toBeGreaterThan(0);
    else if (!isUntyped(value)) expect(typedExpressionDefect(value)).toBe(undefined);
  },
);

test.prop([anyExpression], { numRuns: runs(200) })(
  'planning never throws on any expression, and names a node of it',
  (expression) => {
    const outcome = planWith(
      change(junction, {
        filter: expression,
        inputs: from({ relay: 'events', where: expression }),
      }),
      change(deduplicator, { deduplicateOn: [expression] }),
      change(windowProcessor, {
        routes: windowProcessor.routes.map((route) => ({
          ...route,
          construction: construct({ set: [assign('rows', expression)], where: expression }),
        })),
      }),
    );
    if (outcome.kind === 'accepted') return;
    for (const refusal of outcome.refusals) {
      expect(refusal.subject).toBeDefined();
      expect(refusal.message).toContain(refusal.model?.name);
    }
  },
);

test.prop([anyExpression], { numRuns: runs(500) })(
  'typing leaves its input as it was',
  (expression) => {
    const before = canonicalText(expression);
    typing(freeze(expression));
    expect(canonicalText(expression)).toBe(before);
  },
);

function freeze(expression: Expression): Expression {
  for (const part of Object.values(expression)) {
    if (typeof part === 'object' && part !== null) freeze(part as Expression);
  }
  return Object.freeze(expression);
}
