import {
  ACCEPTED,
  ACKNOWLEDGED,
  type HttpAnswer,
  type HttpIntake,
  type IntakeRequest,
  refusal,
} from '../connector/http/http-intake.js';
import type { Series } from '../metrics/metric-store.js';

/** What one ingestor made of a body. */
export type OfferOutcome =
  /** Decoded by an ingestor that does not wait. */
  | { readonly kind: 'decoded' }
  /** Held, undecoded, until intake resumes. */
  | { readonly kind: 'buffered' }
  | { readonly kind: 'acknowledged' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'unknown' }
  /** `line` is the line at fault, from 1, of a body of lines. */
  | { readonly kind: 'undecodable'; readonly line: number | null }
  /** Held; null when nobody can say for how long. */
  | { readonly kind: 'rejected'; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'buffer_full' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'not_running' };

/** Told what became of a body. */
export type Settle = (outcome: OfferOutcome) => void;

/** An ingestor, as its endpoint sees it. */
export interface IntakeTarget {
  readonly name: string;
  /** Takes a body and settles exactly once, at once or later. */
  offer(request: IntakeRequest, settle: Settle): void;
}

const NOT_RUNNING = refusal(503, 'NOT_RUNNING', 'no running ingestor takes this request');

/** Joins the ingestors of an endpoint: each takes the body by itself, the answer is for all. */
export class EndpointIntake implements HttpIntake {
  #targets: readonly IntakeTarget[];
  readonly #responses: (status: number) => Series;
  readonly #series = new Map<number, Series>();

  /** @param responses counter of the answers with a status */
  constructor(targets: readonly IntakeTarget[], responses: (status: number) => Series) {
    this.#targets = targets;
    this.#responses = responses;
  }

  /** Replaces the ingestors for requests that are complete later. */
  setTargets(targets: readonly IntakeTarget[]): void {
    this.#targets = targets;
  }

  submit(request: IntakeRequest, answer: (answer: HttpAnswer) => void): void {
    const targets = this.#targets;
    const [only] = targets;
    if (only === undefined) {
      answer(NOT_RUNNING);
      return;
    }
    if (targets.length === 1) {
      only.offer(request, (outcome) => {
        answer(outcome.kind === 'decoded' ? ACCEPTED : combineOutcomes([[only.name, outcome]]));
      });
      return;
    }
    const outcomes: [string, OfferOutcome][] = [];
    for (const target of targets) {
      target.offer(request, (outcome) => {
        outcomes.push([target.name, outcome]);
        if (outcomes.length === targets.length) answer(combineOutcomes(outcomes));
      });
    }
  }

  answered(status: number): void {
    let series = this.#series.get(status);
    if (series === undefined) {
      series = this.#responses(status);
      this.#series.set(status, series);
    }
    series.value += 1;
  }
}

/** The one answer for what every ingestor of an endpoint made of a body. */
export function combineOutcomes(
  outcomes: readonly (readonly [ingestor: string, outcome: OfferOutcome])[],
): HttpAnswer {
  const has = (kind: OfferOutcome['kind']): boolean =>
    outcomes.some(([, outcome]) => outcome.kind === kind);
  if (has('failed')) return refusal(503, 'PROCESSING_FAILED', 'processing of the body failed');
  if (has('unknown')) {
    return refusal(504, 'OUTCOME_UNKNOWN', 'processing did not finish in time; it may still');
  }
  if (has('acknowledged')) return ACKNOWLEDGED;
  if (has('decoded') || has('buffered')) return ACCEPTED;
  if (has('undecodable')) return undecodable(outcomes);
  if (has('busy')) {
    return { ...refusal(503, 'BUSY', 'no capacity for another request'), retryAfterSeconds: 1 };
  }
  if (has('buffer_full')) return refusal(503, 'BUFFER_FULL', 'the intake buffer is full');
  return rejected(outcomes);
}

function undecodable(outcomes: readonly (readonly [string, OfferOutcome])[]): HttpAnswer {
  const ingestors = outcomes.flatMap(([ingestor, outcome]) =>
    outcome.kind === 'undecodable'
      ? [
          {
            ingestor,
            code: 'DECODE_FAILED',
            ...(outcome.line === null ? {} : { line: outcome.line }),
          },
        ]
      : [],
  );
  const message = 'no ingestor could decode the body';
  return { status: 422, error: { code: 'UNDECODABLE', message, ingestors } };
}

/** The hint is given only when every ingestor rejects for a while. */
function rejected(outcomes: readonly (readonly [string, OfferOutcome])[]): HttpAnswer {
  let retryAfterSeconds: number | null = 0;
  for (const [, outcome] of outcomes) {
    if (outcome.kind !== 'rejected') return NOT_RUNNING;
    if (outcome.retryAfterSeconds === null || retryAfterSeconds === null) retryAfterSeconds = null;
    else retryAfterSeconds = Math.max(retryAfterSeconds, outcome.retryAfterSeconds);
  }
  const held = refusal(503, 'QUIESCED', 'intake is held');
  return retryAfterSeconds === null ? held : { ...held, retryAfterSeconds };
}
