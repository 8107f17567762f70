import { type ExecutionPlan, equalData } from '@nervix/model';
import { type NodePlan, nodeKey, nodePlans } from './node-plans.js';
import { readRelays, writtenRelays } from './relay-uses.js';

/** Keys of the nodes around a relay. */
export interface RelayUse {
  readonly readers: ReadonlySet<string>;
  readonly writers: ReadonlySet<string>;
}

/** Relays around a node. */
interface NodeUse {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

const NO_USE: NodeUse = { reads: [], writes: [] };
const UNUSED: RelayUse = { readers: new Set(), writers: new Set() };

/** Topologies by the plans that they are of, which are never changed in place. */
const known = new WeakMap<ExecutionPlan, PlanTopology>();

/** Who reads and who writes which relay of a plan; never changed. */
export class PlanTopology {
  readonly #nodes: ReadonlyMap<string, NodeUse>;
  readonly #relays: ReadonlyMap<string, RelayUse>;

  private constructor(nodes: ReadonlyMap<string, NodeUse>, relays: ReadonlyMap<string, RelayUse>) {
    this.#nodes = nodes;
    this.#relays = relays;
  }

  /** @param near a plan of which most nodes are the very same */
  static of(plan: ExecutionPlan, near?: ExecutionPlan): PlanTopology {
    const found = known.get(plan);
    if (found !== undefined) return found;
    const base = near === undefined ? undefined : known.get(near);
    const changed = near === undefined ? undefined : changedNodes(near, plan);
    const topology =
      base === undefined || changed === undefined
        ? new PlanTopology(new Map(), new Map()).#with(nodePlans(plan))
        : base.#with(changed);
    known.set(plan, topology);
    return topology;
  }

  /** Makes known of a plan what is known of one that it follows, if anything is. */
  static carry(from: ExecutionPlan, to: ExecutionPlan): void {
    if (known.has(from)) PlanTopology.of(to, from);
  }

  /** @param key `KIND name` */
  has(key: string): boolean {
    return this.#nodes.has(key);
  }

  /** Relays that a node reads. @param key `KIND name` */
  readBy(key: string): readonly string[] {
    return (this.#nodes.get(key) ?? NO_USE).reads;
  }

  /** Relays that a node writes, errors included. @param key `KIND name` */
  writtenBy(key: string): readonly string[] {
    return (this.#nodes.get(key) ?? NO_USE).writes;
  }

  useOf(relay: string): RelayUse {
    return this.#relays.get(relay) ?? UNUSED;
  }

  /** The topology in which some nodes are others; the same one where they use the same relays. */
  #with(others: readonly NodePlan[]): PlanTopology {
    const uses = others
      .map((node) => [nodeKey(node), useOf(node)] as const)
      .filter(([key, use]) => !equalData(this.#nodes.get(key), use));
    if (uses.length === 0) return this;
    const relays = new Map<
      string,
      { readonly readers: Set<string>; readonly writers: Set<string> }
    >();
    const ownUse = (relay: string) => {
      const { readers, writers } = this.useOf(relay);
      const own = relays.get(relay) ?? { readers: new Set(readers), writers: new Set(writers) };
      relays.set(relay, own);
      return own;
    };
    for (const [key, { reads, writes }] of uses) {
      for (const relay of this.readBy(key)) ownUse(relay).readers.delete(key);
      for (const relay of this.writtenBy(key)) ownUse(relay).writers.delete(key);
      for (const relay of reads) ownUse(relay).readers.add(key);
      for (const relay of writes) ownUse(relay).writers.add(key);
    }
    return new PlanTopology(
      new Map([...this.#nodes, ...uses]),
      new Map([...this.#relays, ...relays]),
    );
  }
}

function useOf(node: NodePlan): NodeUse {
  return { reads: [...readRelays(node)], writes: [...writtenRelays(node)] };
}

/** Nodes of a plan that are others than in one before it; undefined where they are not the same. */
function changedNodes(
  before: ExecutionPlan,
  after: ExecutionPlan,
): readonly NodePlan[] | undefined {
  const changed: NodePlan[] = [];
  const isAligned = (old: readonly NodePlan[], nodes: readonly NodePlan[]): boolean =>
    old === nodes ||
    (old.length === nodes.length &&
      nodes.every((node, place) => {
        const former = old[place];
        if (former !== node) changed.push(node);
        return former === node || (former?.kind === node.kind && former.name === node.name);
      }));
  const areAligned =
    isAligned(before.ingestors, after.ingestors) &&
    isAligned(before.processors, after.processors) &&
    isAligned(before.emitters, after.emitters);
  return areAligned ? changed : undefined;
}
