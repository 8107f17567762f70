import { assert, InvariantError } from '@nervix/model';
import { DispatchGate, type DispatchPass } from './dispatch-gate.js';
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
  readonly pass: DispatchPass;
  readonly admitted: () => void;
}

/** A publisher that the gate keeps out. */
interface FencedPublisher {
  readonly batch: RelayBatch;
  readonly publisher: string | undefined;
  readonly admitted: () => void;
}

/**
 * The owner of a relay's buffer. At most `capacity` batches are buffered; publishers beyond it wait
 * in order and nothing is dropped. The oldest batch goes to all consumers at once, when each has
 * room for it. A hold closes the gate, and freezes it while it changes the consumers.
 */
export class Relay {
  readonly name: string;
  readonly #observer: RelayObserver;
  readonly #gate = new DispatchGate();
  #capacity: number;
  #buffer: RelayBatch[] = [];
  #waiting: WaitingPublisher[] = [];
  #fenced: FencedPublisher[] = [];
  #consumers: readonly RelayConsumer[] = [];
  #isPumping = false;
  #isClosed = false;

  constructor(name: string, capacity: number, observer: RelayObserver) {
    assert(capacity >= 1, 'a relay buffers at least one batch');
    this.name = name;
    this.#capacity = capacity;
    this.#observer = observer;
  }

  /** Batches that fit into the buffer. */
  get capacity(): number {
    return this.#capacity;
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
    for (const { batch } of this.#fenced) rows += batch.batch.rowCount;
    return rows;
  }

  /** Batches whose publishers wait for room. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Batches whose publishers wait behind the closed gate. */
  get fenced(): number {
    return this.#fenced.length;
  }

  /** Whether nothing is buffered and no publisher that passed the gate is under way. */
  get isDrained(): boolean {
    const isQuiet = this.#gate.isQuiet && this.#gate.inFlightInside === 0;
    return this.#buffer.length === 0 && isQuiet;
  }

  /**
   * Publishes a batch with all its shares.
   *
   * @param publisher `KIND name` of the publishing node, by which a hold knows its own entities
   * @returns undefined when the batch was admitted at once, else a promise of its admission
   */
  publish(batch: RelayBatch, publisher?: string): Promise<void> | undefined {
    this.#checkSides(batch);
    if (this.#isClosed) {
      batch.acks.nack(`relay '${this.name}' is closed`);
      return undefined;
    }
    const pass = this.#gate.enter(publisher);
    if (pass === undefined) {
      return new Promise((admitted) => {
        this.#fenced.push({ batch, publisher, admitted });
      });
    }
    return this.#dispatch(batch, pass);
  }

  /**
   * Another capacity. Publishers go on at once as far as there is room now; batches beyond a smaller
   * one stay, and nobody is admitted until they have left.
   */
  setCapacity(capacity: number): void {
    assert(capacity >= 1, 'a relay buffers at least one batch');
    this.#capacity = capacity;
    this.pump();
  }

  /** Keeps publishers out, but for the entities of the hold (`KIND name`). */
  closeGate(entities: ReadonlySet<string>): void {
    this.#gate.close(entities);
  }

  /** Keeps everybody out: the drain is over, and the consumers are about to change. */
  freezeGate(): void {
    this.#gate.freeze();
  }

  /** Ends a hold: publishers that waited go on in their order. */
  openGate(): void {
    this.#gate.open();
    const fenced = this.#fenced;
    this.#fenced = [];
    for (const { batch, publisher, admitted } of fenced) {
      const admission = this.publish(batch, publisher);
      if (admission === undefined) admitted();
      else void admission.then(admitted);
    }
    this.pump();
  }

  /** Tells the sources of buffered rows that these are held on purpose. */
  keepAlive(): void {
    for (const { acks } of this.#buffer) acks.alive();
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
      while (this.#buffer.length > 0 && this.#mayFanOut()) {
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
    for (const { batch, pass, admitted } of waiting) {
      this.#gate.leave(pass);
      batch.acks.nack(reason);
      admitted();
    }
    const fenced = this.#fenced;
    this.#fenced = [];
    for (const { batch, admitted } of fenced) {
      batch.acks.nack(reason);
      admitted();
    }
  }

  /** Whoever publishes something else has lost track of its rows, all of which it fails. */
  #checkSides({ batch, low, high, acks }: RelayBatch): void {
    const { rowCount } = batch;
    assert(rowCount > 0, 'a published batch has rows');
    if (low.length === rowCount && high.length === rowCount && acks.isOf(rowCount)) return;
    acks.nack(`relay '${this.name}' was given rows without their watermarks or shares`);
    throw new InvariantError('invariant broken: every row has its watermarks and its share');
  }

  #dispatch(batch: RelayBatch, pass: DispatchPass): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#buffer.length < this.#capacity) {
      this.#gate.leave(pass);
      this.#admit(batch);
      this.pump();
      return undefined;
    }
    return new Promise((admitted) => {
      this.#waiting.push({ batch, pass, admitted });
    });
  }

  /** A frozen gate waits for nobody: the drain behind it has counted every batch. */
  #mayFanOut(): boolean {
    return this.#gate.isFrozen || this.#consumers.every((consumer) => consumer.hasRoom());
  }

  #fanOut(): void {
    const batch = this.#buffer.shift();
    assert(batch !== undefined, 'fan-out takes a buffered batch');
    if (this.#gate.isFrozen) {
      batch.acks.nack(`consumers of relay '${this.name}' are being replaced`);
      return;
    }
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
    while (this.#buffer.length < this.#capacity) {
      const publisher = this.#waiting.shift();
      if (publisher === undefined) return;
      this.#gate.leave(publisher.pass);
      this.#admit(publisher.batch);
      publisher.admitted();
    }
  }
}
