import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { RaftError } from '../errors.ts';
import { type ChangeListener, callSafely } from '../node/change-feed.ts';
import { checkPayload } from '../node/command-payload.ts';
import { checkChanges, checkTarget } from '../node/member-checks.ts';
import type { ProposalResult } from '../node/proposal-queue.ts';
import type { RaftNodeStatus } from '../node/raft-node.ts';
import { type RaftNodeOptions, resolveLimits } from '../node/raft-node-options.ts';
import type { ReadBarrier } from '../node/read-queue.ts';
import type { MemberChange } from '../raft/configuration.ts';
import type { MemberId } from '../raft/member-id.ts';
import type { AppliedPosition, StateWrite } from '../storage/log-storage.ts';
import { openingAlone } from '../storage/store-lock.ts';
import type { CredentialBundle } from '../transport/credentials.ts';
import { FeedCredit } from './owner-feed.ts';
import { packBytes, unpackResults, unpackWrites } from './packing.ts';
import { type PendingCall, PendingCalls } from './pending-calls.ts';
import { fromPortError, fromPortEvent } from './port-error.ts';
import {
  checkWorkerOptions,
  located,
  locatedAdmission,
  uncloneable,
} from './worker-option-checks.ts';
import type {
  FeedReport,
  TransportStatus,
  WorkerNodeOptions,
  WorkerReport,
  WorkerRequest,
  WorkerStatus,
} from './worker-protocol.ts';

/**
 * A view of the records in the owner's thread. Called in order, never before durability. Changes
 * that happen while the owner's thread stands still for long come as one.
 */
export interface RecordMirror {
  /** New records take the place of all. Comes at the opening and after an installed snapshot. */
  reset(): void;
  /** Records or changes of them; `applied` is absent while more of the same position follows. */
  changed(writes: Iterable<StateWrite>, applied: AppliedPosition | undefined): void;
}

/** How to open a node in a thread of its own. */
export interface RaftWorkerNodeOptions extends Omit<WorkerNodeOptions, 'mirrored' | 'observed'> {
  readonly mirror?: RecordMirror | undefined;
  /**
   * Told of what happens, for metrics and logs. Must not throw. What happens while the owner's
   * thread stands still for long is not told.
   */
  readonly observe?: RaftNodeOptions['observe'];
}

/**
 * Room for young objects: three times one of V8's half spaces. With the usual 16 MiB a half, commands
 * under way are taken for old ones, and the collector takes a tenth of the time.
 */
const YOUNG_MB = 96;

/**
 * A `RaftNode` in a worker thread, so that whatever else the process does cannot delay heartbeats,
 * votes and writes. The same calls with the same errors; the state machine lives in the worker.
 */
export class RaftWorkerNode {
  readonly #worker: Worker;
  readonly #mirror: RecordMirror | undefined;
  readonly #observe: RaftNodeOptions['observe'];
  readonly #calls: PendingCalls;
  readonly #credit: FeedCredit;
  readonly #listeners = new Set<{ readonly listener: ChangeListener }>();
  readonly #opening = Promise.withResolvers<void>();
  readonly #exited = Promise.withResolvers<void>();
  #payloads: Uint8Array[] = [];
  #firstId = 0;
  #isSending = false;
  #status: RaftNodeStatus | undefined;
  #failure: Error | undefined;
  #closing: Promise<void> | undefined;
  #isClosed = false;

  private constructor(options: RaftWorkerNodeOptions) {
    const { mirror, observe, stateMachine, cluster, ...rest } = options;
    this.#mirror = mirror;
    this.#observe = observe;
    this.#calls = new PendingCalls(resolveLimits(options.limits));
    this.#credit = new FeedCredit((request) => this.#worker.postMessage(request));
    const workerData: WorkerNodeOptions = {
      ...rest,
      stateMachine: located(stateMachine),
      cluster: cluster === undefined ? undefined : locatedAdmission(cluster),
      mirrored: mirror !== undefined,
      observed: observe !== undefined,
    };
    this.#worker = new Worker(new URL('./raft-worker.js', import.meta.url), {
      workerData,
      name: 'consensus',
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#worker.on('message', (report: WorkerReport) => this.#receive(report));
    this.#worker.on('error', (error) => this.#end(error));
    this.#worker.on('exit', () => {
      const error = new RaftError('RAFT_CLOSED', {});
      // A thread that ends because it was told to has not failed.
      if (this.#isClosed) this.#leaveOpen(error);
      else this.#end(error);
      this.#exited.resolve();
    });
  }

  /** Starts the worker and opens the node in it. Rejects like `RaftNode.open`. */
  static async open(options: RaftWorkerNodeOptions): Promise<RaftWorkerNode> {
    checkWorkerOptions(options);
    return openingAlone(path.resolve(options.directory), async () => {
      const node = RaftWorkerNode.#start(options);
      await node.#opening.promise;
      return node;
    });
  }

  static #start(options: RaftWorkerNodeOptions): RaftWorkerNode {
    try {
      return new RaftWorkerNode(options);
    } catch (error) {
      throw uncloneable(error);
    }
  }

  /** See `RaftNode.propose`. The payload is copied; commands of one turn cross together. */
  propose(payload: Uint8Array): Promise<ProposalResult> {
    const { promise, resolve, reject } = Promise.withResolvers<ProposalResult>();
    if (this.#failure !== undefined || this.#closing !== undefined) {
      reject(this.#failure ?? new RaftError('RAFT_CLOSED', {}));
      return promise;
    }
    let copy: Uint8Array;
    try {
      checkPayload(payload);
      copy = new Uint8Array(payload);
      const id = this.#calls.addCommand(copy.length, { resolve, reject });
      if (this.#payloads.length === 0) this.#firstId = id;
    } catch (error) {
      reject(error);
      return promise;
    }
    this.#payloads.push(copy);
    // The numbers of commands that cross together are consecutive.
    if (this.#calls.nextId === 0) this.#sendPayloads();
    else this.#scheduleSend();
    return promise;
  }

  /** See `RaftNode.read`. A mirror shows everything up to the barrier once this resolves. */
  read(): Promise<ReadBarrier> {
    return this.#call((id) => ({ kind: 'read', id }));
  }

  /** See `RaftNode.changeMembers`. */
  async changeMembers(changes: readonly MemberChange[]): Promise<ProposalResult> {
    checkChanges(changes);
    return this.#call((id) => ({ kind: 'changeMembers', id, changes }));
  }

  /** See `RaftNode.activateLevel`. */
  activateLevel(level: number): Promise<ProposalResult> {
    return this.changeMembers([{ kind: 'activate', level }]);
  }

  /** See `RaftNode.transferLeader`. */
  async transferLeader(target: MemberId): Promise<void> {
    checkTarget(target);
    return this.#call((id) => ({ kind: 'transferLeader', id, target }));
  }

  /**
   * See `TcpTransport.reloadCredentials`. Rejects with `RAFT_CREDENTIALS_INVALID`, and then nothing
   * has changed, or `RAFT_CLOSED`.
   */
  async reloadCredentials(bundle: CredentialBundle): Promise<void> {
    const { ca, cert, key } = bundle;
    return this.#call((id) => ({ kind: 'reloadCredentials', id, bundle: { ca, cert, key } }));
  }

  /** What the transport counts and has queued, for metrics; nothing without a cluster. */
  transportStatus(): Promise<TransportStatus> {
    return this.#call((id) => ({ kind: 'transportStatus', id }));
  }

  /** As of the newest report of the worker. */
  status(): RaftNodeStatus {
    const status = this.#status;
    if (status === undefined) throw new RaftError('RAFT_CLOSED', {});
    return {
      ...status,
      queuedProposals: this.#calls.commands,
      queuedBytes: this.#calls.bytes,
      isClosed: this.#closing !== undefined || status.isClosed,
      failure: this.#failure ?? status.failure,
    };
  }

  /** See `RaftNode.subscribe`. */
  subscribe(listener: ChangeListener): () => void {
    const subscription = { listener };
    this.#listeners.add(subscription);
    return () => {
      this.#listeners.delete(subscription);
    };
  }

  /** See `RaftNode.close`; the worker has ended when this resolves. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#sendPayloads();
    try {
      if (this.#failure === undefined) {
        await this.#request<void>(
          (call) => this.#calls.addLast(call),
          (id) => ({ kind: 'close', id }),
        );
      }
      this.#isClosed = this.#failure === undefined;
    } catch (error) {
      // A worker that has died has nothing left to close.
      if (this.#failure === undefined) throw error;
    }
    await this.#exited.promise;
  }

  #call<T>(request: (id: number) => WorkerRequest): Promise<T> {
    if (this.#failure !== undefined || this.#closing !== undefined) {
      return Promise.reject(this.#failure ?? new RaftError('RAFT_CLOSED', {}));
    }
    return this.#request((call) => this.#calls.addRequest(call), request);
  }

  async #request<T>(
    add: (call: PendingCall) => number,
    request: (id: number) => WorkerRequest,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const id = add({ resolve: resolve as PendingCall['resolve'], reject });
    // Everything called before goes before.
    this.#sendPayloads();
    try {
      this.#worker.postMessage(request(id));
    } catch (error) {
      // What cannot cross gets no answer.
      this.#calls.take(id);
      throw error;
    }
    return promise;
  }

  #scheduleSend(): void {
    if (this.#isSending) return;
    this.#isSending = true;
    setImmediate(() => this.#sendPayloads());
  }

  #sendPayloads(): void {
    this.#isSending = false;
    if (this.#payloads.length === 0 || this.#failure !== undefined) return;
    const packed = packBytes(this.#payloads);
    this.#payloads = [];
    const request: WorkerRequest = { kind: 'propose', first: this.#firstId, packed };
    this.#worker.postMessage(request, [packed.buffer as ArrayBuffer]);
  }

  #receive(report: WorkerReport): void {
    switch (report.kind) {
      case 'results':
        for (const { id, result } of unpackResults(report.packed)) {
          this.#calls.take(id)?.resolve(result as never);
        }
        return;
      case 'rejected': {
        const error = fromPortError(report.error);
        for (const id of report.ids) this.#calls.take(id)?.reject(error);
        return;
      }
      case 'answer':
        this.#calls.take(report.id)?.resolve(report.value as never);
        return;
      case 'refusal':
        this.#calls.take(report.id)?.reject(fromPortError(report.error));
        return;
      case 'opened':
        this.#status = ownStatus(report.status);
        this.#opening.resolve();
        return;
      case 'openFailed':
        this.#end(fromPortError(report.error));
        return;
      default:
        try {
          this.#hear(report);
        } finally {
          this.#credit.took(report);
        }
    }
  }

  #hear(report: FeedReport): void {
    switch (report.kind) {
      case 'changed':
        this.#status = ownStatus(report.status);
        for (const { listener } of [...this.#listeners]) callSafely(() => listener(report.change));
        return;
      case 'event':
        this.#observe?.(fromPortEvent(report.event));
        return;
      case 'records':
        if (report.isFirst) this.#mirror?.reset();
        this.#mirror?.changed(unpackWrites(report.packed), report.applied);
        return;
      case 'writes':
        this.#mirror?.changed(unpackWrites(report.packed), report.applied);
    }
  }

  /** The worker is gone: what it was asked last may or may not have been done. */
  #end(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#opening.reject(error);
    this.#leaveOpen(error);
  }

  /** Nothing is answered any more. */
  #leaveOpen(cause: Error): void {
    const unknown = new RaftError('RAFT_LEADERSHIP_LOST', {}, { cause });
    for (const call of this.#calls.takeAll()) call.reject(unknown);
  }
}

function ownStatus(status: WorkerStatus): RaftNodeStatus {
  const { failure } = status;
  return { ...status, failure: failure === undefined ? undefined : fromPortError(failure) };
}
