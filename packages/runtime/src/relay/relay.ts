import { assert } from '@nervix/model';
import type { RelayBatch } from './relay-batch.js';

/** A consumer of a relay: one bounded queue on its side of the fan-out. */
export interface RelayConsumer {
  /** Whether the consumer's outcome counts for the sources of the rows. */
  readonly isAttached: boolean;
  /** Whether {@link RelayConsumer.deliver} may be called now. */
  hasRoom(): boolean;
  /** Takes a batch and, when attached, one share of each of its rows. */
  deliver(batch: RelayBatch): void;
}

/** Told of what a relay does; counts batches, never rows one by one. */
export interface RelayObserver {
  /** A batch entered the buffer, which now holds `depth` batches. Runs before fan-out. */
  admitted(batch: RelayBatch, depth: number): void;
  /** A batch went to every consumer. */
  fannedOut(batch: RelayBatch): void;
}

interface WaitingPublisher {
  readonly batch: RelayBatch;
  readonly admitted: () => void;
}

/**
 * The owner of a relay's buffer. At most `capacity` batches are buffered; publishers beyond it wait
 * in order and nothing is dropped. The oldest batch goes to all consumers at once, when each has
 * room for it.
 */
export class Relay {
  readonly name: string;
  readonly capacity: number;
  readonly #observer: RelayObserver;
  #buffer: RelayBatch[] = [];
  #waiting: WaitingPublisher[] = [];
  #consumers: readonly RelayConsumer[] = [];
  #isPumping = false;
  #isClosed = false;

  constructor(name: string, capacity: number, observer: RelayObserver) {
    assert(capacity >= 1, 'a relay buffers at least one batch');
    this.name = name;
    this.capacity = capacity;
    this.#observer = observer;
  }

  /** Batches in the buffer. */
  get depth(): number {
    return this.#buffer.length;
  }

  /** Rows in the buffer and of waiting publishers. */
  get heldRows(): number {
    let rows = 0;
    for (const { batch } of this.#buffer) rows += batch.rowCount;
    for (const { batch } of this.#waiting) rows += batch.batch.rowCount;
    return rows;
  }

  /** Batches whose publishers wait for room. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Publishes a batch with all its shares.
   *
   * @returns undefined when the batch was admitted at once, else a promise of its admission
   */
  publish(batch: RelayBatch): Promise<void> | undefined {
    assert(batch.batch.rowCount > 0, 'a published batch has rows');
    if (this.#isClosed) {
      batch.acks.nack(`relay '${this.name}' is closed`);
      return undefined;
    }
    if (this.#waiting.length === 0 && this.#buffer.length < this.capacity) {
      this.#admit(batch);
      this.pump();
      return undefined;
    }
    return new Promise((admitted) => {
      this.#waiting.push({ batch, admitted });
    });
  }

  /** Adds a consumer of every batch that is not yet fanned out. */
  connect(consumer: RelayConsumer): void {
    this.#consumers = [...this.#consumers, consumer];
  }

  /** Removes a consumer; what it was given stays its own duty. */
  disconnect(consumer: RelayConsumer): void {
    this.#consumers = this.#consumers.filter((other) => other !== consumer);
    this.pump();
  }

  /** Moves batches on as far as there is room. Consumers call this when they have room again. */
  pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    try {
      while (this.#buffer.length > 0 && this.#consumers.every((consumer) => consumer.hasRoom())) {
        this.#fanOut();
        this.#admitWaiting();
      }
      this.#admitWaiting();
    } finally {
      this.#isPumping = false;
    }
  }

  /** Refuses everything buffered and waiting, and whatever is published later. */
  close(reason: string): void {
    this.#isClosed = true;
    for (const batch of this.#buffer) batch.acks.nack(reason);
    this.#buffer = [];
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const publisher of waiting) {
      publisher.batch.acks.nack(reason);
      publisher.admitted();
    }
  }

  #fanOut(): void {
    const batch = this.#buffer.shift();
    assert(batch !== undefined, 'fan-out takes a buffered batch');
    const consumers = this.#consumers;
    let attached = 0;
    for (const consumer of consumers) if (consumer.isAttached) attached += 1;
    batch.acks.attach(attached);
    for (const consumer of consumers) consumer.deliver(batch);
    batch.acks.ack();
    this.#observer.fannedOut(batch);
  }

  #admit(batch: RelayBatch): void {
    this.#buffer.push(batch);
    this.#observer.admitted(batch, this.#buffer.length);
  }

  #admitWaiting(): void {
    while (this.#buffer.length < this.capacity) {
      const publisher = this.#waiting.shift();
      if (publisher === undefined) return;
      this.#admit(publisher.batch);
      publisher.admitted();
    }
  }
}
