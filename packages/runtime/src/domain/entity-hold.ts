import type { DomainNode } from '../node/domain-node.js';
import type { Relay } from '../relay/relay.js';
import type { Graph } from './graph.js';
import { coversScope, type HoldScope } from './hold-scope.js';
import { type PendingWork, pendingNodes, pendingRoots, pendingWork } from './pending-work.js';

/**
 * A hold of part of a running graph, until its replaced nodes have successors. Ingestors that are
 * replaced stop intake by their quiesce modes; gates keep everybody else out of what lies
 * downstream, while that part empties. The rest of the domain goes on. Whoever owns the hold lets it
 * go when its time is over, whatever became of who asked for it.
 */
export class EntityHold {
  readonly scope: HoldScope;
  readonly #graph: Graph;
  /** The held nodes as they run until the replacement, for a drain that looks often. */
  readonly #nodes: readonly DomainNode[];
  /** Relays whose gates the hold closes. */
  readonly #gated: readonly Relay[];
  /** Relays that have to empty: the gated ones, and what the held nodes read. */
  readonly #watched: readonly Relay[];
  #areGatesClosed = false;

  constructor(graph: Graph, scope: HoldScope) {
    this.#graph = graph;
    this.scope = scope;
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
  covers(scope: HoldScope): boolean {
    return coversScope(this.scope, scope);
  }

  closeGates(): void {
    if (this.#areGatesClosed) return;
    this.#areGatesClosed = true;
    for (const relay of this.#gated) relay.closeGate(this.scope.entities);
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
    return this.scope.entities.has(key);
  }

  /** Whether a relay is closed. */
  closes(relay: string): boolean {
    return this.#areGatesClosed && this.scope.gates.has(relay);
  }

  /** Replaced ingestors that have given rows out whose outcome is still open. */
  pendingRoots(): readonly string[] {
    return pendingRoots(this.#ingestors());
  }

  /** What still has to move before the replacement, by name. */
  pending(): readonly string[] {
    const full = this.#watched.filter(({ isDrained }) => !isDrained);
    return [...pendingNodes(this.#nodes), ...full.map(({ name }) => `relay '${name}'`)];
  }

  /** Rows that are given up with some of the nodes, and with what is buffered behind the gates. */
  rowsOf(swapped: ReadonlySet<string>): number {
    const holders = [...this.#graph.nodesAmong(swapped), ...this.#gated];
    return holders.reduce((rows, { heldRows }) => rows + heldRows, 0);
  }

  /** The same, and the roots before, with how much it is. */
  pendingWork(): PendingWork {
    const ingestors = this.#ingestors();
    return pendingWork({ nodes: this.#nodes, relays: this.#watched, ingestors });
  }

  /** Those that run now: a release after the replacement is for the successors. */
  #ingestors() {
    return this.#graph.ingestorsAmong(this.scope.ingestors);
  }
}
