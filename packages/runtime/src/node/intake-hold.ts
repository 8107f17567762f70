import type { QuiescePlan } from '@nervix/model';
import type { IntakeRequest } from '../connector/http/http-intake.js';
import type { DomainMetrics } from '../metrics/domain-metrics.js';
import type { Series } from '../metrics/metric-store.js';
import type { OfferOutcome } from './endpoint-intake.js';
import { BodyQueue, quiesceBytes, retryAfterSeconds } from './quiesce-buffer.js';

/** Why intake is held. An ingestor that was not started yet counts as a domain pause. */
export type HoldCause = 'entity hold' | 'domain pause' | 'memory pressure';

/** The holds of an ingestor: their causes, the bodies kept through them, and what is counted. */
export class IntakeHold {
  /** What was kept. It goes in before everything that arrived later. */
  readonly bodies: BodyQueue = new BodyQueue();
  /** Bodies that were kept and then given up. */
  readonly dropped: Series;
  /** Bodies that were refused because of a hold. */
  readonly rejected: Series;
  readonly #plan: QuiescePlan;
  readonly #causes = new Set<HoldCause>(['domain pause']);
  readonly #records: Series;
  readonly #bytes: Series;

  constructor(plan: QuiescePlan, metrics: DomainMetrics, ingestor: string) {
    this.#plan = plan;
    this.dropped = metrics.counter('nervix_ingestor_quiesce_dropped_total', { ingestor });
    this.rejected = metrics.counter('nervix_ingestor_quiesce_rejected_total', { ingestor });
    this.#records = metrics.gauge('nervix_ingestor_quiesce_buffered_records', { ingestor });
    this.#bytes = metrics.gauge('nervix_ingestor_quiesce_buffered_bytes', { ingestor });
  }

  get isOn(): boolean {
    return this.#causes.size > 0;
  }

  get causes(): readonly HoldCause[] {
    return [...this.#causes];
  }

  add(cause: HoldCause): void {
    this.#causes.add(cause);
  }

  remove(cause: HoldCause): void {
    this.#causes.delete(cause);
  }

  /** Why a body cannot be kept now, which is counted; null when it can. */
  refusal(request: IntakeRequest): OfferOutcome | null {
    const outcome = this.#refusal(request);
    if (outcome !== null) this.rejected.value += 1;
    return outcome;
  }

  refreshMetrics(): void {
    this.#records.value = this.bodies.length;
    this.#bytes.value = this.bodies.bytes;
  }

  #refusal(request: IntakeRequest): OfferOutcome | null {
    const plan = this.#plan;
    if (plan.kind === 'reject') {
      return { kind: 'rejected', retryAfterSeconds: retryAfterSeconds(plan) };
    }
    // Short of memory, nothing more is kept; nobody can say for how long.
    if (this.#causes.has('memory pressure')) return { kind: 'rejected', retryAfterSeconds: null };
    return this.bodies.hasRoom(request, quiesceBytes(plan)) ? null : { kind: 'buffer_full' };
  }
}
