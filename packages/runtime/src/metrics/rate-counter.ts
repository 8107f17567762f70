import type { CounterRates } from './metric-sample.js';

/** Averages forget with a time constant of this part of their window. */
const WINDOW_PARTS = 20;
const TAU_1M_MS = 60_000 / WINDOW_PARTS;
const TAU_15M_MS = 900_000 / WINDOW_PARTS;

/**
 * Observations that follow a fold by less than this count as one observation. It bounds the work
 * of a fast series, and keeps two observations at almost the same instant from reading as an
 * enormous rate.
 */
const FOLD_MS = 100;
const FOLD_WEIGHT_1M = weight(FOLD_MS, TAU_1M_MS);
const FOLD_WEIGHT_15M = weight(FOLD_MS, TAU_15M_MS);

/**
 * A counter of traffic that knows how fast it grows. Adding costs a few additions; averages move
 * at most once per {@link FOLD_MS} and when read.
 */
export class RateCounter {
  #value = 0;
  readonly #createdMs: number;
  #firstMs = Number.NaN;
  #lastMs = Number.NaN;
  /** Up to when the averages are computed; what came later is `#open`. */
  #foldedMs = Number.NaN;
  #openAmount = 0;
  #isOpen = false;
  /** NaN until the second observation. */
  #ema1m = Number.NaN;
  #ema15m = Number.NaN;

  /** @param nowMs monotonic time from which the rate of the whole series is counted */
  constructor(nowMs: number) {
    this.#createdMs = nowMs;
  }

  get value(): number {
    return this.#value;
  }

  /** @param nowMs monotonic time, never before that of an earlier call */
  add(amount: number, nowMs: number): void {
    this.#value += amount;
    this.#lastMs = nowMs;
    if (nowMs - this.#foldedMs < FOLD_MS) {
      this.#openAmount += amount;
      this.#isOpen = true;
    } else {
      this.#fold(amount, nowMs);
    }
  }

  /** The rates at `nowMs`. Nothing changes by reading them. */
  rates(nowMs: number): CounterRates {
    const ageMs = nowMs - this.#createdMs;
    const spanMs = this.#lastMs - this.#firstMs;
    const ema1m = this.#shown(this.#ema1m, FOLD_WEIGHT_1M, TAU_1M_MS, nowMs);
    const ema15m = this.#shown(this.#ema15m, FOLD_WEIGHT_15M, TAU_15M_MS, nowMs);
    return {
      wall: { perSec: ageMs > 0 ? perSecond(this.#value, ageMs) : 0, ema1m, ema15m },
      domain: { perSec: spanMs > 0 ? perSecond(this.#value, spanMs) : null, ema1m, ema15m },
    };
  }

  #fold(amount: number, nowMs: number): void {
    if (Number.isNaN(this.#firstMs)) {
      this.#firstMs = nowMs;
      this.#foldedMs = nowMs;
      return;
    }
    if (this.#isOpen) {
      const rate = perSecond(this.#openAmount, FOLD_MS);
      this.#ema1m = moved(this.#ema1m, rate, FOLD_WEIGHT_1M);
      this.#ema15m = moved(this.#ema15m, rate, FOLD_WEIGHT_15M);
      this.#foldedMs += FOLD_MS;
      this.#openAmount = 0;
      this.#isOpen = false;
    }
    const elapsedMs = nowMs - this.#foldedMs;
    if (elapsedMs < FOLD_MS) {
      this.#openAmount = amount;
      this.#isOpen = true;
      return;
    }
    const rate = perSecond(amount, elapsedMs);
    this.#ema1m = moved(this.#ema1m, rate, weight(elapsedMs, TAU_1M_MS));
    this.#ema15m = moved(this.#ema15m, rate, weight(elapsedMs, TAU_15M_MS));
    this.#foldedMs = nowMs;
  }

  /** An average with what is open folded in, as it has decayed by now; null before it started. */
  #shown(ema: number, foldWeight: number, tauMs: number, nowMs: number): number | null {
    const folded = this.#isOpen
      ? moved(ema, perSecond(this.#openAmount, FOLD_MS), foldWeight)
      : ema;
    if (Number.isNaN(folded)) return null;
    const quietMs = nowMs - this.#foldedMs - (this.#isOpen ? FOLD_MS : 0);
    return quietMs > 0 ? folded * Math.exp(-quietMs / tauMs) : folded;
  }
}

/** How much of a new rate an average takes after `elapsedMs`. */
function weight(elapsedMs: number, tauMs: number): number {
  return 1 - Math.exp(-elapsedMs / tauMs);
}

function moved(ema: number, rate: number, share: number): number {
  return Number.isNaN(ema) ? rate : ema + share * (rate - ema);
}

function perSecond(amount: number, ms: number): number {
  return (amount * 1000) / ms;
}
