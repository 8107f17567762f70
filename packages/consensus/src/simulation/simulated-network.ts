import type { FaultPlan } from './fault-plan.ts';
import type { RandomSource } from './random-source.ts';

/** What becomes of one message: when its copies arrive, and whether the sender notices a loss. */
export interface Route {
  readonly delays: readonly number[];
  readonly isLossNoticed: boolean;
}

const LOST: Route = { delays: [], isLossNoticed: false };
const RESET: Route = { delays: [], isLossNoticed: true };

/** Links between nodes, by their numbers. Faults are per link and direction. */
export class SimulatedNetwork {
  readonly #plan: FaultPlan;
  readonly #random: RandomSource;
  readonly #size: number;
  readonly #cut: Uint8Array;
  /** Time before which the next message of an ordered stream does not arrive. */
  readonly #streamTimes: Float64Array;
  /** Without faults every message arrives soon and once. */
  isCalm = false;
  lost = 0;
  duplicates = 0;
  late = 0;

  constructor(plan: FaultPlan, size: number, random: RandomSource) {
    this.#plan = plan;
    this.#random = random;
    this.#size = size;
    this.#cut = new Uint8Array(size * size);
    this.#streamTimes = new Float64Array(size * size);
  }

  /** Stops what `from` sends to `to`. */
  cut(from: number, to: number): void {
    this.#cut[from * this.#size + to] = 1;
  }

  isCut(from: number, to: number): boolean {
    return this.#cut[from * this.#size + to] === 1;
  }

  restoreAll(): void {
    this.#cut.fill(0);
  }

  route(from: number, to: number, now: number, isStream: boolean): Route {
    if (this.isCut(from, to)) {
      this.lost += 1;
      return isStream && this.#random.chance(0.3) ? RESET : LOST;
    }
    if (this.isCalm) return { delays: [1 + this.#random.below(3)], isLossNoticed: false };
    const plan = this.#plan;
    if (this.#random.chance(plan.lossShare)) {
      this.lost += 1;
      return isStream && plan.ordersStreams ? RESET : LOST;
    }
    const delays = [this.#delay(from * this.#size + to, now, isStream)];
    if (this.#random.chance(plan.duplicateShare)) {
      this.duplicates += 1;
      delays.push(this.#random.between(1, plan.delayMax));
    }
    if (this.#random.chance(plan.lateShare)) {
      this.late += 1;
      delays.push(this.#random.between(plan.delayMax, plan.lateMax));
    }
    return { delays, isLossNoticed: false };
  }

  #delay(link: number, now: number, isStream: boolean): number {
    const delay = this.#random.between(1, this.#plan.delayMax);
    if (!isStream || !this.#plan.ordersStreams) return delay;
    const time = Math.max(now + delay, this.#streamTimes[link] ?? 0);
    this.#streamTimes[link] = time;
    return time - now;
  }
}
