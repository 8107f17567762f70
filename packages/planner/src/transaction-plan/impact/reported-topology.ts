import { compareNames } from '../../domain-models.js';
import type { QuiesceLevel } from '../../quiesce-level.js';
import { type Attributions, NO_OPERATIONS, type OperationSet } from '../operation-set.js';
import type { TopologySide } from '../report.js';
import { compareCoverage, coveragesOf } from './canonical-order.js';
import type { ImpactEdge, ImpactGraph } from './impact-graph.js';
import { changedAt, levelOf, type ModelStep } from './model-change.js';
import { downstreamOf, type Selection, select, withConfiguration } from './selection.js';

/**
 * The part of a graph that a step is about: each changed model; of one that pauses entities also
 * everything downstream; of one that pauses the domain the whole graph; and what configures those.
 *
 * @param whole operations that the whole graph is reported for besides those of the models
 */
export function reportedTopology(
  step: ModelStep,
  graph: ImpactGraph,
  whole: OperationSet,
  attributions: Attributions,
): TopologySide {
  const selected = selection(step, graph, whole);
  const nodes = [...selected].flatMap(([key, operations]) => {
    const node = graph.node(key);
    return node === undefined ? [] : [[node, operations] as const];
  });
  const stated = [...selected.keys()].flatMap((key) => graph.stated(key));
  const edges = stated.flatMap((edge) => {
    const [source, target] = [selected.get(edge.source.key), selected.get(edge.target.key)];
    if (source === undefined || target === undefined) return [];
    return [{ edge, attribution: attributions.listOf(source | target) }];
  });
  edges.sort((left, right) => compareEdges(left.edge, right.edge));
  return {
    nodes: coveragesOf(nodes, attributions),
    edges: edges.map(({ edge: { source, target, kind }, attribution }) => ({
      source: source.coverage,
      target: target.coverage,
      kind,
      attribution,
    })),
  };
}

function selection(step: ModelStep, graph: ImpactGraph, whole: OperationSet): Selection {
  const isPresent = ([key]: readonly [string, unknown]) => graph.has(key);
  const only = (level: QuiesceLevel) => new Map([...changedAt(step, level)].filter(isPresent));
  const selected = downstreamOf(graph, only('ENTITY_PAUSE'));
  for (const [key, operations] of only('DYNAMIC')) select(selected, key, operations);
  for (const { key } of step.moves) if (graph.has(key)) select(selected, key, step.operations);
  // A model of the other side alone asks for the whole of this one as well.
  const everywhere = step.changed.reduce(
    (all, changed) => (levelOf(changed) === 'DOMAIN_PAUSE' ? all | changed.operations : all),
    whole,
  );
  if (everywhere !== NO_OPERATIONS) {
    for (const key of graph.models.keys()) select(selected, key, everywhere);
  }
  return withConfiguration(graph, selected);
}

function compareEdges(left: ImpactEdge, right: ImpactEdge): number {
  return (
    compareCoverage(left.source.coverage, right.source.coverage) ||
    compareCoverage(left.target.coverage, right.target.coverage) ||
    compareNames(left.kind, right.kind)
  );
}
