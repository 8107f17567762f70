const PACE_MS = 100;
/** A user's attempts wait at most this long; more than that is refused instead. */
const WAIT_MS_MAX = 5_000;
const USERS_MAX = 4_096;

/** How an attempt may go on: at once, after its turn came, or not at all. */
export type Turn = 'free' | 'paced' | 'refused';

/** Time as the pacer needs it. */
export interface PacerClock {
  /** Monotonic milliseconds. */
  now(): number;
  wait(ms: number): Promise<void>;
}

/** After a failed attempt of a user lets that user's attempts through ten a second. */
export class AttemptPacer {
  readonly #clock: PacerClock;
  /** Users whose last attempt failed, with the time of their next turn, least recent first. */
  readonly #nextTurns = new Map<string, number>();

  constructor(clock: PacerClock) {
    this.#clock = clock;
  }

  isFailing(user: string): boolean {
    return this.#nextTurns.has(user);
  }

  /** Waits for the user's turn. */
  async turn(user: string): Promise<Turn> {
    const next = this.#nextTurns.get(user);
    if (next === undefined) return 'free';
    const now = this.#clock.now();
    const at = Math.max(now, next);
    if (at - now > WAIT_MS_MAX) return 'refused';
    this.#set(user, at + PACE_MS);
    if (at > now) await this.#clock.wait(at - now);
    return 'paced';
  }

  failed(user: string): void {
    const next = this.#clock.now() + PACE_MS;
    this.#set(user, Math.max(next, this.#nextTurns.get(user) ?? 0));
  }

  succeeded(user: string): void {
    this.#nextTurns.delete(user);
  }

  #set(user: string, next: number): void {
    this.#nextTurns.delete(user);
    this.#nextTurns.set(user, next);
    if (this.#nextTurns.size <= USERS_MAX) return;
    const [oldest] = this.#nextTurns.keys();
    if (oldest !== undefined) this.#nextTurns.delete(oldest);
  }
}
