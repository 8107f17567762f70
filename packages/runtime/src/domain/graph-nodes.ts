import type { ExecutionPlan } from '@nervix/model';
import type { Emitter } from '../node/emitter.js';
import type { Ingestor } from '../node/ingestor.js';
import { publisherOf } from '../node/node-context.js';
import type { AnyProcessor, NodeFactory } from './node-factory.js';
import type { NodePlan } from './node-plans.js';

export type AnyNode = Ingestor | AnyProcessor | Emitter;

/** A node with the plan that it runs, or is to run. */
export interface PlannedNode {
  readonly node: AnyNode;
  readonly plan: NodePlan;
}

/** The nodes of a running graph, in the order of its plan and by their keys, `KIND name`. */
export class GraphNodes {
  readonly ingestors: readonly Ingestor[];
  readonly processors: readonly AnyProcessor[];
  readonly emitters: readonly Emitter[];
  /** Every node, sources first. */
  readonly all: readonly AnyNode[];
  readonly #places: ReadonlyMap<string, number>;

  private constructor(
    lists: Pick<GraphNodes, 'ingestors' | 'processors' | 'emitters'>,
    places?: ReadonlyMap<string, number>,
  ) {
    const { ingestors, processors, emitters } = lists;
    this.ingestors = ingestors;
    this.processors = processors;
    this.emitters = emitters;
    this.all = [...ingestors, ...processors, ...emitters];
    this.#places = places ?? new Map(this.all.map((node, place) => [publisherOf(node), place]));
  }

  /** @throws RuntimeError when the plan does not hold together */
  static built(plan: ExecutionPlan, factory: NodeFactory): GraphNodes {
    return new GraphNodes({
      ingestors: plan.ingestors.map((each) => factory.ingestor(each)),
      processors: plan.processors.map((each) => factory.processor(each)),
      emitters: plan.emitters.map((each) => factory.emitter(each)),
    });
  }

  /** The nodes with some of them built anew from a plan that has the same. */
  rebuilt(plan: ExecutionPlan, keys: ReadonlySet<string>, factory: NodeFactory): GraphNodes {
    const ingestors = [...this.ingestors];
    const processors = [...this.processors];
    const emitters = [...this.emitters];
    for (const [place, each] of this.#plansAmong(plan, keys)) {
      const processorPlace = place - ingestors.length;
      if (each.kind === 'ingestor') ingestors[place] = factory.ingestor(each);
      else if (each.kind === 'emitter') {
        emitters[processorPlace - processors.length] = factory.emitter(each);
      } else processors[processorPlace] = factory.processor(each);
    }
    return new GraphNodes({ ingestors, processors, emitters }, this.#places);
  }

  /** Every node with its part of a plan that has the same. */
  planned(plan: ExecutionPlan): readonly PlannedNode[] {
    return this.all.map((node, place) => ({ node, plan: planAt(plan, place) }));
  }

  /** Those of some nodes that there are, in order, with their parts of a plan that has the same. */
  among(keys: ReadonlySet<string>, plan: ExecutionPlan): readonly PlannedNode[] {
    return this.#plansAmong(plan, keys).map(([place, each]) => ({
      node: this.all[place] as AnyNode,
      plan: each,
    }));
  }

  #plansAmong(
    plan: ExecutionPlan,
    keys: ReadonlySet<string>,
  ): readonly (readonly [number, NodePlan])[] {
    return [...keys]
      .flatMap((key) => this.#places.get(key) ?? [])
      .sort((left, right) => left - right)
      .map((place) => [place, planAt(plan, place)] as const);
  }
}

function planAt({ ingestors, processors, emitters }: ExecutionPlan, place: number): NodePlan {
  const inProcessors = place - ingestors.length;
  const plan =
    ingestors[place] ?? processors[inProcessors] ?? emitters[inProcessors - processors.length];
  return plan as NodePlan;
}
