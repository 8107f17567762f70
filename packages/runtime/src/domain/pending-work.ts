import type { DomainNode } from '../node/domain-node.js';
import type { Ingestor } from '../node/ingestor.js';
import type { Relay } from '../relay/relay.js';

/** What keeps a drain from ending: where it is, and how much of it. */
export interface PendingWork {
  /** Nodes of the graph that hold or work on rows, and relays with batches, by kind and name. */
  readonly pending: readonly string[];
  readonly activeIngestors: number;
  /** Batches in relays, and those whose publishers wait for room there. */
  readonly relayBuffers: number;
  /** Rows that nodes hold; a node that is not done counts as one at least. */
  readonly nodeWorkItems: number;
  /** Requests that were taken in and whose outcome is awaited. */
  readonly outstandingAcks: number;
  /** Those of the rows that emitters hold. */
  readonly emitterRows: number;
}

/** What was left of a drain when its time was over. */
export interface DrainTimeout extends PendingWork {
  readonly domain: string;
  /** Name of the cluster node whose work it is. */
  readonly node: string;
  /** Nodes of the graph that were to be replaced, as `KIND name`; null for all of the domain. */
  readonly replaced: readonly string[] | null;
}

/** What of a graph a drain waits for. */
export interface DrainedParts {
  readonly nodes: readonly DomainNode[];
  readonly relays: readonly Relay[];
  /** Those whose open outcomes the drain waits for. */
  readonly ingestors: readonly Ingestor[];
}

export const NOTHING_PENDING: PendingWork = {
  ...{ pending: [], activeIngestors: 0, relayBuffers: 0 },
  ...{ nodeWorkItems: 0, outstandingAcks: 0, emitterRows: 0 },
};

/** Replaced nodes that a text names before it counts the rest. */
const NAMED_MAX = 3;

/** A node of a graph in words. @param key `KIND name` */
function nodeWords(key: string): string {
  const [kind = '', name = ''] = key.split(' ');
  return `${kind.toLowerCase().replaceAll('_', ' ')} '${name}'`;
}

/** Which of some nodes still hold or work on rows, as a drain names them. */
export function pendingNodes(nodes: readonly DomainNode[]): readonly string[] {
  return nodes.flatMap(({ isIdle, kind, name }) => (isIdle ? [] : [nodeWords(`${kind} ${name}`)]));
}

/** Which of some ingestors have given rows out whose outcome is still open. */
export function pendingRoots(ingestors: readonly Ingestor[]): readonly string[] {
  return ingestors.flatMap(({ isIdle, openRoots, name }) =>
    isIdle && openRoots === 0 ? [] : [nodeWords(`INGESTOR ${name}`)],
  );
}

/** Counts what is left in parts of a graph. */
export function pendingWork({ nodes, relays, ingestors }: DrainedParts): PendingWork {
  const active = nodes.filter(({ isIdle }) => !isIdle);
  const rowsOf = (some: readonly DomainNode[]): number =>
    some.reduce((rows, { heldRows }) => rows + Math.max(heldRows, 1), 0);
  const full = relays.filter(({ depth, waiting }) => depth + waiting > 0);
  return {
    pending: [
      ...new Set([...pendingRoots(ingestors), ...pendingNodes(nodes)]),
      ...full.map(({ name }) => `relay '${name}'`),
    ],
    activeIngestors: active.filter(({ kind }) => kind === 'INGESTOR').length,
    relayBuffers: full.reduce((batches, { depth, waiting }) => batches + depth + waiting, 0),
    nodeWorkItems: rowsOf(active),
    outstandingAcks: ingestors.reduce((roots, { openRoots }) => roots + openRoots, 0),
    emitterRows: rowsOf(active.filter(({ kind }) => kind === 'EMITTER')),
  };
}

/**
 * Says what a drain waited for in vain: of the whole domain, or for the nodes that were to be
 * replaced.
 *
 * @param note why it counts as vain where nothing is left
 */
export function drainTimeoutText(timeout: DrainTimeout, note?: string): string {
  const { domain, node, replaced, pending } = timeout;
  const { relayBuffers, nodeWorkItems, outstandingAcks } = timeout;
  const counts = `relay_buffers=${relayBuffers}, node_work_items=${nodeWorkItems}`;
  const acks = `outstanding_acks=${outstandingAcks}`;
  const { activeIngestors, emitterRows } = timeout;
  const figures =
    replaced === null
      ? `active_ingestors=${activeIngestors}, ${acks}, emitter_rows=${emitterRows}, ${counts}`
      : `${counts}, ${acks}`;
  const words = [...pending, ...(note === undefined ? [] : [note])].join(', ');
  const end = words === '' ? '' : ` (${words})`;
  return `timed out draining domain '${domain}'${purpose(replaced)}: pending_node=${node}, ${figures}${end}`;
}

function purpose(replaced: readonly string[] | null): string {
  if (replaced === null) return '';
  const named = replaced.slice(0, NAMED_MAX).map(nodeWords);
  const others = replaced.length - named.length;
  if (named.length === 0) return ' for the change';
  return ` for ${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}
