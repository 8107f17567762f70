import { AckSet } from '../ack/ack-set.js';
import type { Relay, RelayConsumer } from './relay.js';
import type { RelayBatch } from './relay-batch.js';

/**
 * The one-batch queue between a relay and a consuming node. A detached node reads batches whose
 * rows no source waits for.
 */
export class RelayInput implements RelayConsumer {
  readonly relay: Relay;
  readonly isAttached: boolean;
  readonly #available: () => void;
  #queued: RelayBatch | undefined;
  #isClosed = false;

  /** @param available called whenever a batch may be taken */
  constructor(relay: Relay, isAttached: boolean, available: () => void) {
    this.relay = relay;
    this.isAttached = isAttached;
    this.#available = available;
  }

  /** Starts to take batches. */
  open(): void {
    this.relay.connect(this);
  }

  get isEmpty(): boolean {
    return this.#queued === undefined;
  }

  /** Rows of the queued batch. */
  get heldRows(): number {
    return this.#queued?.batch.rowCount ?? 0;
  }

  hasRoom(): boolean {
    return this.#queued === undefined;
  }

  deliver(batch: RelayBatch): void {
    if (this.#isClosed) {
      if (this.isAttached) batch.acks.nack(`consumer of relay '${this.relay.name}' is closed`);
      return;
    }
    this.#queued = this.isAttached ? batch : { ...batch, acks: AckSet.NONE };
    this.#available();
  }

  /** Tells the sources of the queued rows that they are held on purpose. */
  keepAlive(): void {
    this.#queued?.acks.alive();
  }

  /** The queued batch, whose shares become the caller's; the relay may then deliver the next. */
  take(): RelayBatch | undefined {
    const batch = this.#queued;
    if (batch === undefined) return undefined;
    this.#queued = undefined;
    this.relay.pump();
    return batch;
  }

  /** Leaves the relay and refuses what is queued. */
  close(reason: string): void {
    this.#isClosed = true;
    this.#queued?.acks.nack(reason);
    this.#queued = undefined;
    this.relay.disconnect(this);
  }
}
