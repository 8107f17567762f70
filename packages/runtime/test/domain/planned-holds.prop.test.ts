import { test } from '@fast-check/vitest';
import type { ExecutionPlan, Model, Statement } from '@nervix/model';
import { parseScript } from '@nervix/nspl-parser';
import {
  domainModels,
  modelAspects,
  type PlanningSnapshot,
  pauseLevel,
  planDomain,
  planTransaction,
  snapshotOf,
  type TransactionPlan,
} from '@nervix/planner';
import { expect } from 'vitest';
import { heldLevel } from '../../src/domain/admitted-hold.js';
import { canonicalPlan } from '../../src/domain/canonical-plan.js';
import { executionDelta, type PauseLevel, pauseOf } from '../../src/domain/execution-delta.js';
import { type HoldScope, holdScope } from '../../src/domain/hold-scope.js';
import {
  type DrawnDomain,
  editedDomain,
  printed,
  withoutUnused,
} from '../support/drawn-domains.js';
import { propertyRuns } from '../support/property-runs.js';

const MEMBER = {
  name: 'n1',
  isLive: true,
  isCordoned: false,
  isTerminating: false,
  incarnation: { admitted: 'a', observed: 'a' },
} as const;

/** What of a plan and of the one before it is held. */
interface Held {
  readonly level: PauseLevel;
  readonly nodes: readonly string[];
  readonly gates: readonly string[];
}

function read(texts: Iterable<string>): readonly Statement[] {
  const { statements, errors } = parseScript([...texts].join('\n'));
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return statements.map(({ statement }) => statement);
}

function planned(snapshot: PlanningSnapshot, statements: readonly Statement[]): TransactionPlan {
  const plan = planTransaction(snapshot, statements);
  if (plan.kind === 'planned') return plan;
  throw new Error(plan.refusals.map(({ message }) => message).join('\n'));
}

function graphOf(models: readonly Model[]): ExecutionPlan {
  const graph = planDomain({
    domain: 'taxi',
    revision: 0,
    generation: 1,
    models: domainModels(models),
  });
  if (graph.kind === 'accepted') return canonicalPlan(graph.plan);
  throw new Error(graph.refusals.map(({ message }) => message).join('\n'));
}

/** What a step was planned to hold, in the words of the engine. */
function plannedHold({ report, steps }: TransactionPlan): Held {
  const { pause } = report.summary;
  const level = pauseLevel(pause);
  const decision = steps[0]?.decision;
  if (pause.kind !== 'SUBGRAPH' || decision?.kind !== 'models') {
    return { level, nodes: [], gates: [] };
  }
  const nodes = pause.scope.nodes.flatMap(({ coverage: { node } }) =>
    node.kind === 'relay'
      ? []
      : [`${node.kind.toUpperCase().replace('-', '_')} ${node.identifier}`],
  );
  const boundaries = pause.scope.gate_boundaries.map(({ boundary }) => boundary.relay);
  const gates = [...new Set([...decision.modelGate, ...decision.ownershipGate])].sort();
  expect([...new Set(boundaries)].sort()).toEqual(gates);
  return { level, nodes: nodes.sort(), gates };
}

/** What the engine holds of its own accord. */
function ownHold(before: ExecutionPlan, after: ExecutionPlan): Held {
  const delta = executionDelta(before, after);
  if (delta.kind !== 'swap') return { level: pauseOf(delta), nodes: [], gates: [] };
  return held(holdScope(before, after, delta.swapped));
}

function held({ entities, gates }: HoldScope): Held {
  return { level: 'ENTITY_PAUSE', nodes: [...entities].sort(), gates: [...gates].sort() };
}

/** The nodes that the planner takes for replaced. */
function replacedNodes({ steps }: TransactionPlan): ReadonlySet<string> {
  const transitions = steps.flatMap(({ decision }) =>
    decision.kind === 'models' ? decision.transitions : [],
  );
  const replaced = transitions.flatMap(({ before, after }) => {
    const aspects = modelAspects(before ?? undefined, after ?? undefined);
    const isPaused = aspects.some(({ level }) => level === 'ENTITY_PAUSE');
    return after !== null && isPaused ? [`${after.kind.toUpperCase()} ${after.name}`] : [];
  });
  return new Set(replaced);
}

/** A running domain, and what planning another one in its place comes to. */
function change(first: DrawnDomain, second: DrawnDomain) {
  const [old, next] = [printed(first), printed(second)];
  const { after: running } = planned({ ...snapshotOf('taxi', []), nodes: [MEMBER] }, [
    ...read(old.values()),
    { kind: 'start', at: null },
  ]);
  const dropped = [...old].filter(([identity, text]) => next.get(identity) !== text);
  const created = [...next].filter(([identity, text]) => old.get(identity) !== text);
  const statements = read([
    ...dropped.map(([identity]) => `DROP ${identity};`),
    ...created.map(([, text]) => text),
  ]);
  const plan = planned(running, statements);
  return { plan, before: graphOf(running.models), after: graphOf(plan.after.models) };
}

/** How many domains were planned to hold how much, and how many of them more than they need. */
const tried = { DYNAMIC: 0, ENTITY_PAUSE: 0, DOMAIN_PAUSE: 0, unneeded: 0 };

test.prop([editedDomain], { numRuns: propertyRuns(250) })(
  'CP-79, CP-80, CP-88, CP-89, CP-97, RT-198, RT-201: the engine holds what is planned for the part that it runs',
  ([first, second]) => {
    const { plan, before, after } = change(first, second);
    const [promised, own] = [plannedHold(plan), ownHold(before, after)];
    expect(own).toEqual(plannedHold(change(first, withoutUnused(first, second)).plan));
    expect(heldLevel(own.level, { ...promised }), 'never more than planned').toBe(promised.level);
    tried[promised.level] += 1;
    if (own.level !== promised.level) tried.unneeded += 1;
    // Told which nodes count as replaced, it holds all that was planned in any case.
    if (promised.level !== 'ENTITY_PAUSE') return;
    const scope = holdScope(before, after, replacedNodes(plan), promised.gates);
    expect(held(scope)).toEqual(promised);
  },
);

test('the domains above are held in every way', () => {
  for (const count of Object.values(tried)) expect(count).toBeGreaterThan(0);
});
