import type { Logger } from '../logging/logger.js';
import type { StateLog } from '../replicated-state/state-log.js';
import type { ArchiveLimits } from './archive/archive-limits.js';
import { InstalledVersions } from './installed-versions.js';
import type { ReplicaPeer } from './replication/replica-peer.js';
import { ReplicaReceiver } from './replication/replica-receiver.js';
import { referencedDigests } from './resource-catalog.js';
import { ResourceUploads, type UploadReply, type UploadRequest } from './resource-uploads.js';
import { StoppedError } from './stopped-error.js';
import type { DurableFiles } from './store/durable-files.js';
import { ResourceStore } from './store/resource-store.js';
import { type CompletionContext, VersionCompletion } from './version-completion.js';

/** Settings of a {@link ResourceService}. */
export interface ResourceServiceOptions {
  readonly log: StateLog;
  readonly logger: Logger;
  readonly nodeId: string;
  /** Folder of the contents. */
  readonly directory: string;
  readonly limits: ArchiveLimits;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  /** Live nodes other than this one; none by default. */
  readonly peers?: () => readonly ReplicaPeer[];
  /** Waits before a node that did not answer is asked again; a second by default. */
  readonly pause?: () => Promise<void>;
  /** The file system by default. */
  readonly files?: DurableFiles;
}

const PAUSE_MS = 1_000;

/** All that a node does about contents of resources: taking, keeping, sending and comparing them. */
export class ResourceService {
  /** What consumers read. */
  readonly installed: InstalledVersions;
  /** What other nodes send to. */
  readonly receiver: ReplicaReceiver;
  readonly #store: ResourceStore;
  readonly #log: StateLog;
  readonly #logger: Logger;
  readonly #completion: VersionCompletion;
  readonly #uploads: ResourceUploads;
  readonly #closing = new AbortController();
  #checking: Promise<void> = Promise.resolve();

  /** Nothing is done yet; {@link recover} comes before everything else. */
  constructor(options: ResourceServiceOptions) {
    const { log, logger, nodeId, nowMs, directory, limits, files } = options;
    const store = new ResourceStore({
      directory,
      limits,
      ...(files === undefined ? {} : { files }),
    });
    this.#store = store;
    this.#log = log;
    this.#logger = logger;
    this.installed = new InstalledVersions(store, log.state.resources, this.#closing.signal);
    this.receiver = new ReplicaReceiver(store, nowMs);
    const context: CompletionContext = {
      log,
      store,
      logger,
      nodeId,
      nowMs,
      peers: options.peers ?? (() => []),
      pause: options.pause ?? pauseUntil(this.#closing.signal),
      signal: this.#closing.signal,
    };
    this.#completion = new VersionCompletion(context);
    this.#uploads = new ResourceUploads(context, this.#completion);
  }

  /**
   * Opens the store, finishes what a stop left published, removes contents that nothing refers to,
   * and begins to compare all others, which goes on beside other work.
   */
  async recover(): Promise<void> {
    await this.#store.prepare();
    for (const version of this.#log.state.resources.everyVersion()) {
      if (version.state !== 'published') continue;
      // With nodes that do not answer this takes as long as they do.
      void this.#completion.settle(version).catch((error) => this.#notSettled(error));
    }
    await this.collect();
    this.#checking = this.installed.checkAll(this.#logger);
  }

  /** Takes an upload; never rejects for a refusal. */
  async upload(request: UploadRequest): Promise<UploadReply> {
    const reply = await this.#uploads.upload(request);
    if (reply.kind === 'installed') this.#forget(request, reply.value.version);
    return reply;
  }

  /** Removes contents that no version refers to any more. */
  async collect(): Promise<void> {
    const removed = await this.#store.collect(() => referencedDigests(this.#log.state));
    if (removed.length > 0)
      this.#logger.info('resource contents removed', { count: removed.length });
  }

  /** Resolves when every upload that was being taken has its outcome. */
  idle(): Promise<void> {
    return this.#uploads.idle();
  }

  /** Ends the comparison, and the waiting for nodes that do not answer. */
  async close(): Promise<void> {
    this.#closing.abort(new StoppedError());
    await this.#checking;
    await this.#uploads.idle();
  }

  /** An upload may have mended what was damaged. */
  #forget({ domain, resource }: UploadRequest, version: number): void {
    const record = this.#log.state.resources.version(domain, resource, version);
    if (record !== undefined) this.installed.forget(record.archiveDigest);
  }

  #notSettled(error: unknown): void {
    if (!this.#closing.signal.aborted) {
      this.#logger.warn('a resource version stays published', {}, error);
    }
  }
}

function pauseUntil(signal: AbortSignal): () => Promise<void> {
  return () =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, PAUSE_MS);
      signal.addEventListener('abort', done);
    });
}
