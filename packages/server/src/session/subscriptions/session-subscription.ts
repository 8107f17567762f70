import type { SubscriptionDelivery } from '@nervix/model';
import type { SubscriptionEvent } from '@nervix/runtime/data-plane';
import type { OutboundLanes } from '../outbound-lanes.js';
import {
  endedFrame,
  lostFrame,
  rowsFrame,
  type SubscriptionSubject,
  skippedFrame,
} from './subscription-frames.js';

/** How a subscription delivers. */
export interface DeliverySettings {
  readonly delivery: SubscriptionDelivery;
  /** Row frames that may be sent before more are granted; undefined: as many as the lane takes. */
  readonly windowFrames: number | undefined;
  readonly frameBytes: number;
}

type CellsEvent = Extract<SubscriptionEvent, { readonly kind: 'cells' }>;

/**
 * One subscription on its way to a client. A BLOCKING one lets its source wait for room in the lane
 * and for credit; a DROPPING one leaves rows out instead, and says how many before the next ones.
 */
export class SessionSubscription {
  readonly subject: SubscriptionSubject;
  readonly #lanes: OutboundLanes;
  readonly #settings: DeliverySettings;
  readonly #onEnded: () => void;
  #credit: number;
  #granted: PromiseWithResolvers<void> | undefined;
  #last: Promise<void> = Promise.resolve();
  #lostRows = 0;
  #skippedRows = 0;
  #isClosed = false;

  /** @param onEnded told when the source ended the subscription */
  constructor(
    subject: SubscriptionSubject,
    lanes: OutboundLanes,
    settings: DeliverySettings,
    onEnded: () => void,
  ) {
    this.subject = subject;
    this.#lanes = lanes;
    this.#settings = settings;
    this.#onEnded = onEnded;
    this.#credit = settings.windowFrames ?? Number.POSITIVE_INFINITY;
  }

  /** Lets more row frames go out. */
  grant(frames: number): void {
    this.#credit += frames;
    this.#granted?.resolve();
    this.#granted = undefined;
  }

  /** Sends nothing any more, what waits for its turn included. */
  close(): void {
    this.#isClosed = true;
    this.#lanes.dropRowsOf(this);
    this.grant(1);
  }

  /** Takes an event of the source; the promise says when it may send more. */
  read(event: SubscriptionEvent): Promise<void> | undefined {
    if (this.#isClosed) return undefined;
    if (event.kind === 'ended' || this.#settings.delivery === 'BLOCKING') {
      this.#last = this.#last.then(() => this.#deliver(event));
      return this.#last;
    }
    this.#offer(event);
    return undefined;
  }

  async #deliver(event: SubscriptionEvent): Promise<void> {
    if (this.#isClosed) return;
    switch (event.kind) {
      case 'cells': {
        const frame = this.#rowsFrame(event);
        if (frame === undefined) return this.#send(this.#unencodable(event));
        while (this.#credit <= 0) await this.#nextGrant();
        this.#credit -= 1;
        return this.#send(frame);
      }
      case 'lost':
        return this.#send(lostFrame(this.subject, event.rowCount));
      case 'skipped':
        return this.#send(skippedFrame(this.subject, 'FilterFailed', event.rowCount));
      case 'ended':
        await this.#tellRest();
        await this.#send(endedFrame(this.subject, event.reason));
        this.#isClosed = true;
        return this.#onEnded();
      case 'rows':
        return undefined;
    }
  }

  /** Sends what there is room for, and counts the rest. */
  #offer(event: SubscriptionEvent): void {
    switch (event.kind) {
      case 'lost':
        this.#lostRows += event.rowCount;
        return;
      case 'skipped':
        this.#skippedRows += event.rowCount;
        this.#tellCounts();
        return;
      case 'cells':
        this.#offerRows(event);
        return;
      default:
    }
  }

  #offerRows(event: CellsEvent): void {
    const hasRoom = this.#credit > 0 && this.#tellCounts() && this.#lanes.hasRowRoom;
    if (!hasRoom) {
      this.#lostRows += event.rowCount;
      return;
    }
    const frame = this.#rowsFrame(event);
    if (frame !== undefined) this.#credit -= 1;
    void this.#send(frame ?? this.#unencodable(event));
  }

  /** Tells of rows that were left out; false while there is no room for that. */
  #tellCounts(): boolean {
    if (this.#skippedRows > 0) {
      if (!this.#lanes.hasRowRoom) return false;
      void this.#send(skippedFrame(this.subject, 'FilterFailed', this.#skippedRows));
      this.#skippedRows = 0;
    }
    if (this.#lostRows > 0) {
      if (!this.#lanes.hasRowRoom) return false;
      void this.#send(lostFrame(this.subject, this.#lostRows));
      this.#lostRows = 0;
    }
    return true;
  }

  /** Tells of rows that were left out and have no next ones to be told before. */
  async #tellRest(): Promise<void> {
    const [skipped, lost] = [this.#skippedRows, this.#lostRows];
    this.#skippedRows = 0;
    this.#lostRows = 0;
    if (skipped > 0) await this.#send(skippedFrame(this.subject, 'FilterFailed', skipped));
    if (lost > 0) await this.#send(lostFrame(this.subject, lost));
  }

  #rowsFrame(event: CellsEvent): Uint8Array | undefined {
    const frame = rowsFrame(this.subject, event);
    return frame.length > this.#settings.frameBytes ? undefined : frame;
  }

  #unencodable({ rowCount }: CellsEvent): Uint8Array {
    return skippedFrame(this.subject, 'EncodingFailed', rowCount);
  }

  #send(frame: Uint8Array): Promise<void> {
    return this.#isClosed ? Promise.resolve() : this.#lanes.rows(frame, this);
  }

  #nextGrant(): Promise<void> {
    this.#granted ??= Promise.withResolvers<void>();
    return this.#granted.promise;
  }
}
