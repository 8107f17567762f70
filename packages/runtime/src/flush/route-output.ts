import type { BranchKey } from '../branch/branch-key.js';
import type { DomainClock } from '../clock/domain-clock.js';
import type { TrafficMeter } from '../metrics/domain-metrics.js';
import type { Relay } from '../relay/relay.js';
import type { RelayBatch } from '../relay/relay-batch.js';
import { step } from '../step-fault.js';
import type { FlushPolicy } from './flush-policy.js';
import { TimedBuffer } from './timed-buffer.js';

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
  readonly #clock: DomainClock;
  readonly #sent: TrafficMeter;
  readonly #failed: (error: unknown) => void;
  readonly #branches = new Map<string, TimedBuffer>();
  #blocked: Promise<void> | undefined;
  /** Publications that wait for room or before a closed gate. */
  readonly #waiting = new Set<RelayBatch>();

  constructor(options: {
    readonly relay: Relay;
    /** The node, as gates of relays know it. */
    readonly publisher: string;
    readonly policy: FlushPolicy | null;
    readonly clock: DomainClock;
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
    const buffer = this.#branches.get(text) ?? this.#buffer(this.#policy, text);
    buffer.append(batch);
  }

  /** Puts another policy in force; what is buffered is judged by it at once. */
  setPolicy(policy: FlushPolicy | null): void {
    this.#policy = policy;
    for (const [text, buffer] of this.#branches) {
      if (policy === null) this.#flush(text, buffer);
      else buffer.setPolicy(policy);
    }
  }

  /** Tells the sources of buffered and waiting rows that they are held on purpose. */
  keepAlive(): void {
    for (const buffer of this.#branches.values()) buffer.keepAlive();
    for (const { acks } of this.#waiting) acks.alive();
  }

  /** Publishes everything buffered, whatever the policy says. */
  flushAll(): void {
    for (const [text, buffer] of this.#branches) this.#flush(text, buffer);
  }

  /** Rows that are buffered. */
  get heldRows(): number {
    let rows = 0;
    for (const { rowCount } of this.#branches.values()) rows += rowCount;
    return rows;
  }

  /** Drops the buffer of an evicted branch and says how many rows it held. */
  evict(key: BranchKey, reason: string): number {
    const buffer = this.#branches.get(key.text);
    if (buffer === undefined) return 0;
    this.#branches.delete(key.text);
    return buffer.drop(reason);
  }

  /** Refuses everything buffered. */
  close(reason: string): void {
    for (const buffer of this.#branches.values()) buffer.drop(reason);
    this.#branches.clear();
  }

  #buffer(policy: FlushPolicy, text: string): TimedBuffer {
    const buffer = new TimedBuffer(policy, this.#clock, () => {
      this.#flush(text, buffer);
    });
    this.#branches.set(text, buffer);
    return buffer;
  }

  #flush(text: string, buffer: TimedBuffer): void {
    this.#branches.delete(text);
    try {
      const batch = step('failed to concatenate output route batch', () => buffer.release());
      if (batch !== undefined) this.#publish(batch);
    } catch (error) {
      buffer.drop('internal error');
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
