import type { QuiescePlan } from '@nervix/model';
import type { IntakeRequest } from '../connector/http/http-intake.js';
import type { OfferOutcome } from './endpoint-intake.js';

/** A body that waits, and whom to tell what becomes of it; null when it is already answered. */
export interface HeldBody {
  readonly request: IntakeRequest;
  readonly settle: ((outcome: OfferOutcome) => void) | null;
}

/** Bodies kept in arrival order under a bound of their bytes. */
export class BodyQueue {
  readonly #maxBytes: number;
  #bodies: HeldBody[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get length(): number {
    return this.#bodies.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @returns false, keeping nothing, when the body does not fit */
  push(held: HeldBody): boolean {
    const bytes = held.request.body.length;
    if (this.#bytes + bytes > this.#maxBytes) return false;
    this.#bodies.push(held);
    this.#bytes += bytes;
    return true;
  }

  shift(): HeldBody | undefined {
    const held = this.#bodies.shift();
    if (held !== undefined) this.#bytes -= held.request.body.length;
    return held;
  }

  /** Takes all bodies out. */
  takeAll(): readonly HeldBody[] {
    const bodies = this.#bodies;
    this.#bodies = [];
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
