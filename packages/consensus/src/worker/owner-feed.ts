import type { NodeChange } from '../node/change-feed.ts';
import type { AppliedPosition, StateRecord, StateWrite } from '../storage/log-storage.ts';
import { recordName } from '../storage/record-name.ts';
import { packWrites } from './packing.ts';
import type {
  FeedReport,
  PortEvent,
  WorkerReport,
  WorkerRequest,
  WorkerStatus,
} from './worker-protocol.ts';

const MEBIBYTE = 1_024 * 1_024;

/** Bytes of reports on the way to an owner that has not taken them, above which they wait. */
export const FEED_BYTES_MAX: number = 8 * MEBIBYTE;

/** How much an owner takes until it says so. */
const CREDIT_BYTES = MEBIBYTE;

/** What a report occupies beside its records. */
const REPORT_BYTES = 1_024;

/** Posts a report, with memory that goes along. */
export type PostReport = (report: WorkerReport, transferred?: Uint8Array) => void;

function feedBytes(report: FeedReport): number {
  return 'packed' in report ? REPORT_BYTES + report.packed.length : REPORT_BYTES;
}

/** Changes for an owner that cannot take them now: of each record, the newest. */
class HeldWrites {
  readonly #writes = new Map<string, StateWrite>();
  #applied: AppliedPosition | undefined;

  add(writes: readonly StateWrite[], applied: AppliedPosition): void {
    for (const { key, value } of writes) {
      // They may be held for long, and would keep the memory of their neighbours.
      const own = { key: new Uint8Array(key), value: value && new Uint8Array(value) };
      this.#writes.set(recordName(key), own);
    }
    this.#applied = applied;
  }

  get isEmpty(): boolean {
    return this.#applied === undefined;
  }

  take():
    | { readonly writes: readonly StateWrite[]; readonly applied: AppliedPosition }
    | undefined {
    const applied = this.#applied;
    if (applied === undefined) return undefined;
    const writes = [...this.#writes.values()];
    this.clear();
    return { writes, applied };
  }

  clear(): void {
    this.#writes.clear();
    this.#applied = undefined;
  }
}

/**
 * What a worker tells its owner without being asked, no faster than the owner takes it: an owner
 * that stands still would otherwise find everything since then in its queue. Then records of a
 * restored state wait, changes of records and of the status grow into one, and events are lost.
 * Whatever answers a call comes after all that happened before.
 */
export class OwnerFeed {
  readonly #post: PostReport;
  readonly #held = new HeldWrites();
  #change: (() => FeedReport) | undefined;
  #untakenBytes = 0;
  #room: PromiseWithResolvers<void> | undefined;

  constructor(post: PostReport) {
    this.#post = post;
  }

  event(event: PortEvent): void {
    if (this.#hasRoom) this.#tell({ kind: 'event', event });
  }

  /** Tells of the newest change with the status as it is then. */
  changed(change: NodeChange, status: () => WorkerStatus): void {
    this.#change = () => ({ kind: 'changed', change, status: status() });
    if (this.#hasRoom) this.#release();
  }

  /** Tells of durable changes up to `applied`. */
  written(writes: readonly StateWrite[], applied: AppliedPosition): void {
    if (this.#hasRoom && this.#held.isEmpty) this.#tellWrites(writes, applied);
    else this.#held.add(writes, applied);
  }

  /** Tells a part of the records that take the place of all; resolves when the next may follow. */
  async restored(
    records: readonly StateRecord[],
    isFirst: boolean,
    applied: AppliedPosition | undefined,
  ): Promise<void> {
    if (isFirst) this.#held.clear();
    const packed = packWrites(records);
    this.#tell({ kind: 'records', packed, isFirst, applied }, packed);
    while (!this.#hasRoom) {
      this.#room ??= Promise.withResolvers();
      await this.#room.promise;
    }
  }

  /** Answers a call. */
  answer(report: WorkerReport, transferred?: Uint8Array): void {
    this.#release();
    this.#post(report, transferred);
  }

  /** The owner has taken so many bytes. */
  taken(bytes: number): void {
    this.#untakenBytes -= bytes;
    if (!this.#hasRoom) return;
    this.#room?.resolve();
    this.#room = undefined;
    this.#release();
  }

  get #hasRoom(): boolean {
    return this.#untakenBytes < FEED_BYTES_MAX;
  }

  #release(): void {
    const held = this.#held.take();
    if (held !== undefined) this.#tellWrites(held.writes, held.applied);
    const change = this.#change;
    this.#change = undefined;
    if (change !== undefined) this.#tell(change());
  }

  #tellWrites(writes: readonly StateWrite[], applied: AppliedPosition): void {
    const packed = packWrites(writes);
    this.#tell({ kind: 'writes', packed, applied }, packed);
  }

  #tell(report: FeedReport, transferred?: Uint8Array): void {
    this.#untakenBytes += feedBytes(report);
    this.#post(report, transferred);
  }
}

/** The owner's end of an {@link OwnerFeed}: says how much was taken. */
export class FeedCredit {
  readonly #post: (request: WorkerRequest) => void;
  #bytes = 0;

  constructor(post: (request: WorkerRequest) => void) {
    this.#post = post;
  }

  /** The owner is done with a report. */
  took(report: FeedReport): void {
    this.#bytes += feedBytes(report);
    if (this.#bytes < CREDIT_BYTES) return;
    this.#post({ kind: 'taken', bytes: this.#bytes });
    this.#bytes = 0;
  }
}
