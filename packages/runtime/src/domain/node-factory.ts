import type { EmitterPlan, ExecutionPlan, IngestorPlan, ProcessorPlan } from '@nervix/model';
import { compileDecoder, compileEncoder } from '../codec/compile-codec.js';
import { HttpSink } from '../connector/http/http-sink.js';
import { Deduplicator } from '../node/deduplicator.js';
import { Emitter } from '../node/emitter.js';
import { Ingestor } from '../node/ingestor.js';
import { Junction } from '../node/junction.js';
import type { NodeContext } from '../node/node-context.js';
import { WindowProcessor } from '../node/window-processor.js';
import { branchSettings, type DomainRelays } from './domain-relays.js';
import { PlanIndex } from './plan-index.js';

/** A processor of any kind. */
export type AnyProcessor = Junction | Deduplicator | WindowProcessor;
type AnyProcessorPlan = ExecutionPlan['processors'][number];

/** Builds the nodes of one plan over relays that exist. */
export class NodeFactory {
  readonly #context: NodeContext;
  readonly #index: PlanIndex;
  readonly #relays: DomainRelays;

  constructor(context: NodeContext, plan: ExecutionPlan, relays: DomainRelays) {
    this.#context = context;
    this.#index = new PlanIndex(plan);
    this.#relays = relays;
  }

  /** @throws RuntimeError when the plan does not hold together */
  ingestor(plan: IngestorPlan): Ingestor {
    const schema = this.#index.schema(plan.schema);
    // Nothing of it is needed here, but that it is there.
    this.#index.endpoint(plan.endpoint);
    return new Ingestor({
      context: this.#context,
      plan,
      relays: (name) => this.#relays.find(name),
      schema,
      decoder: compileDecoder(this.#index.codec(plan.codec), schema, this.#context.clock),
      branches: plan.routes.map((route) =>
        branchSettings(this.#index, route.branch?.branch ?? null),
      ),
    });
  }

  /** @throws RuntimeError when the plan does not hold together */
  processor(plan: AnyProcessorPlan): AnyProcessor {
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

  /** @throws RuntimeError when the plan does not hold together */
  emitter(plan: EmitterPlan): Emitter {
    const client = this.#index.client(plan.sink.client);
    const outputSchema = plan.outputSchema === null ? null : this.#index.schema(plan.outputSchema);
    const encoder =
      plan.sink.codec === null || outputSchema === null
        ? null
        : compileEncoder(this.#index.codec(plan.sink.codec), outputSchema);
    return new Emitter({
      context: this.#context,
      plan,
      relays: (name) => this.#relays.find(name),
      inputSchema: this.#index.schema(plan.inputSchema),
      outputSchema,
      encoder,
      sink: new HttpSink(client, this.#context.clock, this.#context.secrets),
    });
  }

  #processorOptions(plan: ProcessorPlan) {
    return {
      context: this.#context,
      relays: (name: string) => this.#relays.find(name),
      inputSchema: this.#index.schema(plan.inputSchema),
      branch: branchSettings(this.#index, plan.branch),
    };
  }
}
