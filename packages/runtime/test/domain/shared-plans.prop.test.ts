import { fc, test } from '@fast-check/vitest';
import type { ExecutionPlan, Model } from '@nervix/model';
import { NO_SPANS } from '@nervix/model';
import { parseScript } from '@nervix/nspl-parser';
import { ModelSet, PlanRegistry } from '@nervix/planner';
import { expect } from 'vitest';
import { canonicalPlan } from '../../src/domain/canonical-plan.js';
import { EntityHold } from '../../src/domain/entity-hold.js';
import { executionDelta } from '../../src/domain/execution-delta.js';
import { holdScope } from '../../src/domain/hold-scope.js';
import { nodeKey, nodePlans } from '../../src/domain/node-plans.js';
import { ReceivedPlans, SentPlans } from '../../src/worker/known-plans.js';
import { type DrawnDomain, editedDomain, printed } from '../support/drawn-domains.js';
import { virtualGraph } from '../support/graphs.js';
import { propertyRuns } from '../support/property-runs.js';

/** Models by their texts: what is not edited stays the same object, as in a store. */
const models = new Map<string, Model>();

function modelOf(text: string): Model {
  const known = models.get(text);
  if (known !== undefined) return known;
  const { statements, errors } = parseScript(text);
  const statement = statements[0]?.statement;
  if (errors.length > 0 || statement?.kind !== 'create_model') throw new Error(text);
  models.set(text, statement.model);
  return statement.model;
}

/** Plans of one domain after the other, that share what stays, as they come to a data plane. */
function planSource(): (domain: DrawnDomain) => ExecutionPlan {
  const registry = new PlanRegistry();
  const [sent, received] = [new SentPlans(), new ReceivedPlans()];
  let revision = 0;
  return (domain) => {
    revision += 1;
    const outcome = registry.plan({
      ...{ domain: 'taxi', revision, generation: 1, spansOf: () => NO_SPANS },
      models: ModelSet.ofList([...printed(domain).values()].map(modelOf)),
    });
    if (outcome.kind !== 'accepted') throw new Error(outcome.refusals[0]?.message);
    const came = sent.send(outcome.plan, (patch) => received.taken(structuredClone(patch)));
    expect(came).toEqual(outcome.plan);
    return canonicalPlan(came);
  };
}

const tried = { rebuild: 0, swap: 0, dynamic: 0, keptNodes: 0 };

/** Brings a running graph to a plan as its domain does; nothing runs in it. */
function changed({ graph }: ReturnType<typeof virtualGraph>, next: ExecutionPlan): void {
  const before = new Map(graph.nodes.map((node, place) => [keyAt(graph.plan, place), node]));
  const delta = executionDelta(graph.plan, next);
  if (delta.kind === 'rebuild') return;
  const swapped = delta.kind === 'swap' ? delta.swapped : new Set<string>();
  if (delta.kind === 'dynamic') graph.revise(next, delta.revised);
  else {
    const hold = new EntityHold(graph, holdScope(graph.plan, next, swapped));
    hold.suspend();
    hold.closeGates();
    graph.swap(next, delta, hold);
    hold.release();
  }
  for (const [place, node] of graph.nodes.entries()) {
    const key = keyAt(next, place);
    expect(`${node.kind} ${node.name}`).toBe(key);
    if (swapped.has(key)) expect(node).not.toBe(before.get(key));
    else expect(node).toBe(before.get(key));
    if (!swapped.has(key)) tried.keptNodes += 1;
  }
  for (const { name, capacity } of next.relays) {
    expect(graph.relays.find(name).relay.capacity).toBe(capacity);
  }
}

function keyAt(plan: ExecutionPlan, place: number): string {
  const node = nodePlans(plan)[place];
  if (node === undefined) throw new Error(`no node ${place}`);
  return nodeKey(node);
}

test.prop([editedDomain, fc.array(fc.boolean(), { minLength: 1, maxLength: 4 })], {
  numRuns: propertyRuns(60),
})(
  'RT-194, RT-196, RT-201: plans that share their parts change a graph as plans that share none',
  ([first, second], turns) => {
    const planOf = planSource();
    let before = planOf(first);
    const running = virtualGraph(before);
    for (const isSecond of turns) {
      const after = planOf(isSecond ? second : first);
      const [oldCopy, newCopy] = [structuredClone(before), structuredClone(after)];
      const delta = executionDelta(before, after);
      expect(delta).toEqual(executionDelta(oldCopy, newCopy));
      tried[delta.kind] += 1;
      const seeds = nodePlans(after).map(nodeKey);
      for (const swapped of [delta.kind === 'swap' ? [...delta.swapped] : [], seeds.slice(0, 1)]) {
        const gates = after.relays.map(({ name }) => name).slice(0, 1);
        expect(holdScope(before, after, new Set(swapped), gates)).toEqual(
          holdScope(oldCopy, newCopy, new Set(swapped), gates),
        );
      }
      if (delta.kind === 'rebuild') break;
      changed(running, after);
      expect(running.graph.plan).toBe(after);
      before = after;
    }
    running.graph.close('the end');
  },
);

test('the plans above change graphs in every way', () => {
  for (const count of Object.values(tried)) expect(count).toBeGreaterThan(0);
});
