import {
  type RowSchema as RowSchemaFrame,
  readRows,
  type SubscriptionDeliveryLost,
  type SubscriptionEnded,
  type SubscriptionRows,
  type SubscriptionRowsSkipped,
} from '@nervix/protocol/session';
import type { RowSchema, Subscription, SubscriptionRecord } from '../subscription.js';
import { rowOf, schemaOf } from './row-cells.js';

/** What a session brings for a subscription. */
export type SubscriptionFrame =
  | SubscriptionRows
  | SubscriptionDeliveryLost
  | SubscriptionRowsSkipped
  | SubscriptionEnded;

/** What a subscription asks of the session that it is open on. */
export interface SubscriptionActions {
  /** Lets the server send one more frame of rows. */
  readonly grant: () => void;
  readonly close: () => void;
}

/** Records of one event, and whether it was a frame that took credit. */
interface QueuedEvent {
  readonly records: readonly SubscriptionRecord[];
  readonly hasCredit: boolean;
}

/**
 * A live view of a relay over sessions. It survives them: records between `interrupted` and
 * `restored` are missing. The server sends as many frames as the iteration has taken, and a window.
 */
export class SessionSubscription implements Subscription {
  readonly domain: string;
  readonly relay: string;
  readonly #actions: SubscriptionActions;
  readonly #closing: AbortController = new AbortController();
  readonly #queue: QueuedEvent[] = [];
  #frameSchema: RowSchemaFrame;
  #schema: RowSchema;
  #failure: Error | undefined;
  #wake: () => void = () => undefined;

  constructor(
    opened: { readonly domain: string; readonly relay: string; readonly schema: RowSchemaFrame },
    actions: SubscriptionActions,
  ) {
    this.domain = opened.domain;
    this.relay = opened.relay;
    this.#frameSchema = opened.schema;
    this.#schema = schemaOf(opened.schema);
    this.#actions = actions;
  }

  get schema(): RowSchema {
    return this.#schema;
  }

  /** Fires when the subscription is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /**
   * Takes a frame of the session.
   *
   * @returns what is wrong with it, or undefined
   */
  take(frame: SubscriptionFrame): string | undefined {
    switch (frame.t) {
      case 'SubscriptionRows':
        return this.#takeRows(frame);
      case 'SubscriptionDeliveryLost':
        this.#push({ lost: Number(frame.dropped_rows) });
        return undefined;
      case 'SubscriptionRowsSkipped': {
        const { cause, skipped_rows, message } = frame;
        this.#push({ skipped: { cause, rows: Number(skipped_rows), message } });
        return undefined;
      }
      case 'SubscriptionEnded':
        this.#push({ ended: { reason: frame.reason, message: frame.message } });
        return undefined;
    }
  }

  /** Tells that the session is gone, and that another one is asked for. */
  interrupt(reason: string): void {
    this.#push({ interrupted: { reason } });
  }

  /** Goes on with a new session. */
  restore(schema: RowSchemaFrame): void {
    this.#frameSchema = schema;
    this.#schema = schemaOf(schema);
    this.#push({ restored: { schema: this.#schema } });
  }

  /** Tells that no session has taken it up again yet. */
  restorationFailed(message: string, nextAttemptMs: number): void {
    this.#push({ restorationFailed: { message, nextAttemptMs } });
  }

  /** Ends the iteration with an error, behind what has come. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#wake();
  }

  close(): void {
    if (this.closing.aborted) return;
    this.#closing.abort();
    this.#queue.length = 0;
    this.#actions.close();
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SubscriptionRecord, void> {
    try {
      for (;;) {
        const event = await this.#next();
        if (event === undefined) return;
        for (const record of event.records) {
          if (this.closing.aborted) return;
          yield record;
          if ('ended' in record) return;
        }
        if (event.hasCredit) this.#actions.grant();
      }
    } finally {
      this.close();
    }
  }

  async #next(): Promise<QueuedEvent | undefined> {
    while (!this.closing.aborted) {
      const event = this.#queue.shift();
      if (event !== undefined) return event;
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return undefined;
  }

  #takeRows(frame: SubscriptionRows): string | undefined {
    const { fields, branch } = this.#frameSchema;
    const reading = readRows(frame, this.#frameSchema);
    if (reading.kind === 'invalid') return reading.message;
    const { branchKey } = reading;
    const key =
      branchKey === undefined || branch === undefined
        ? {}
        : { key: rowOf(branchKey, branch.fields) };
    const records = reading.rows.map((cells) => ({ row: rowOf(cells, fields), ...key }));
    this.#queue.push({ records, hasCredit: true });
    this.#wake();
    return undefined;
  }

  #push(record: SubscriptionRecord): void {
    if (this.closing.aborted) return;
    this.#queue.push({ records: [record], hasCredit: false });
    this.#wake();
  }
}
