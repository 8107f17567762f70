import type { Graph } from './graph.js';
import type { HoldScope } from './hold-scope.js';

/**
 * A hold of part of a running graph, until its replaced nodes have successors. Ingestors that are
 * replaced stop intake by their quiesce modes; gates keep everybody else out of what lies
 * downstream, while that part empties. The rest of the domain goes on.
 */
export class EntityHold {
  readonly #graph: Graph;
  readonly #scope: HoldScope;
  #areGatesClosed = false;

  constructor(graph: Graph, scope: HoldScope) {
    this.#graph = graph;
    this.#scope = scope;
  }

  /** Stops intake of the replaced ingestors. Their roots end before the gates close. */
  suspend(): void {
    for (const ingestor of this.#ingestors()) ingestor.hold('entity hold');
  }

  /** Whether all that a change of that scope needs is held. */
  covers({ entities, ingestors, gates }: HoldScope): boolean {
    const own = this.#scope;
    return (
      isPart(entities, own.entities) && isPart(ingestors, own.ingestors) && isPart(gates, own.gates)
    );
  }

  closeGates(): void {
    if (this.#areGatesClosed) return;
    this.#areGatesClosed = true;
    for (const relay of this.#relays()) relay.closeGate(this.#scope.entities);
  }

  /** Keeps the held nodes out as well; what is left of it is the replacement. */
  freeze(): void {
    for (const relay of this.#relays()) relay.freezeGate();
  }

  /** Ends the hold: publishers that waited go on. */
  openGates(): void {
    if (!this.#areGatesClosed) return;
    this.#areGatesClosed = false;
    for (const relay of this.#relays()) relay.openGate();
  }

  /** Gives the hold up: everything goes on as before. */
  release(): void {
    this.openGates();
    for (const ingestor of this.#ingestors()) ingestor.resume('entity hold');
  }

  /** Moves what the held nodes hold back by time or size. */
  flush(): void {
    for (const node of this.#graph.nodesAmong(this.#scope.entities)) node.flush();
  }

  /** Whether a node is held. @param key `KIND name` */
  holds(key: string): boolean {
    return this.#scope.entities.has(key);
  }

  /** Whether a relay is closed. */
  closes(relay: string): boolean {
    return this.#areGatesClosed && this.#scope.gates.has(relay);
  }

  /** Replaced ingestors that have given rows out whose outcome is still open. */
  pendingRoots(): readonly string[] {
    return this.#ingestors().flatMap((ingestor) => {
      const { isIdle, openRoots, name } = ingestor;
      return isIdle && openRoots === 0 ? [] : [`ingestor '${name}'`];
    });
  }

  /** What still has to move before the replacement, by name. */
  pending(): readonly string[] {
    const { entities } = this.#scope;
    const nodes = this.#graph.pendingNodes(entities);
    const relays = new Set([...this.#graph.relaysReadBy(entities), ...this.#relays()]);
    const full = [...relays].filter(({ isDrained }) => !isDrained);
    return [...nodes, ...full.map(({ name }) => `relay '${name}'`)];
  }

  #ingestors() {
    return this.#graph.ingestors.filter(({ name }) => this.#scope.ingestors.has(name));
  }

  #relays() {
    return [...this.#scope.gates].map((name) => this.#graph.relays.find(name).relay);
  }
}

function isPart(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  return [...part].every((name) => whole.has(name));
}
