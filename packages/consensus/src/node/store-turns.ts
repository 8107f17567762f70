import { assert } from '../assert.ts';
import { isRaftError } from '../errors.ts';
import type {
  LogStorage,
  SnapshotBuild,
  SnapshotInstall,
  SnapshotManifest,
  SnapshotReceipt,
  StoreJob,
} from '../storage/log-storage.ts';
import { callSafely } from './change-feed.ts';
import type { NodeEvent } from './raft-node-options.ts';
import type { StoreTurn, StoreTurnResult } from './replica-ports.ts';
import type { StateMachine } from './state-machine.ts';

interface WaitingSection {
  readonly receipt: SnapshotReceipt;
  readonly bytes: Uint8Array;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const DONE: StoreTurnResult = { kind: 'done' };

/** Carries out the turns of a replica on its store, one at a time. */
export class StoreTurns {
  readonly #storage: LogStorage;
  readonly #stateMachine: StateMachine;
  readonly #observe: ((event: NodeEvent) => void) | undefined;
  readonly #sections: WaitingSection[] = [];
  #build: SnapshotBuild | undefined;
  #receipt: SnapshotReceipt | undefined;
  #install: SnapshotInstall | undefined;

  /** `observe` is told of every job that was written. */
  constructor(
    storage: LogStorage,
    stateMachine: StateMachine,
    observe?: ((event: NodeEvent) => void) | undefined,
  ) {
    this.#storage = storage;
    this.#stateMachine = stateMachine;
    this.#observe = observe;
  }

  /**
   * Carries out one turn; without a promise it is over and done. Throws or rejects when a write or
   * the state machine fails.
   */
  run(turn: Exclude<StoreTurn, { kind: 'job' }>): Promise<StoreTurnResult>;
  run(turn: StoreTurn): Promise<StoreTurnResult> | undefined;
  run(turn: StoreTurn): Promise<StoreTurnResult> | undefined {
    return turn.kind === 'job' ? this.#write(turn.job) : this.#runOther(turn);
  }

  async #runOther(turn: Exclude<StoreTurn, { kind: 'job' }>): Promise<StoreTurnResult> {
    switch (turn.kind) {
      case 'snapshotStep': {
        this.#build ??= this.#storage.buildSnapshot(turn.configuration);
        const result = await this.#build.step();
        if (result.kind === 'section') return { kind: 'done' };
        this.#build = undefined;
        return { kind: 'snapshotComplete', manifest: result.manifest };
      }
      case 'receiveStep':
        await this.#receive();
        return { kind: 'done' };
      case 'installStep':
        return this.#installStep();
    }
  }

  /**
   * Begins to receive a snapshot in place of one that was being received. Throws
   * `RAFT_SNAPSHOT_INVALID` for a manifest that nothing can fit; the other one is then kept.
   */
  beginReceipt(manifest: SnapshotManifest): SnapshotReceipt {
    const receipt = this.#storage.receiveSnapshot(manifest);
    this.#receipt?.abandon();
    this.#receipt = receipt;
    return receipt;
  }

  /** Queues a section for a `receiveStep`; resolves when it is durable. */
  queueSection(receipt: SnapshotReceipt, bytes: Uint8Array): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#sections.push({ receipt, bytes, resolve, reject });
    return promise;
  }

  /** Whether this is the transfer that is being received. */
  isCurrent(receipt: SnapshotReceipt): boolean {
    return receipt === this.#receipt;
  }

  /** Gives up a transfer that ended early. */
  abandon(receipt: SnapshotReceipt): void {
    if (receipt !== this.#receipt || this.#install !== undefined) return;
    this.#receipt = undefined;
    receipt.abandon();
  }

  #write(job: StoreJob): Promise<StoreTurnResult> | undefined {
    const begun = performance.now();
    const writing = this.#begin(job);
    if (writing === undefined) {
      this.#written(job, begun);
      return undefined;
    }
    return writing.then(() => {
      this.#written(job, begun);
      return DONE;
    });
  }

  #begin(job: StoreJob): Promise<void> | undefined {
    const storage = this.#storage;
    return storage.writeAtOnce === undefined ? storage.write(job) : storage.writeAtOnce(job);
  }

  #written(job: StoreJob, begun: number): void {
    const observe = this.#observe;
    if (observe === undefined) return;
    const milliseconds = performance.now() - begun;
    // What an observer throws is no failure of the write.
    callSafely(() => observe({ kind: 'write', milliseconds, ...contentOf(job) }));
  }

  async #receive(): Promise<void> {
    const section = this.#sections.shift();
    assert(section !== undefined, 'a section waits for its turn');
    if (section.receipt !== this.#receipt) {
      section.reject(new Error('a newer transfer has taken the place of this one'));
      return;
    }
    try {
      await section.receipt.section(section.bytes);
      section.resolve();
    } catch (error) {
      section.reject(error);
      if (!this.#isRefusal(error)) throw error;
      this.abandon(section.receipt);
    }
  }

  /** A section that does not fit its manifest ends the transfer, everything else the node. */
  #isRefusal(error: unknown): boolean {
    return isRaftError(error, 'RAFT_SNAPSHOT_INVALID') || isRaftError(error, 'RAFT_CLOSED');
  }

  async #installStep(): Promise<StoreTurnResult> {
    this.#build?.abandon();
    this.#build = undefined;
    const receipt = this.#receipt;
    assert(receipt !== undefined, 'what is installed was received');
    this.#install ??= this.#storage.installSnapshot(receipt);
    if (!(await this.#install.step())) return { kind: 'done' };
    this.#install = undefined;
    this.#receipt = undefined;
    await this.#stateMachine.restore(this.#storage.records(), this.#storage.applied);
    const manifest = this.#storage.snapshot;
    assert(manifest !== undefined, 'an installed snapshot is the active one');
    return { kind: 'installed', applied: this.#storage.applied, manifest };
  }
}

/** How much a job writes: entries and record changes, and the bytes of their content. */
function contentOf({ entries, writes }: StoreJob): { operations: number; bytes: number } {
  let bytes = 0;
  for (const { payload } of entries) bytes += payload.length;
  for (const { key, value } of writes) bytes += key.length + (value?.length ?? 0);
  return { operations: entries.length + writes.length, bytes };
}
