import { type QuiesceLevel, widerLevel } from '../../quiesce-level.js';
import { type Attributions, NO_OPERATIONS, type OperationSet } from '../operation-set.js';
import type { Attributed, Coverage, Effects } from '../report.js';
import { NO_EFFECTS } from '../report.js';
import { type ActivationDelta, activationDelta, activationLevel } from './activation-delta.js';
import { compareCoverage, compareNodes, coveragesOf } from './canonical-order.js';
import { type ImpactGraph, type ImpactNode, reportNode } from './impact-graph.js';
import { changedAt, executablesIn, levelOf, type ModelStep } from './model-change.js';
import { type PausePlan, pausePlan } from './pause-plan.js';
import { reportedTopology } from './reported-topology.js';
import type { Selection } from './selection.js';
import { stateResets } from './state-resets.js';

/** What a step of model changes does. */
export interface ModelImpact extends PausePlan {
  /** What it asks of the domain as it is: `DYNAMIC` in a stopped one. */
  readonly level: QuiesceLevel;
  readonly effects: Effects;
}

/** Derives the impact of a step of model changes that is not without effect. */
export function modelImpact(step: ModelStep, attributions: Attributions): ModelImpact {
  const delta = activationDelta(step);
  const models = step.changed.map(levelOf).reduce<QuiesceLevel>(widerLevel, 'DYNAMIC');
  const level = step.isRunning ? widerLevel(models, activationLevel(delta)) : 'DYNAMIC';
  const isForced = step.isRunning && level !== 'DYNAMIC';
  const whole = step.isRunning && delta.kind === 'rebuild' ? delta.operations : NO_OPERATIONS;
  const effects: Effects = {
    ...NO_EFFECTS,
    changed_configuration: changedConfiguration(step, attributions),
    topology: {
      before: reportedTopology(step, step.before, whole, attributions),
      after: reportedTopology(step, step.after, whole, attributions),
    },
    ownership_moves: ownershipMoves(step, attributions),
    activations: activations(step, delta, attributions),
    rebuilds: rebuilds(step, delta, attributions),
    state_resets: resets(step, attributions),
    force_flushes: isForced
      ? everyNode(step.before, step.operations, attributions).map(asNode)
      : [],
  };
  return { level, effects, ...pausePlan(step, level, attributions) };
}

/** Every execution node of a graph, for the same operations. */
export function everyNode(
  graph: ImpactGraph,
  operations: OperationSet,
  attributions: Attributions,
): readonly Attributed<{ readonly coverage: Coverage }>[] {
  const attribution = attributions.listOf(operations);
  return graph.executables().map(({ coverage }) => ({ coverage, attribution }));
}

function changedConfiguration(
  { changed }: ModelStep,
  attributions: Attributions,
): Effects['changed_configuration'] {
  const list = changed.flatMap(({ before, after, operations }) => {
    const model = after ?? before;
    if (model === undefined) return [];
    const kind = before === undefined ? 'CREATED' : after === undefined ? 'DROPPED' : 'CHANGED';
    const transition = { kind, node: reportNode(model) } as const;
    return [{ transition, attribution: attributions.listOf(operations) }];
  });
  return list.sort((left, right) => compareNodes(left.transition.node, right.transition.node));
}

function ownershipMoves(
  { moves, after, operations }: ModelStep,
  attributions: Attributions,
): Effects['ownership_moves'] {
  return byNode(
    moves.flatMap(({ key, source, destination }) => {
      const node = after.node(key)?.coverage;
      const attribution = attributions.listOf(operations);
      return node === undefined ? [] : [{ node, source, destination, attribution }];
    }),
  );
}

function activations(
  step: ModelStep,
  delta: ActivationDelta,
  attributions: Attributions,
): Effects['activations'] {
  const refreshes = step.changed.flatMap(({ key, aspects, operations }) => {
    const node = step.after.node(key);
    const isRefresh = aspects.some(({ aspect }) => aspect === 'VHOST_TLS_VERSION');
    return isRefresh && node !== undefined ? [[node, operations] as const] : [];
  });
  const as = (action: Effects['activations'][number]['action'], nodes: Nodes) =>
    coveragesOf(nodes, attributions).map(({ coverage, attribution }) => ({
      node: coverage,
      action,
      attribution,
    }));
  const refreshed = as('REFRESH_HTTPS_LISTENER', refreshes);
  if (!step.isRunning) return refreshed;
  const { deactivated, activated } = activatedNodes(step, delta);
  return byNode([...refreshed, ...as('DEACTIVATE', deactivated), ...as('ACTIVATE', activated)]);
}

type Nodes = readonly (readonly [ImpactNode, OperationSet])[];

function activatedNodes(
  step: ModelStep,
  delta: ActivationDelta,
): { readonly deactivated: Nodes; readonly activated: Nodes } {
  switch (delta.kind) {
    case 'unchanged':
      return { deactivated: [], activated: [] };
    case 'dynamic':
      return { deactivated: [], activated: executablesIn(step.after, delta.updated) };
    case 'swap': {
      const deactivated = executablesIn(step.before, delta.swapped);
      const updated = executablesIn(step.after, delta.updated);
      return { deactivated, activated: [...executablesIn(step.after, delta.swapped), ...updated] };
    }
    case 'rebuild': {
      const all = (graph: ImpactGraph): Nodes =>
        executablesIn(graph, wholeOf(graph, delta.operations));
      return { deactivated: all(step.before), activated: all(step.after) };
    }
  }
}

function wholeOf(graph: ImpactGraph, operations: OperationSet): Selection {
  return new Map([...graph.models.keys()].map((key) => [key, operations]));
}

function rebuilds(
  step: ModelStep,
  delta: ActivationDelta,
  attributions: Attributions,
): Effects['rebuilds'] {
  if (!step.isRunning) return [];
  const as = (reason: Effects['rebuilds'][number]['reason'], nodes: Nodes) =>
    coveragesOf(nodes, attributions).map(({ coverage, attribution }) => ({
      node: coverage,
      reason,
      attribution,
    }));
  const moved = new Map(step.moves.map(({ key }) => [key, step.operations]));
  const ownership = as('OWNERSHIP', executablesIn(step.after, moved));
  switch (delta.kind) {
    case 'rebuild': {
      const all = executablesIn(step.after, wholeOf(step.after, delta.operations));
      return byNode([...as('CONFIGURATION', all), ...ownership]);
    }
    case 'swap': {
      // What is hot-applied is no reason to build a node that moves anew; its move is.
      const own = changedAt(step, 'ENTITY_PAUSE');
      return byNode([...as('CONFIGURATION', executablesIn(step.after, own)), ...ownership]);
    }
    default:
      return [];
  }
}

function resets(step: ModelStep, attributions: Attributions): Effects['state_resets'] {
  return byNode(
    stateResets(step).map(({ node, state, operations }) => ({
      node: node.coverage,
      state,
      attribution: attributions.listOf(operations),
    })),
  );
}

function asNode({ coverage, attribution }: Attributed<{ readonly coverage: Coverage }>) {
  return { node: coverage, attribution };
}

/** A stable sort: what comes first of one node stays first. */
function byNode<Item extends { readonly node: Coverage }>(items: readonly Item[]): readonly Item[] {
  return [...items].sort((left, right) => compareCoverage(left.node, right.node));
}
