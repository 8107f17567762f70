import type { Logger } from '../logging/logger.js';
import { resourceVersionKey } from '../replicated-state/resource-keys.js';
import type { ReplicaRecord, ResourceVersionRecord } from '../replicated-state/resource-records.js';
import type { StateLog } from '../replicated-state/state-log.js';
import type { ReplicaPeer, ReplicaReport } from './replication/replica-peer.js';
import { sendArchive } from './replication/send-archive.js';
import { expectedContent, versionName } from './resource-catalog.js';
import type { StoppedError } from './stopped-error.js';
import type { ResourceStore } from './store/resource-store.js';
import { DamagedVersionError } from './store/version-folder.js';

/** What {@link VersionCompletion} works with. */
export interface CompletionContext {
  readonly log: StateLog;
  readonly store: ResourceStore;
  readonly logger: Logger;
  readonly nodeId: string;
  /** Live nodes other than this one. */
  peers(): readonly ReplicaPeer[];
  /** Unix milliseconds. */
  nowMs(): number;
  /** Waits before a node that did not answer is asked again. */
  pause(): Promise<void>;
  /** Fires with a {@link StoppedError} when the node stops: versions stay published then. */
  readonly signal: AbortSignal;
}

/** Archives that are sent at once; the rest of the connections serves other work. */
const SENT_AT_ONCE = 2;

/**
 * Takes published versions to their end: completed once every live node has installed them, failed
 * at the first that cannot. A version that a crash left published goes on the same way.
 */
export class VersionCompletion {
  readonly #context: CompletionContext;
  readonly #running = new Map<string, Promise<ResourceVersionRecord>>();
  readonly #slots: (() => void)[] = [];
  #sending = 0;

  constructor(context: CompletionContext) {
    this.#context = context;
  }

  /**
   * Waits for the end of a version, and brings it there if nobody does yet.
   *
   * @returns the version in its final state
   * @throws RaftError when the log takes no writes any more
   * @throws StoppedError when the node stops first; the version stays published
   */
  async settle(published: ResourceVersionRecord): Promise<ResourceVersionRecord> {
    if (published.state !== 'published') return published;
    const key = resourceVersionKey(published.domain, published.resource, published.version);
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const run = this.#complete(published);
    this.#running.set(key, run);
    try {
      return await run;
    } finally {
      this.#running.delete(key);
    }
  }

  /** Resolves when no version is under way. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.#running.values()]);
  }

  async #complete(published: ResourceVersionRecord): Promise<ResourceVersionRecord> {
    const replicas = new Map(published.replicas.map((replica) => [replica.node, replica]));
    const own = await this.#ownReplica(published);
    replicas.set(own.node, own);
    while (!hasFailed(replicas)) {
      // Looked at again after each round: a node that joined meanwhile needs the version as well.
      const missing = this.#context
        .peers()
        .filter(({ node }) => replicas.get(node)?.state !== 'ready');
      if (missing.length === 0) break;
      const reports = await Promise.all(missing.map((peer) => this.#replicate(published, peer)));
      for (const replica of reports) if (replica !== undefined) replicas.set(replica.node, replica);
      if (reports.includes(undefined)) await this.#context.pause();
      this.#context.signal.throwIfAborted();
    }
    return this.#finish(published, replicas);
  }

  /** This node's copy, compared with what was published. */
  async #ownReplica(published: ResourceVersionRecord): Promise<ReplicaRecord> {
    const { store, nodeId: node, nowMs, signal } = this.#context;
    const source = published.createdByNode;
    try {
      await store.verify(expectedContent(published), signal);
      const checksum = published.rootChecksum;
      return { node, state: 'ready', checksum, verifiedAtMs: nowMs(), source, error: null };
    } catch (error) {
      if (!(error instanceof DamagedVersionError)) throw error;
      const failed = { node, state: 'failed', checksum: null, verifiedAtMs: null } as const;
      return { ...failed, source, error: error.message };
    }
  }

  /** What a node came to; undefined when it did not answer and has to be asked again. */
  async #replicate(
    published: ResourceVersionRecord,
    peer: ReplicaPeer,
  ): Promise<ReplicaRecord | undefined> {
    const { store, logger, nodeId } = this.#context;
    const offer = { ...expectedContent(published), archiveBytes: published.archiveBytes };
    await this.#takeSlot();
    try {
      const report = await sendArchive(store.folder(published.archiveDigest), peer, offer);
      return replicaOf(peer.node, nodeId, report);
    } catch (error) {
      const facts = { domain: published.domain, resource: versionName(published), to: peer.node };
      logger.warn('a version did not reach a node', facts, error);
      return undefined;
    } finally {
      this.#giveSlot();
    }
  }

  async #finish(
    published: ResourceVersionRecord,
    replicas: ReadonlyMap<string, ReplicaRecord>,
  ): Promise<ResourceVersionRecord> {
    const { log, logger } = this.#context;
    const { domain, resource, version } = published;
    const state = hasFailed(replicas) ? 'failed' : 'completed';
    const ordered = [...replicas.values()].sort((left, right) => (left.node < right.node ? -1 : 1));
    const settled: ResourceVersionRecord = { ...published, state, replicas: ordered };
    const key = resourceVersionKey(domain, resource, version);
    const result = await log.write({
      fences: [{ key, revision: log.state.revisionOf(key) }],
      put: [
        settled,
        ...(state === 'completed' ? [{ kind: 'resource_catalog', domain } as const] : []),
      ],
    });
    if (result.kind !== 'applied') {
      // Dropped with its domain, or settled by another leader.
      return (
        log.state.resources.version(domain, resource, version) ?? { ...settled, state: 'failed' }
      );
    }
    logger.info(`resource version ${state}`, { domain, resource, version });
    return settled;
  }

  async #takeSlot(): Promise<void> {
    if (this.#sending < SENT_AT_ONCE) {
      this.#sending += 1;
      return;
    }
    await new Promise<void>((resolve) => {
      this.#slots.push(resolve);
    });
  }

  #giveSlot(): void {
    const next = this.#slots.shift();
    if (next === undefined) this.#sending -= 1;
    else next();
  }
}

function hasFailed(replicas: ReadonlyMap<string, ReplicaRecord>): boolean {
  return [...replicas.values()].some(({ state }) => state === 'failed');
}

function replicaOf(node: string, source: string, report: ReplicaReport): ReplicaRecord {
  if (report.kind === 'failed') {
    const { error } = report;
    return { node, state: 'failed', checksum: null, verifiedAtMs: null, source, error };
  }
  const { checksum, verifiedAtMs } = report;
  return { node, state: 'ready', checksum, verifiedAtMs, source, error: null };
}
