import type { ExecutionPlan } from '@nervix/model';
import type { BranchPresence } from '../branch/branch-presence.js';
import type { Timer } from '../clock/clock.js';
import { Deduplicator } from '../node/deduplicator.js';
import type { Cutover, DomainNode } from '../node/domain-node.js';
import type { Emitter } from '../node/emitter.js';
import type { Ingestor } from '../node/ingestor.js';
import { Junction } from '../node/junction.js';
import { type NodeContext, publisherOf } from '../node/node-context.js';
import type { HeldBody } from '../node/quiesce-buffer.js';
import { WindowProcessor } from '../node/window-processor.js';
import type { Relay } from '../relay/relay.js';
import { DomainRelays } from './domain-relays.js';
import type { EntityHold } from './entity-hold.js';
import { nodeKey } from './execution-delta.js';
import { type AnyProcessor, NodeFactory } from './node-factory.js';
import { exportedState, type NodeState, restoreState } from './node-state.js';
import { pendingNodes } from './pending-nodes.js';
import { PlanIndex } from './plan-index.js';

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
  #ingestors: readonly Ingestor[];
  #processors: readonly AnyProcessor[];
  #emitters: readonly Emitter[];
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
    const factory = new NodeFactory(context, plan, this.relays);
    this.#ingestors = plan.ingestors.map((ingestor) => factory.ingestor(ingestor));
    this.#processors = plan.processors.map((processor) => factory.processor(processor));
    this.#emitters = plan.emitters.map((emitter) => factory.emitter(emitter));
  }

  get plan(): ExecutionPlan {
    return this.#plan;
  }

  get ingestors(): readonly Ingestor[] {
    return this.#ingestors;
  }

  get processors(): readonly AnyProcessor[] {
    return this.#processors;
  }

  get emitters(): readonly Emitter[] {
    return this.#emitters;
  }

  /** Every node, sources first. */
  get nodes(): readonly DomainNode[] {
    return [...this.#ingestors, ...this.#processors, ...this.#emitters];
  }

  /** Nodes by their keys, `KIND name`. */
  nodesAmong(keys: ReadonlySet<string>): readonly DomainNode[] {
    return this.nodes.filter((node) => keys.has(publisherOf(node)));
  }

  /** Relays that some nodes read. */
  relaysReadBy(keys: ReadonlySet<string>): readonly Relay[] {
    const names = new Set<string>();
    for (const plan of [...this.#plan.processors, ...this.#plan.emitters]) {
      if (keys.has(nodeKey(plan))) for (const { relay } of plan.inputs) names.add(relay);
    }
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
    this.#plan = plan;
    for (const cutover of cutovers) cutover();
    this.relays.setCapacities(plan.relays);
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
    const built = <P extends Parameters<typeof nodeKey>[0], N>(
      plans: readonly P[],
      old: readonly N[],
      build: (plan: P) => N,
    ): readonly N[] =>
      plans.map((each, at) => (swapped.has(nodeKey(each)) ? build(each) : (old[at] as N)));
    const ingestors = built(plan.ingestors, this.#ingestors, (each) => factory.ingestor(each));
    const processors = built(plan.processors, this.#processors, (each) => factory.processor(each));
    const emitters = built(plan.emitters, this.#emitters, (each) => factory.emitter(each));
    hold.freeze();
    const held = new Map<string, readonly HeldBody[]>();
    const replaced = this.nodesAmong(swapped);
    for (const ingestor of this.#ingestors) {
      if (replaced.includes(ingestor)) held.set(ingestor.name, ingestor.takeHeld());
    }
    for (const node of replaced) node.close('the node was replaced');
    const carried = this.#exported(swapped);
    this.#plan = plan;
    [this.#ingestors, this.#processors, this.#emitters] = [ingestors, processors, emitters];
    const successors = this.nodesAmong(swapped);
    this.#restore(carried, swapped);
    for (const node of successors) node.run().catch(this.#failed);
    for (const cutover of cutovers) cutover();
    this.relays.setCapacities(plan.relays);
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
    return this.#exported(null);
  }

  #exported(among: ReadonlySet<string> | null): CarriedState {
    const carried = new Map<string, NodeState>();
    const index = new PlanIndex(this.plan);
    this.plan.processors.forEach((plan, position) => {
      const processor = this.#processors[position];
      if (among?.has(nodeKey(plan)) === false) return;
      const state = processor === undefined ? undefined : exportedState(index, plan, processor);
      if (state !== undefined) carried.set(nodeKey(plan), state);
    });
    return carried;
  }

  /** Takes over the state of nodes whose meaning did not change. */
  restore(carried: CarriedState): void {
    this.#restore(carried, null);
  }

  #restore(carried: CarriedState, among: ReadonlySet<string> | null): void {
    const index = new PlanIndex(this.plan);
    this.plan.processors.forEach((plan, position) => {
      const processor = this.#processors[position];
      const key = nodeKey(plan);
      if (processor === undefined || among?.has(key) === false) return;
      restoreState(index, plan, processor, carried.get(key));
    });
  }

  #cutovers(plan: ExecutionPlan, revised: ReadonlySet<string>): readonly Cutover[] {
    const prepare = <P extends Parameters<typeof nodeKey>[0]>(
      plans: readonly P[],
      cutover: (plan: P, at: number) => Cutover | undefined,
    ): readonly Cutover[] =>
      plans.flatMap((each, at) => {
        return revised.has(nodeKey(each)) ? (cutover(each, at) ?? []) : [];
      });
    return [
      ...prepare(plan.processors, (each, at) => reviseProcessor(this.#processors[at], each)),
      ...prepare(plan.emitters, (each, at) => this.#emitters[at]?.revise(each)),
    ];
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

function reviseProcessor(
  processor: AnyProcessor | undefined,
  plan: ExecutionPlan['processors'][number],
): Cutover | undefined {
  if (processor instanceof Junction && plan.kind === 'junction') return processor.revise(plan);
  if (processor instanceof Deduplicator && plan.kind === 'deduplicator') {
    return processor.revise(plan);
  }
  if (processor instanceof WindowProcessor && plan.kind === 'window_processor') {
    return processor.revise(plan);
  }
  return undefined;
}
