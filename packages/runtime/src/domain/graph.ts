import type { ExecutionPlan } from '@nervix/model';
import type { BranchPresence } from '../branch/branch-presence.js';
import type { Timer } from '../clock/clock.js';
import { Deduplicator } from '../node/deduplicator.js';
import type { Cutover, DomainNode } from '../node/domain-node.js';
import { Emitter } from '../node/emitter.js';
import { Ingestor } from '../node/ingestor.js';
import { Junction } from '../node/junction.js';
import { type NodeContext, publisherOf } from '../node/node-context.js';
import type { HeldBody } from '../node/quiesce-buffer.js';
import { WindowProcessor } from '../node/window-processor.js';
import type { Relay } from '../relay/relay.js';
import { DomainRelays } from './domain-relays.js';
import type { EntityHold } from './entity-hold.js';
import { type AnyNode, GraphNodes, type PlannedNode } from './graph-nodes.js';
import { type AnyProcessor, NodeFactory } from './node-factory.js';
import { type NodePlan, nodeKey } from './node-plans.js';
import { exportedState, type NodeState, restoreState } from './node-state.js';
import { type PendingWork, pendingNodes, pendingWork } from './pending-work.js';
import { PlanIndex } from './plan-index.js';
import { PlanTopology } from './plan-topology.js';

/**
 * How often the sources of held rows are told that these are held on purpose: twice as often as
 * they may expect it, since the event loop may be late by as much.
 */
const KEEP_ALIVE_MS = 50;

/** State of nodes that outlives them, by `KIND name`. */
export type CarriedState = ReadonlyMap<string, NodeState>;

/** The running form of one execution plan. */
export class Graph {
  readonly relays: DomainRelays;
  readonly #context: NodeContext;
  #nodes: GraphNodes;
  #plan: ExecutionPlan;
  #failed: (error: unknown) => void = () => undefined;
  #keepAliveTimer: Timer | undefined;

  /** @throws RuntimeError when the plan does not hold together */
  constructor(
    context: NodeContext,
    plan: ExecutionPlan,
    presenceOf: (branch: string) => BranchPresence,
  ) {
    this.#plan = plan;
    this.#context = context;
    this.relays = new DomainRelays(context, plan, new PlanIndex(plan), presenceOf);
    this.#nodes = GraphNodes.built(plan, new NodeFactory(context, plan, this.relays));
  }

  get plan(): ExecutionPlan {
    return this.#plan;
  }

  get ingestors(): readonly Ingestor[] {
    return this.#nodes.ingestors;
  }

  get processors(): readonly AnyProcessor[] {
    return this.#nodes.processors;
  }

  get emitters(): readonly Emitter[] {
    return this.#nodes.emitters;
  }

  /** Every node, sources first. */
  get nodes(): readonly DomainNode[] {
    return this.#nodes.all;
  }

  /** Those of some nodes that run, by their keys, `KIND name`. */
  nodesAmong(keys: ReadonlySet<string>): readonly DomainNode[] {
    return this.#nodes.among(keys, this.#plan).map(({ node }) => node);
  }

  /** Those of some ingestors that run, by name. */
  ingestorsAmong(names: ReadonlySet<string>): readonly Ingestor[] {
    const keys = new Set([...names].map((name) => publisherOf({ kind: 'INGESTOR', name })));
    return this.#nodes
      .among(keys, this.#plan)
      .flatMap(({ node }) => (node instanceof Ingestor ? [node] : []));
  }

  /** Relays that some nodes read. */
  relaysReadBy(keys: ReadonlySet<string>): readonly Relay[] {
    const topology = PlanTopology.of(this.#plan);
    const names = new Set([...keys].flatMap((key) => topology.readBy(key)));
    return [...names].map((name) => this.relays.find(name).relay);
  }

  /**
   * Puts a plan in force that differs in what may change while everything runs. All of it is
   * prepared first, and then cut over at once.
   *
   * @param revised keys of the nodes that take an update
   */
  revise(plan: ExecutionPlan, revised: ReadonlySet<string>): void {
    const cutovers = this.#cutovers(plan, revised);
    this.#follow(plan);
    for (const cutover of cutovers) cutover();
  }

  /**
   * Replaces some nodes under a hold of theirs, and revises others. Whatever the replaced ones
   * would hold must have left.
   *
   * @returns bodies that replaced ingestors kept, by name; the new ones are not started
   * @throws RuntimeError when the plan does not hold together; the graph is as it was
   */
  swap(
    plan: ExecutionPlan,
    nodes: { readonly swapped: ReadonlySet<string>; readonly revised: ReadonlySet<string> },
    hold: EntityHold,
  ): ReadonlyMap<string, readonly HeldBody[]> {
    const { swapped } = nodes;
    const cutovers = this.#cutovers(plan, nodes.revised);
    const factory = new NodeFactory(this.#context, plan, this.relays);
    const next = this.#nodes.rebuilt(plan, swapped, factory);
    hold.freeze();
    const held = new Map<string, readonly HeldBody[]>();
    const replaced = this.#nodes.among(swapped, this.#plan);
    for (const { node } of replaced) {
      if (node instanceof Ingestor) held.set(node.name, node.takeHeld());
    }
    for (const { node } of replaced) node.close('the node was replaced');
    const carried = exportedStates(this.#plan, replaced);
    this.#nodes = next;
    this.#follow(plan);
    const successors = next.among(swapped, plan);
    restoreStates(plan, successors, carried);
    for (const { node } of successors) node.run().catch(this.#failed);
    for (const cutover of cutovers) cutover();
    // The sources that wait may be others than before.
    this.#armKeepAlive();
    return held;
  }

  /** What still holds rows that have to move, by name; empty when drained. */
  pending(): readonly string[] {
    const pending = [...pendingNodes(this.nodes)];
    for (const { relay } of this.relays.all()) {
      if (relay.depth + relay.waiting > 0) pending.push(`relay '${relay.name}'`);
    }
    return pending;
  }

  /** The same with how much it is, and the outcomes that sources wait for. */
  pendingWork(): PendingWork {
    const relays = [...this.relays.all()].map(({ relay }) => relay);
    return pendingWork({ nodes: this.nodes, relays, ingestors: this.ingestors });
  }

  /** Admitted rows that wait anywhere between a source and a sink. */
  heldRows(): number {
    let rows = 0;
    for (const node of this.nodes) rows += node.heldRows;
    for (const { relay } of this.relays.all()) rows += relay.heldRows;
    return rows;
  }

  /** Lets every node work. @param failed told when a node's own invariants broke */
  start(failed: (error: unknown) => void): void {
    this.#failed = failed;
    for (const node of this.nodes) node.run().catch(failed);
    this.#armKeepAlive();
  }

  /** Moves everything that is held back by time or size. */
  flush(): void {
    for (const node of this.nodes) node.flush();
  }

  /** Expires idle branches, but not of what a hold is about to hand over. */
  scanBranches(hold: EntityHold | null): void {
    const nowNanos = this.#context.time.nowNanos();
    this.relays.scanBranches(nowNanos, (relay) => hold?.closes(relay) === true);
    for (const node of this.nodes) {
      if (hold?.holds(publisherOf(node)) !== true) node.scanBranches(nowNanos);
    }
  }

  refreshMetrics(): void {
    for (const node of this.nodes) node.refreshMetrics();
  }

  /** Ends every node; what they hold is refused. */
  close(reason: string): void {
    this.#keepAliveTimer?.cancel();
    // Relays first: a batch must be refused, not passed over, when its last consumer goes.
    this.relays.close(reason);
    for (const node of this.nodes) node.close(reason);
    this.#context.time.end();
  }

  /** State that nodes with an unchanged plan take over. Read it after {@link Graph.close}. */
  exportState(): CarriedState {
    return exportedStates(this.#plan, this.#nodes.planned(this.#plan));
  }

  /** Takes over the state of nodes whose meaning did not change. */
  restore(carried: CarriedState): void {
    restoreStates(this.#plan, this.#nodes.planned(this.#plan), carried);
  }

  #follow(plan: ExecutionPlan): void {
    const { relays } = this.#plan;
    PlanTopology.carry(this.#plan, plan);
    this.#plan = plan;
    this.relays.setCapacities(relays, plan.relays);
  }

  #cutovers(plan: ExecutionPlan, revised: ReadonlySet<string>): readonly Cutover[] {
    return this.#nodes
      .among(revised, plan)
      .flatMap(({ node, plan: next }) => revisionOf(node, next) ?? []);
  }

  #armKeepAlive(): void {
    this.#keepAliveTimer?.cancel();
    this.#keepAliveTimer = undefined;
    if (this.#plan.ingestors.every(({ ackWindow }) => ackWindow === null)) return;
    this.#keepAliveTimer = this.#context.clock.after(KEEP_ALIVE_MS, () => {
      for (const node of this.nodes) node.keepAlive();
      this.relays.keepAlive();
      this.#armKeepAlive();
    });
  }
}

function revisionOf(node: AnyNode, plan: NodePlan): Cutover | undefined {
  if (node instanceof Junction && plan.kind === 'junction') return node.revise(plan);
  if (node instanceof Deduplicator && plan.kind === 'deduplicator') return node.revise(plan);
  if (node instanceof WindowProcessor && plan.kind === 'window_processor') return node.revise(plan);
  return node instanceof Emitter && plan.kind === 'emitter' ? node.revise(plan) : undefined;
}

function exportedStates(plan: ExecutionPlan, nodes: readonly PlannedNode[]): CarriedState {
  const index = new PlanIndex(plan);
  const carried = new Map<string, NodeState>();
  for (const { node, plan: own } of nodes) {
    const state = exportedState(index, own, node);
    if (state !== undefined) carried.set(nodeKey(own), state);
  }
  return carried;
}

function restoreStates(
  plan: ExecutionPlan,
  nodes: readonly PlannedNode[],
  carried: CarriedState,
): void {
  const index = new PlanIndex(plan);
  for (const { node, plan: own } of nodes)
    restoreState(index, own, node, carried.get(nodeKey(own)));
}
