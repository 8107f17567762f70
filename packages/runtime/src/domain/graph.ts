import {
  type EmitterPlan,
  type ExecutionPlan,
  equalData,
  type IngestorPlan,
  type ProcessorPlan,
} from '@nervix/model';
import type { BranchPresence } from '../branch/branch-presence.js';
import { compileDecoder, compileEncoder } from '../codec/compile-codec.js';
import { HttpSink } from '../connector/http/http-sink.js';
import { runtimeError } from '../errors.js';
import { Deduplicator } from '../node/deduplicator.js';
import type { DomainNode } from '../node/domain-node.js';
import { Emitter } from '../node/emitter.js';
import { Ingestor } from '../node/ingestor.js';
import { Junction } from '../node/junction.js';
import type { NodeContext } from '../node/node-context.js';
import { WindowProcessor } from '../node/window-processor.js';
import { branchSettings, DomainRelays } from './domain-relays.js';
import { withoutSpans } from './executable-parts.js';
import { PlanIndex } from './plan-index.js';

type AnyProcessor = Junction | Deduplicator | WindowProcessor;
type AnyProcessorPlan = ExecutionPlan['processors'][number];

/** State of nodes that outlives them, by kind and name, with the plan it belongs to. */
export type CarriedState = ReadonlyMap<string, { readonly plan: unknown; readonly state: unknown }>;

/** The running form of one execution plan. */
export class Graph {
  readonly relays: DomainRelays;
  readonly ingestors: readonly Ingestor[];
  readonly emitters: readonly Emitter[];
  readonly processors: readonly AnyProcessor[];
  readonly #context: NodeContext;
  readonly #index: PlanIndex;
  #plan: ExecutionPlan;

  /** @throws RuntimeError when the plan does not hold together */
  constructor(
    context: NodeContext,
    plan: ExecutionPlan,
    presenceOf: (branch: string) => BranchPresence,
  ) {
    this.#plan = plan;
    this.#context = context;
    this.#index = new PlanIndex(plan);
    this.relays = new DomainRelays(context, plan, this.#index, presenceOf);
    this.ingestors = plan.ingestors.map((ingestor) => this.#ingestor(ingestor));
    this.processors = plan.processors.map((processor) => this.#processor(processor));
    this.emitters = plan.emitters.map((emitter) => this.#emitter(emitter));
  }

  get plan(): ExecutionPlan {
    return this.#plan;
  }

  /** Takes the place of a plan that runs the same graph. */
  adopt(plan: ExecutionPlan): void {
    this.#plan = plan;
  }

  /** Every node, sources first. */
  get nodes(): readonly DomainNode[] {
    return [...this.ingestors, ...this.processors, ...this.emitters];
  }

  /** What still holds rows that have to move, by name; empty when drained. */
  pending(): readonly string[] {
    const pending: string[] = [];
    for (const node of this.nodes) {
      if (!node.isIdle) pending.push(`${node.kind.toLowerCase().replace('_', ' ')} '${node.name}'`);
    }
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
    for (const node of this.nodes) node.run().catch(failed);
  }

  /** Moves everything that is held back by time or size. */
  flush(): void {
    for (const node of this.nodes) node.flush();
  }

  scanBranches(nowNanos: bigint): void {
    this.relays.scanBranches(nowNanos);
    for (const node of this.nodes) node.scanBranches(nowNanos);
  }

  refreshMetrics(): void {
    for (const node of this.nodes) node.refreshMetrics();
  }

  /** Ends every node; what they hold is refused. */
  close(reason: string): void {
    // Relays first: a batch must be refused, not passed over, when its last consumer goes.
    this.relays.close(reason);
    for (const node of this.nodes) node.close(reason);
  }

  /** State that nodes with an unchanged plan take over. Read it after {@link Graph.close}. */
  exportState(): CarriedState {
    const carried = new Map<string, { readonly plan: unknown; readonly state: unknown }>();
    this.plan.processors.forEach((plan, position) => {
      const processor = this.processors[position];
      if (processor instanceof Deduplicator || processor instanceof WindowProcessor) {
        carried.set(`${plan.kind} ${plan.name}`, {
          plan: stateIdentity(plan),
          state: processor.exportState(),
        });
      }
    });
    return carried;
  }

  /** Takes over the state of nodes whose meaning did not change. */
  restore(carried: CarriedState): void {
    this.plan.processors.forEach((plan, position) => {
      const processor = this.processors[position];
      const held = carried.get(`${plan.kind} ${plan.name}`);
      if (held === undefined || !equalData(held.plan, stateIdentity(plan))) return;
      if (processor instanceof Deduplicator) {
        processor.restore(held.state as ReturnType<Deduplicator['exportState']>);
      } else if (processor instanceof WindowProcessor) {
        processor.restore(held.state as ReturnType<WindowProcessor['exportState']>);
      }
    });
  }

  #ingestor(plan: IngestorPlan): Ingestor {
    const schema = this.#index.schema(plan.schema);
    if (!this.plan.endpoints.some((endpoint) => endpoint.name === plan.endpoint)) {
      throw this.#invalid(`endpoint '${plan.endpoint}' is missing`);
    }
    return new Ingestor({
      context: this.#context,
      plan,
      relays: (name) => this.relays.find(name),
      schema,
      decoder: compileDecoder(this.#index.codec(plan.codec), schema, this.#context.clock),
      branches: plan.routes.map((route) =>
        branchSettings(this.#index, route.branch?.branch ?? null),
      ),
    });
  }

  #processor(plan: AnyProcessorPlan): AnyProcessor {
    const common = this.#processorOptions(plan);
    switch (plan.kind) {
      case 'junction':
        return new Junction({ ...common, plan });
      case 'deduplicator':
        return new Deduplicator({ ...common, plan });
      case 'window_processor':
        return new WindowProcessor({ ...common, plan });
    }
  }

  #processorOptions(plan: ProcessorPlan) {
    return {
      context: this.#context,
      relays: (name: string) => this.relays.find(name),
      inputSchema: this.#index.schema(plan.inputSchema),
      branch: branchSettings(this.#index, plan.branch),
    };
  }

  #emitter(plan: EmitterPlan): Emitter {
    const client = this.#index.client(plan.sink.client);
    const outputSchema = plan.outputSchema === null ? null : this.#index.schema(plan.outputSchema);
    const encoder =
      plan.sink.codec === null || outputSchema === null
        ? null
        : compileEncoder(this.#index.codec(plan.sink.codec), outputSchema);
    return new Emitter({
      context: this.#context,
      plan,
      relays: (name) => this.relays.find(name),
      inputSchema: this.#index.schema(plan.inputSchema),
      outputSchema,
      encoder,
      sink: new HttpSink(client, this.#context.clock),
    });
  }

  #invalid(problem: string): Error {
    return runtimeError('RUNTIME_INVALID_PLAN', { domain: this.plan.domain, problem });
  }
}

/** The parts of a plan that give a node's state its meaning, without places in any text. */
function stateIdentity(plan: AnyProcessorPlan): unknown {
  const { inputSchema, branch } = plan;
  const parts =
    plan.kind === 'deduplicator'
      ? { inputSchema, branch, keys: plan.keys }
      : plan.kind === 'window_processor'
        ? {
            inputSchema,
            branch,
            width: plan.width,
            step: plan.step,
            routes: plan.routes.map((route) => route.aggregates),
          }
        : { inputSchema, branch };
  return withoutSpans(parts);
}
