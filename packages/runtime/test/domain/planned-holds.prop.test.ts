import { fc, test } from '@fast-check/vitest';
import type { ExecutionPlan, Model, Statement } from '@nervix/model';
import { parseScript } from '@nervix/nspl-parser';
import {
  domainModels,
  type PlanningSnapshot,
  pauseLevel,
  planDomain,
  planTransaction,
  snapshotOf,
  type TransactionPlan,
} from '@nervix/planner';
import { expect } from 'vitest';
import { canonicalPlan } from '../../src/domain/canonical-plan.js';
import { executionDelta, type PauseLevel, pauseOf } from '../../src/domain/execution-delta.js';
import { holdScope } from '../../src/domain/hold-scope.js';
import { editedDomain, printed } from '../support/drawn-domains.js';
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
  const { entities, gates } = holdScope(before, after, delta.swapped);
  return { level: 'ENTITY_PAUSE', nodes: [...entities].sort(), gates: [...gates].sort() };
}

/** Whether two graphs differ at all, in anything but their numbers. */
function isSame(before: ExecutionPlan, after: ExecutionPlan): boolean {
  return executionDelta(before, after).kind === 'unchanged';
}

/** How many domains were planned to hold how much, so that none of the levels goes untried. */
const tried = { DYNAMIC: 0, ENTITY_PAUSE: 0, DOMAIN_PAUSE: 0 };

test.prop([editedDomain], { numRuns: propertyRuns(300) })(
  'CP-88, CP-89, CP-97, RT-198, RT-201: the engine holds the nodes and closes the relays that were planned, and never more; less only where its graph stays the same',
  ([first, second]) => {
    const [old, next] = [printed(first), printed(second)];
    const { after: running } = planned({ ...snapshotOf('taxi', []), nodes: [MEMBER] }, [
      ...read(old.values()),
      { kind: 'start', at: null },
    ]);
    const dropped = [...old].filter(([identity, text]) => next.get(identity) !== text);
    const created = [...next].filter(([identity, text]) => old.get(identity) !== text);
    fc.pre(dropped.length + created.length > 0);
    const plan = planned(
      running,
      read([
        ...dropped.map(([identity]) => `DROP ${identity};`),
        ...created.map(([, text]) => text),
      ]),
    );
    const [before, after] = [graphOf(running.models), graphOf(plan.after.models)];
    const [promised, own] = [plannedHold(plan), ownHold(before, after)];
    tried[promised.level] += 1;
    if (isSame(before, after)) expect(own).toEqual({ level: 'DYNAMIC', nodes: [], gates: [] });
    else expect(own).toEqual(promised);
  },
);

test('the domains above are held in every way', () => {
  for (const count of Object.values(tried)) expect(count).toBeGreaterThan(5);
});
