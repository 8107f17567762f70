import { greater } from './big-order.ts';
import type { Member } from './configuration.ts';
import { memberKey } from './member-id.ts';

/** A batch of entries on its way. */
interface Inflight {
  readonly batch: bigint;
  readonly lastIndex: bigint;
  readonly bytes: number;
}

/** How appends to one member are sent. */
export type ProgressState =
  /** One batch at a time, until the logs are known to match. */
  | 'probe'
  /** As many as the window admits. */
  | 'replicate'
  /** None until a snapshot has arrived. */
  | 'snapshot';

/** What the leader knows of one other member. */
export class Progress {
  /** As the newest configuration describes it. */
  member: Member;
  readonly key: string;
  /** Newest entry that the member is known to have durably. */
  match = 0n;
  /** First entry to be sent next. */
  next: bigint;
  state: ProgressState = 'probe';
  /** A probe is on its way. */
  isProbing = false;
  /** Tick at which the newest batch was sent. */
  sentTick: number;
  /** Number of the present stream of appends; answers to former ones free nothing. */
  generation: bigint;
  /** Match when the present stream was begun. */
  generationMatch = 0n;
  /** Tick of the last sign of life. */
  contactTick: number;
  /** Tick of the last answer to an append; `-Infinity` before the first. */
  answerTick: number = Number.NEGATIVE_INFINITY;
  /** Tick since which batches have been waiting for an answer. */
  stallTick: number;
  /** Newest commit index that the member was told. */
  commitSent = 0n;
  /** Snapshot on its way. */
  snapshotIndex: bigint | undefined;
  /** Snapshot that the member has received whole and may still be installing. */
  takenIndex: bigint | undefined;
  /** Newest snapshot that it was sent, until it has caught up. */
  heldIndex: bigint | undefined;
  /** Tick before which no further snapshot is begun. */
  snapshotRetryTick = 0;
  /** Number of the outstanding request for stored entries. */
  awaiting: bigint | undefined;
  /** Sending tick of the newest heartbeat that was answered; for leases. */
  leaseTick = -1;
  #roundTarget: bigint;
  #roundTick: number;
  #isRoundOpen = true;
  #wasRoundQuick = false;
  #inflights: Inflight[] = [];
  #inflightBytes = 0;
  #batch = 0n;

  /** @param generation greater than that of any stream that this leader sent the member before */
  constructor(member: Member, next: bigint, tick: number, generation: bigint) {
    this.member = member;
    this.generation = generation;
    this.key = memberKey(member);
    this.next = next;
    this.contactTick = tick;
    this.stallTick = tick;
    this.sentTick = tick;
    this.#roundTarget = next - 1n;
    this.#roundTick = tick;
  }

  get inflightBatches(): number {
    return this.#inflights.length;
  }

  get inflightBytes(): number {
    return this.#inflightBytes;
  }

  /**
   * Records a batch that is sent and returns its number in the stream. A probe takes the place of
   * the one before, which is taken to be lost.
   */
  sent(lastIndex: bigint, bytes: number): bigint {
    if (this.state === 'probe') this.#forgetInflights();
    this.#batch += 1n;
    this.#inflights.push({ batch: this.#batch, lastIndex, bytes });
    this.#inflightBytes += bytes;
    return this.#batch;
  }

  /**
   * An answer to `batch` of the present stream arrived, and with it to all before. Returns the last
   * index that the batch carried.
   */
  answered(batch: bigint): bigint | undefined {
    let lastIndex: bigint | undefined;
    let freed = 0;
    for (const inflight of this.#inflights) {
      if (inflight.batch > batch) break;
      this.#inflightBytes -= inflight.bytes;
      lastIndex = inflight.lastIndex;
      freed += 1;
    }
    if (freed > 0) this.#inflights = this.#inflights.slice(freed);
    return lastIndex;
  }

  /**
   * Begins a new stream behind what the member has confirmed or taken. Answers to the former one
   * are on their own.
   */
  resetStream(next: bigint = greater(this.match, this.takenIndex ?? 0n) + 1n): void {
    this.generation += 1n;
    this.generationMatch = this.match;
    this.#batch = 0n;
    this.#forgetInflights();
    this.state = 'probe';
    this.isProbing = false;
    this.next = next;
    this.awaiting = undefined;
    this.snapshotIndex = undefined;
  }

  /** Takes note of a confirmed index. Returns whether it is news. */
  confirm(match: bigint): boolean {
    if (match <= this.match) return false;
    this.match = match;
    if (this.next <= match) this.next = match + 1n;
    return true;
  }

  /**
   * Measures catching up in rounds: a round ends when everything is confirmed that was in the log
   * when it began. While nothing is missing there is none. Source: the Raft dissertation, 4.2.1.
   */
  measure(lastIndex: bigint, tick: number, ticksMax: number): void {
    if (this.match < this.#roundTarget) return;
    if (this.#isRoundOpen) this.#wasRoundQuick = tick - this.#roundTick < ticksMax;
    this.#isRoundOpen = this.match < lastIndex;
    // A round without entries is over at once: after a slow one, none with entries may ever follow.
    if (!this.#isRoundOpen) this.#wasRoundQuick = true;
    this.#roundTarget = lastIndex;
    this.#roundTick = tick;
  }

  /** Whether the last round was quick and the present one can still be. */
  isCaughtUp(tick: number, ticksMax: number): boolean {
    if (this.state !== 'replicate' || !this.#wasRoundQuick) return false;
    return !this.#isRoundOpen || tick - this.#roundTick < ticksMax;
  }

  #forgetInflights(): void {
    this.#inflights = [];
    this.#inflightBytes = 0;
  }
}
