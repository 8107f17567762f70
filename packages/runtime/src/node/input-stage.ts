import type { CollectPlan } from '@nervix/model';
import type { BranchKey } from '../branch/branch-key.js';
import { Collector } from '../collect/collector.js';
import type { ReceptionMeter } from '../metrics/domain-metrics.js';
import type { Relay } from '../relay/relay.js';
import type { RelayBatch } from '../relay/relay-batch.js';
import { RelayInput } from '../relay/relay-input.js';
import { faultsOf } from './internal-errors.js';
import type { NodeContext, NodeIdentity } from './node-context.js';

/** A batch ready for a node's work, and which of its inputs it came through. */
export interface StagedBatch {
  readonly kind: 'batch';
  readonly inputIndex: number;
  readonly batch: RelayBatch;
}

/** Work of the node's own that must run in turn with its batches. */
export interface StagedTask {
  readonly kind: 'task';
  readonly run: () => void;
  /** Gives up the row that the work was for: the stage was closed before its turn came. */
  readonly cancel?: (reason: string) => void;
}

interface Source {
  readonly input: RelayInput;
  readonly received: ReceptionMeter;
  collector: Collector | null;
}

/** The input side of a relay-consuming node: fan-in of its relays, then COLLECT FOR. */
export class InputStage {
  readonly #context: NodeContext;
  readonly #faults: (error: unknown) => void;
  readonly #sources: readonly Source[];
  /** Released by collectors, waiting for the node. */
  readonly #released: StagedBatch[] = [];
  readonly #tasks: StagedTask[] = [];
  /** Branches whose batches wait. */
  readonly #heldBranches = new Set<string>();
  /** The first batch that came for a held branch, by branch. */
  readonly #deferred = new Map<string, StagedBatch>();
  /** The second one, behind which every input waits. */
  #stalled: StagedBatch | undefined;
  #turn = 0;
  /** Whether the node works on what it was given; it says so by asking for more. */
  #isGivenOut = false;
  #isClosed = false;
  #wake: (() => void) | undefined;

  constructor(options: {
    readonly context: NodeContext;
    readonly node: NodeIdentity;
    readonly relays: readonly Relay[];
    readonly isAttached: boolean;
    readonly collect: CollectPlan | null;
  }) {
    const { context, node, collect } = options;
    this.#context = context;
    this.#faults = faultsOf(context, node);
    this.#sources = options.relays.map((relay, inputIndex) => ({
      input: new RelayInput(relay, options.isAttached, () => {
        this.#signal();
      }),
      received: context.metrics.receptionMeter({
        kind: node.kind,
        target: node.name,
        direction: 'received',
        relay: relay.name,
      }),
      collector: collect === null ? null : this.#collector(collect, inputIndex),
    }));
  }

  /** Joins the relays, and may be given batches from now on. */
  open(): void {
    for (const { input } of this.#sources) input.open();
  }

  /** Whether nothing waits here for the node's work, and the node is done with what it was given. */
  get isIdle(): boolean {
    return (
      !this.#isGivenOut &&
      this.#released.length === 0 &&
      this.#tasks.length === 0 &&
      this.#deferred.size === 0 &&
      this.#stalled === undefined &&
      this.#sources.every(
        ({ input, collector }) => input.isEmpty && (collector === null || collector.isEmpty),
      )
    );
  }

  /** Rows that wait here; a task that can be cancelled stands for one. */
  get heldRows(): number {
    let rows = this.#tasks.filter(({ cancel }) => cancel !== undefined).length;
    for (const { batch } of this.#staged()) rows += batch.batch.rowCount;
    for (const { input, collector } of this.#sources) {
      rows += input.heldRows + (collector?.heldRows ?? 0);
    }
    return rows;
  }

  /**
   * The next piece of work: a batch, whose shares become the caller's, or a task of the node's own;
   * null once the stage is closed.
   */
  async next(): Promise<StagedBatch | StagedTask | null> {
    this.#isGivenOut = false;
    for (;;) {
      if (this.#isClosed) return null;
      const staged = this.#tasks.shift() ?? this.#nextBatch();
      if (staged !== undefined) {
        this.#isGivenOut = true;
        return staged;
      }
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
  }

  /** Adds a task, which goes before any batch. */
  enqueue(run: () => void, cancel?: StagedTask['cancel']): void {
    if (this.#isClosed) {
      cancel?.('the node is closed');
      return;
    }
    this.#tasks.push({ kind: 'task', run, ...(cancel === undefined ? {} : { cancel }) });
    this.#signal();
  }

  /**
   * Stops or resumes giving out the batches of one branch; null is unbranched work. Other branches
   * and tasks go on, until a second batch of a held branch comes.
   */
  setHeld(key: BranchKey | null, isHeld: boolean): void {
    if (isHeld) {
      this.#heldBranches.add(textOf(key));
      return;
    }
    if (this.#heldBranches.delete(textOf(key))) this.#signal();
  }

  /** Puts another COLLECT FOR in force; without one, what was collected goes on at once. */
  setCollect(collect: CollectPlan | null): void {
    for (const [inputIndex, source] of this.#sources.entries()) {
      if (collect === null) {
        source.collector?.releaseAll();
        source.collector = null;
      } else if (source.collector === null) {
        source.collector = this.#collector(collect, inputIndex);
      } else {
        source.collector.setPolicy(collect);
      }
    }
  }

  /** Tells the sources of the rows that wait here that these are held on purpose. */
  keepAlive(): void {
    for (const { input, collector } of this.#sources) {
      input.keepAlive();
      collector?.keepAlive();
    }
    for (const { batch } of this.#staged()) batch.acks.alive();
  }

  /** Releases what collectors hold, due or not. */
  flush(): void {
    for (const { collector } of this.#sources) collector?.releaseAll();
  }

  /** Drops what is collected for an evicted branch and says how many rows that were. */
  evict(key: BranchKey, reason: string): number {
    let rows = 0;
    for (const { collector } of this.#sources) rows += collector?.evict(key, reason) ?? 0;
    return rows;
  }

  /** Leaves the relays and refuses everything that waits here. */
  close(reason: string): void {
    this.#isClosed = true;
    for (const { input, collector } of this.#sources) {
      input.close(reason);
      collector?.close(reason);
    }
    for (const { batch } of this.#staged()) batch.acks.nack(reason);
    this.#released.length = 0;
    this.#deferred.clear();
    this.#stalled = undefined;
    for (const task of this.#tasks.splice(0)) task.cancel?.(reason);
    this.#signal();
  }

  #collector(collect: CollectPlan, inputIndex: number): Collector {
    const release = (batch: RelayBatch): void => {
      this.#released.push({ kind: 'batch', inputIndex, batch });
      this.#signal();
    };
    return new Collector(collect, this.#context.time, release, this.#faults);
  }

  #staged(): readonly StagedBatch[] {
    const staged = [...this.#deferred.values(), ...this.#released];
    return this.#stalled === undefined ? staged : [...staged, this.#stalled];
  }

  #nextBatch(): StagedBatch | undefined {
    for (const [text, staged] of this.#deferred) {
      if (this.#heldBranches.has(text)) continue;
      this.#deferred.delete(text);
      return staged;
    }
    for (;;) {
      const staged = this.#stalled ?? this.#released.shift() ?? this.#takeNext();
      this.#stalled = undefined;
      if (staged === undefined || this.#heldBranches.size === 0) return staged;
      const text = textOf(staged.batch.branchKey);
      if (!this.#heldBranches.has(text)) return staged;
      if (this.#deferred.has(text)) {
        this.#stalled = staged;
        return undefined;
      }
      this.#deferred.set(text, staged);
    }
  }

  #takeNext(): StagedBatch | undefined {
    for (let step = 0; step < this.#sources.length; step += 1) {
      const inputIndex = (this.#turn + step) % this.#sources.length;
      const source = this.#sources[inputIndex];
      const batch = source?.input.take();
      if (source === undefined || batch === undefined) continue;
      this.#turn = inputIndex + 1;
      source.received.accept(batch, this.#context.time.nowNanos());
      if (source.collector === null) return { kind: 'batch', inputIndex, batch };
      source.collector.add(batch);
      const released = this.#released.shift();
      if (released !== undefined) return released;
      step = -1;
    }
    return undefined;
  }

  #signal(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}

function textOf(key: BranchKey | null): string {
  return key?.text ?? '';
}
