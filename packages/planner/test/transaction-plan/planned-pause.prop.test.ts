import { test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { type Coverage, planTransaction, type TransactionPlan } from '../../src/index.js';
import { type DrawnChange, drawnChange } from '../support/drawn-flows.js';
import { type Expected, expectedImpact } from '../support/pause-oracle.js';

const RUNS = Number(process.env['PROP_RUNS'] ?? 250);

const covered = ({ node, branches }: Coverage) => {
  const parts = [`${node.kind}/${node.identifier}`, branches?.kind];
  return [...parts, ...(branches !== null && 'branch' in branches ? [branches.branch] : [])].join(
    ' ',
  );
};

function planOf({ before, statements }: DrawnChange): TransactionPlan {
  const plan = planTransaction(before, statements, { isWholeLanguage: true });
  if (plan.kind === 'planned') return plan;
  throw new Error(plan.refusals.map(({ message }) => message).join('\n'));
}

/** What a plan of one step of models says, in the words of the oracle. */
function impactOf({ report, steps }: TransactionPlan): Expected {
  const [reported, step] = [report.execution_steps[0], steps[0]];
  if (reported === undefined || step?.decision.kind !== 'models') throw new Error('no models');
  const { pause, effects } = reported.planned;
  const scope = pause.kind === 'SUBGRAPH' ? pause.scope : { nodes: [], gate_boundaries: [] };
  const { modelGate, ownershipGate } = step.decision;
  const boundaries = scope.gate_boundaries.map(({ boundary }) => boundary.relay);
  expect(boundaries.sort(), 'a gate that both ask for is one').toEqual(
    [...new Set([...modelGate, ...ownershipGate])].sort(),
  );
  return {
    pause: pause.kind,
    nodes: scope.nodes.map(({ coverage }) => covered(coverage)).sort(),
    modelGate,
    ownershipGate,
    activations: effects.activations.map(({ node, action }) => `${action} ${covered(node)}`).sort(),
    rebuilds: effects.rebuilds.map(({ node, reason }) => `${reason} ${covered(node)}`).sort(),
    flushes: effects.force_flushes.map(({ node }) => covered(node)).sort(),
  };
}

/** How many changes came to what. */
const tried = new Map<string, number>();
const count = (kind: string) => tried.set(kind, (tried.get(kind) ?? 0) + 1);

test.prop([drawnChange], { numRuns: RUNS })(
  'CP-75 CP-78 CP-88 CP-89 CP-91 CP-92 CP-96 a change pauses, closes, swaps and flushes what both its ends say',
  (change) => {
    if (change.statements.length === 0) return;
    const plan = planOf(change);
    const { before, after } = change;
    const decision = plan.steps[0]?.decision;
    const desired = decision?.kind === 'models' ? decision.schedule : null;
    const expected = expectedImpact({
      before: before.models,
      after,
      former: before.schedule,
      latter: desired ?? before.schedule,
      isRunning: before.status === 'running',
    });
    expect(impactOf(plan)).toEqual(expected);
    count(`${before.status} ${expected.pause}`);
    if (expected.ownershipGate.length > 0) count('moves behind gates');
  },
);

test('the changes above are of every kind', () => {
  const kinds = ['running NO_PAUSE', 'running SUBGRAPH', 'running DOMAIN', 'stopped NO_PAUSE'];
  expect([...tried.keys()].sort()).toEqual([...kinds, 'moves behind gates'].sort());
});
