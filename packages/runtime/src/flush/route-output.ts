import type { BranchKey } from '../branch/branch-key.js';
import type { Clock, Timer } from '../clock/clock.js';
import type { TrafficMeter } from '../metrics/domain-metrics.js';
import type { Relay } from '../relay/relay.js';
import type { RelayBatch } from '../relay/relay-batch.js';
import { BatchBuffer } from './batch-buffer.js';
import type { FlushPolicy } from './flush-policy.js';

interface OutgoingBranch {
  readonly key: BranchKey | null;
  readonly buffer: BatchBuffer;
  timer: Timer | undefined;
}

/**
 * Where a route's rows leave its node: one buffer per outgoing concrete branch, each with its own
 * deadline and size, published to the route's relay. While a publication waits for room,
 * {@link RouteOutput.blocked} is set and the node takes no further input.
 */
export class RouteOutput {
  readonly relay: Relay;
  readonly #publisher: string;
  /** null delivers every batch at once. */
  #policy: FlushPolicy | null;
  readonly #clock: Clock;
  readonly #sent: TrafficMeter;
  readonly #failed: (error: unknown) => void;
  readonly #branches = new Map<string, OutgoingBranch>();
  #blocked: Promise<void> | undefined;
  /** Publications that wait for room or before a closed gate. */
  readonly #waiting = new Set<RelayBatch>();

  constructor(options: {
    readonly relay: Relay;
    /** The node, as gates of relays know it. */
    readonly publisher: string;
    readonly policy: FlushPolicy | null;
    readonly clock: Clock;
    readonly sent: TrafficMeter;
    /** Takes what goes wrong when a buffer is flushed, by a timer perhaps; its rows are refused. */
    readonly failed: (error: unknown) => void;
  }) {
    this.relay = options.relay;
    this.#publisher = options.publisher;
    this.#policy = options.policy;
    this.#clock = options.clock;
    this.#sent = options.sent;
    this.#failed = options.failed;
  }

  /** A promise of the moment when no publication waits, or undefined when none does. */
  get blocked(): Promise<void> | undefined {
    return this.#blocked;
  }

  /** Whether no row is buffered and no publication waits. */
  get isIdle(): boolean {
    return this.#blocked === undefined && this.#branches.size === 0;
  }

  /** Takes rows of one concrete branch. */
  append(batch: RelayBatch): void {
    if (batch.batch.rowCount === 0) return;
    if (this.#policy === null) {
      this.#publish(batch);
      return;
    }
    const text = batch.branchKey?.text ?? '';
    let branch = this.#branches.get(text);
    if (branch === undefined) {
      branch = { key: batch.branchKey, buffer: new BatchBuffer(this.#policy), timer: undefined };
      this.#branches.set(text, branch);
    }
    branch.buffer.append(batch, this.#clock.monotonicMs());
    this.#flushOrArm(text, branch);
  }

  /** Puts another policy in force; what is buffered is judged by it at once. */
  setPolicy(policy: FlushPolicy | null): void {
    this.#policy = policy;
    for (const [text, branch] of this.#branches) {
      branch.timer?.cancel();
      branch.timer = undefined;
      if (policy === null) {
        this.#flush(text, branch);
      } else {
        branch.buffer.setPolicy(policy);
        this.#flushOrArm(text, branch);
      }
    }
  }

  /** Tells the sources of buffered and waiting rows that they are held on purpose. */
  keepAlive(): void {
    for (const { buffer } of this.#branches.values()) buffer.keepAlive();
    for (const { acks } of this.#waiting) acks.alive();
  }

  /** Publishes everything buffered, whatever the policy says. */
  flushAll(): void {
    for (const [text, branch] of this.#branches) this.#flush(text, branch);
  }

  /** Rows that are buffered. */
  get heldRows(): number {
    let rows = 0;
    for (const { buffer } of this.#branches.values()) rows += buffer.rowCount;
    return rows;
  }

  /** Drops the buffer of an evicted branch and says how many rows it held. */
  evict(key: BranchKey, reason: string): number {
    const branch = this.#branches.get(key.text);
    if (branch === undefined) return 0;
    branch.timer?.cancel();
    this.#branches.delete(key.text);
    return branch.buffer.drop(reason);
  }

  /** Refuses everything buffered. */
  close(reason: string): void {
    for (const branch of this.#branches.values()) {
      branch.timer?.cancel();
      branch.buffer.drop(reason);
    }
    this.#branches.clear();
  }

  /** Flushes a buffer that is due, and else makes sure that it will be looked at when it is. */
  #flushOrArm(text: string, branch: OutgoingBranch): void {
    const nowMs = this.#clock.monotonicMs();
    const { deadlineMs } = branch.buffer;
    if (branch.buffer.isDue(nowMs)) {
      this.#flush(text, branch);
    } else if (branch.timer === undefined && deadlineMs !== null) {
      branch.timer = this.#clock.after(deadlineMs - nowMs, () => {
        branch.timer = undefined;
        this.#flushOrArm(text, branch);
      });
    }
  }

  #flush(text: string, branch: OutgoingBranch): void {
    branch.timer?.cancel();
    this.#branches.delete(text);
    try {
      const batch = branch.buffer.release();
      if (batch !== undefined) this.#publish(batch);
    } catch (error) {
      branch.buffer.drop('internal error');
      this.#failed(error);
    }
  }

  #publish(batch: RelayBatch): void {
    this.#sent.count(batch);
    const admission = this.relay.publish(batch, this.#publisher);
    if (admission === undefined) return;
    this.#waiting.add(batch);
    const admitted = admission.then(() => {
      this.#waiting.delete(batch);
      if (this.#waiting.size === 0) this.#blocked = undefined;
    });
    this.#blocked = Promise.all([this.#blocked, admitted]).then(() => undefined);
  }
}
