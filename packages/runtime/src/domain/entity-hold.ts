import type { DomainNode } from '../node/domain-node.js';
import type { Relay } from '../relay/relay.js';
import type { Graph } from './graph.js';
import type { HoldScope } from './hold-scope.js';
import { pendingNodes } from './pending-nodes.js';

/**
 * A hold of part of a running graph, until its replaced nodes have successors. Ingestors that are
 * replaced stop intake by their quiesce modes; gates keep everybody else out of what lies
 * downstream, while that part empties. The rest of the domain goes on.
 */
export class EntityHold {
  readonly #graph: Graph;
  readonly #scope: HoldScope;
  /** The held nodes as they run until the replacement, for a drain that looks often. */
  readonly #nodes: readonly DomainNode[];
  /** Relays whose gates the hold closes. */
  readonly #gated: readonly Relay[];
  /** Relays that have to empty: the gated ones, and what the held nodes read. */
  readonly #watched: readonly Relay[];
  #areGatesClosed = false;

  constructor(graph: Graph, scope: HoldScope) {
    this.#graph = graph;
    this.#scope = scope;
    const { entities, gates } = scope;
    this.#nodes = graph.nodesAmong(entities);
    this.#gated = [...gates].map((name) => graph.relays.find(name).relay);
    this.#watched = [...new Set([...graph.relaysReadBy(entities), ...this.#gated])];
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
    for (const relay of this.#gated) relay.closeGate(this.#scope.entities);
  }

  /** Keeps the held nodes out as well; what is left of it is the replacement. */
  freeze(): void {
    for (const relay of this.#gated) relay.freezeGate();
  }

  /** Ends the hold: publishers that waited go on. */
  openGates(): void {
    if (!this.#areGatesClosed) return;
    this.#areGatesClosed = false;
    for (const relay of this.#gated) relay.openGate();
  }

  /** Gives the hold up: everything goes on as before. */
  release(): void {
    this.openGates();
    for (const ingestor of this.#ingestors()) ingestor.resume('entity hold');
  }

  /** Moves what the held nodes hold back by time or size. */
  flush(): void {
    for (const node of this.#nodes) node.flush();
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
    const full = this.#watched.filter(({ isDrained }) => !isDrained);
    return [...pendingNodes(this.#nodes), ...full.map(({ name }) => `relay '${name}'`)];
  }

  /** Those that run now: a release after the replacement is for the successors. */
  #ingestors() {
    return this.#graph.ingestorsAmong(this.#scope.ingestors);
  }
}

function isPart(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  return [...part].every((name) => whole.has(name));
}
