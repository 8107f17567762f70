import type { QuiescePlan } from '@nervix/model';
import type { IntakeRequest } from '../connector/http/http-intake.js';
import type { PendingRequest } from './ack-window.js';
import type { Settle } from './endpoint-intake.js';

/** A body that an ingestor hands on to its successor. */
export interface HeldBody {
  readonly request: IntakeRequest;
  /** Whom to tell what becomes of it; null when it is already answered. */
  readonly settle: Settle | null;
  /** When the caller must be told at the latest, on the monotonic clock; null without limit. */
  readonly dueMs: number | null;
}

/** A body on its way into an ingest group. */
export interface WaitingBody {
  readonly request: IntakeRequest;
  /** Whom to tell what becomes of it; null when it is already answered, or its slot tells. */
  readonly settle: Settle | null;
  /** Its slot, where requests wait for their outcome. */
  readonly slot: PendingRequest | null;
}

/** Bodies in arrival order. The queue itself has no bound: who adds one asks for room first. */
export class BodyQueue {
  #bodies = new Set<WaitingBody>();
  /** Stands before the first body; a fresh one would pass over every place left empty. */
  #cursor = this.#bodies.values();
  #bytes = 0;

  get length(): number {
    return this.#bodies.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Bodies that hold a slot. */
  get waiting(): number {
    let waiting = 0;
    for (const { slot } of this.#bodies) if (slot !== null) waiting += 1;
    return waiting;
  }

  hasRoom(request: IntakeRequest, maxBytes: number): boolean {
    return this.#bytes + request.body.length <= maxBytes;
  }

  push(body: WaitingBody): void {
    this.#bodies.add(body);
    this.#bytes += body.request.body.length;
  }

  shift(): WaitingBody | undefined {
    let next = this.#cursor.next();
    if (next.done === true) {
      this.#cursor = this.#bodies.values();
      next = this.#cursor.next();
    }
    if (next.done === true) return undefined;
    this.remove(next.value);
    return next.value;
  }

  /** Takes out a body, if it is there. */
  remove(body: WaitingBody): void {
    if (this.#bodies.delete(body)) this.#bytes -= body.request.body.length;
  }

  /** Takes all bodies out. */
  takeAll(): readonly WaitingBody[] {
    const bodies = [...this.#bodies];
    this.#bodies = new Set();
    this.#cursor = this.#bodies.values();
    this.#bytes = 0;
    return bodies;
  }
}

/** Bytes a hold may keep under a quiesce mode. */
export function quiesceBytes(plan: QuiescePlan): number {
  return plan.kind === 'buffer' ? Number(plan.maxBytes) : 0;
}

/** Whole seconds, rounded up, after which a rejected caller may try again. */
export function retryAfterSeconds(plan: QuiescePlan): number {
  if (plan.kind !== 'reject') return 0;
  return Number((plan.retryAfterNanos + 999_999_999n) / 1_000_000_000n);
}
