import type { QuiesceLevel } from '../../quiesce-level.js';
import type { Attributions } from '../operation-set.js';
import { NO_PAUSE, type Pause } from '../report.js';
import { inputRelays } from './activation-delta.js';
import { compareCoverage, coveragesOf } from './canonical-order.js';
import type { ImpactGraph } from './impact-graph.js';
import { changedAt, executablesIn, type ModelStep } from './model-change.js';
import { downstreamOf, type Selection, select, upstreamOf } from './selection.js';

/** What a step pauses in a running domain. */
export interface PausePlan {
  readonly pause: Pause;
  /** Relays that are closed because of model changes, sorted. */
  readonly modelGate: readonly string[];
  /** Relays that are closed because owners move, sorted. */
  readonly ownershipGate: readonly string[];
}

/** Plans the pause of a step of model changes whose level is known. */
export function pausePlan(
  step: ModelStep,
  level: QuiesceLevel,
  attributions: Attributions,
): PausePlan {
  const { domain } = step;
  const none = { modelGate: [], ownershipGate: [] };
  if (!step.isRunning || level === 'DYNAMIC') return { pause: NO_PAUSE, ...none };
  if (level === 'DOMAIN_PAUSE') return { pause: { kind: 'DOMAIN', domain }, ...none };
  const changed = changedAt(step, 'ENTITY_PAUSE');
  const sides = [step.before, step.after] as const;
  const affected = sides.map((graph) => downstreamOf(graph, present(graph, changed)));
  const moving = movingNodes(step);
  const moved = sides.map((graph) => betweenMoved(graph, present(graph, moving)));
  const modelGate: Selection = new Map();
  const ownershipGate: Selection = new Map();
  for (const [index, graph] of sides.entries()) {
    const nodes = affected[index] ?? new Map();
    const gatesItself = (key: string) => changed.has(key);
    gate(step, { graph, affected: nodes, gatesItself }, modelGate);
    const between = moved[index] ?? new Map();
    gate(step, { graph, affected: between, gatesItself: () => true }, ownershipGate);
  }
  const nodes = sides.flatMap((graph, index) => [
    ...executablesIn(graph, affected[index] ?? new Map()),
    ...executablesIn(graph, moved[index] ?? new Map()),
  ]);
  const boundaries = merged(modelGate, ownershipGate);
  const scope = {
    domain,
    nodes: coveragesOf(nodes, attributions).map(({ coverage, attribution }) => ({
      coverage,
      attribution,
    })),
    gate_boundaries: coveragesOf(gateNodes(step, boundaries), attributions).flatMap(
      ({ coverage: { node, branches }, attribution }) =>
        branches === null ? [] : [{ boundary: { relay: node.identifier, branches }, attribution }],
    ),
  };
  return {
    pause: { kind: 'SUBGRAPH', scope },
    modelGate: relayNames(modelGate),
    ownershipGate: relayNames(ownershipGate),
  };
}

/** The level that a pause stands for. */
export function pauseLevel({ kind }: Pause): QuiesceLevel {
  if (kind === 'NO_PAUSE') return 'DYNAMIC';
  return kind === 'DOMAIN' ? 'DOMAIN_PAUSE' : 'ENTITY_PAUSE';
}

/** Everything that several pauses hold: a domain absorbs parts of it, and equal parts join. */
export function combinedPause(pauses: readonly Pause[]): Pause {
  const domain = pauses.find(({ kind }) => kind === 'DOMAIN');
  if (domain !== undefined) return domain;
  const scopes = pauses.flatMap((pause) => (pause.kind === 'SUBGRAPH' ? [pause.scope] : []));
  const [first] = scopes;
  if (first === undefined) return NO_PAUSE;
  const nodes = joined(
    scopes.flatMap((scope) => scope.nodes),
    ({ coverage }) => JSON.stringify(coverage),
    (left, right) => compareCoverage(left.coverage, right.coverage),
  );
  const gates = joined(
    scopes.flatMap((scope) => scope.gate_boundaries),
    ({ boundary }) => JSON.stringify(boundary),
    (left, right) => compareCoverage(gateCoverage(left), gateCoverage(right)),
  );
  return {
    kind: 'SUBGRAPH',
    scope: { domain: first.domain, nodes, gate_boundaries: gates },
  };
}

type Gate = Extract<Pause, { kind: 'SUBGRAPH' }>['scope']['gate_boundaries'][number];

function gateCoverage({ boundary: { relay, branches } }: Gate) {
  return { node: { kind: 'relay', identifier: relay }, branches };
}

function joined<Item extends { readonly attribution: readonly number[] }>(
  items: readonly Item[],
  identityOf: (item: Item) => string,
  compare: (left: Item, right: Item) => number,
): readonly Item[] {
  const found = new Map<string, Item>();
  for (const item of items) {
    const identity = identityOf(item);
    const before = found.get(identity);
    const numbers = new Set([...(before?.attribution ?? []), ...item.attribution]);
    const attribution = [...numbers].sort((left, right) => left - right);
    found.set(identity, { ...item, attribution });
  }
  return [...found.values()].sort(compare);
}

function present(graph: ImpactGraph, selection: Selection): Selection {
  return new Map([...selection].filter(([key]) => graph.has(key)));
}

function movingNodes({ moves, groupMembers, operations }: ModelStep): Selection {
  const moving: Selection = new Map();
  for (const { key } of moves) select(moving, key, operations);
  if (moves.length > 0) for (const key of groupMembers) select(moving, key, operations);
  return moving;
}

/** What moves and what lies on a walk between two nodes that move. */
function betweenMoved(graph: ImpactGraph, moving: Selection): Selection {
  const upstream = upstreamOf(graph, moving);
  return new Map([...downstreamOf(graph, moving)].filter(([key]) => upstream.has(key)));
}

/** One side of a step, and which nodes of it are held. */
interface HeldSide {
  readonly graph: ImpactGraph;
  readonly affected: Selection;
  /** Whether a relay is closed for being affected, and not only for what reads it. */
  readonly gatesItself: (relay: string) => boolean;
}

/**
 * Adds the relays to close: those that affected nodes read, and those that gate themselves, unless
 * all who publish into one are affected too and empty into it.
 */
function gate(step: ModelStep, { graph, affected, gatesItself }: HeldSide, gates: Selection): void {
  for (const [node, operations] of executablesIn(graph, affected)) {
    const relays =
      node.model.kind === 'relay'
        ? [node.key].filter(gatesItself)
        : inputRelays(node.model).map((name) => `relay/${name}`);
    for (const relay of relays) {
      const producers = producersOf(graph, relay);
      const isInner = producers.length > 0 && producers.every((key) => affected.has(key));
      const isScheduled = step.scheduledRelays?.has(relay) ?? step.before.has(relay);
      if (!isInner && isScheduled) select(gates, relay, operations);
    }
  }
}

function producersOf(graph: ImpactGraph, relay: string): readonly string[] {
  return graph
    .incoming(relay)
    .flatMap(({ source, kind }) => (kind === 'CONFIGURATION_DEPENDENCY' ? [] : [source.key]));
}

function merged(...selections: readonly Selection[]): Selection {
  const all: Selection = new Map();
  for (const selection of selections) {
    for (const [key, operations] of selection) select(all, key, operations);
  }
  return all;
}

function gateNodes({ before, after }: ModelStep, gates: Selection) {
  return [...gates].flatMap(([key, operations]) => {
    const node = before.node(key) ?? after.node(key);
    return node === undefined ? [] : [[node, operations] as const];
  });
}

function relayNames(gates: Selection): readonly string[] {
  return [...gates.keys()].map((key) => key.slice('relay/'.length)).sort();
}
