/** A signal that asks the process to stop. */
export type StopSignal = 'SIGINT' | 'SIGTERM';

/** What the control of a stop does to its process. */
export interface StopEffects {
  onSignal(signal: StopSignal, listener: () => void): void;
  /** Ends the process at once. */
  exit(code: number): void;
  /** Monotonic milliseconds. */
  now(): number;
  after(ms: number, act: () => void): void;
}

/** Where a stop says what it does. */
export interface StopLog {
  info(message: string, fields?: { readonly signal: StopSignal }): void;
  warn(message: string, fields?: { readonly signal: StopSignal }): void;
}

/** Exit status of a process that a repeated signal ends. */
const REPEATED_EXIT: Readonly<Record<StopSignal, number>> = { SIGINT: 130, SIGTERM: 143 };

/** Exit status of a stop that was not graceful. */
const FORCED_EXIT = 1;

/**
 * Turns the first SIGINT or SIGTERM into a request to stop and the next one into an immediate end.
 * One deadline runs from the first signal, also when that comes before the node is up.
 */
export class StopControl {
  readonly #effects: StopEffects;
  readonly #requested = Promise.withResolvers<StopSignal>();
  #first: { readonly signal: StopSignal; readonly atMs: number } | undefined;
  #log: StopLog | undefined;
  #timeoutMs: number | undefined;

  constructor(effects: StopEffects) {
    this.#effects = effects;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      effects.onSignal(signal, () => this.#received(signal));
    }
  }

  /** Resolves with the first signal. */
  get requested(): Promise<StopSignal> {
    return this.#requested.promise;
  }

  /** Gives the control its log and the length of its deadline, as soon as both are known. */
  configure(log: StopLog, timeoutMs: number): void {
    this.#log = log;
    this.#timeoutMs = timeoutMs;
    if (this.#first !== undefined) this.#announce(this.#first.signal);
  }

  #received(signal: StopSignal): void {
    if (this.#first !== undefined) {
      this.#log?.warn('repeated termination signal received; abandoning graceful shutdown', {
        signal,
      });
      this.#effects.exit(REPEATED_EXIT[signal]);
      return;
    }
    this.#first = { signal, atMs: this.#effects.now() };
    if (this.#log !== undefined) this.#announce(signal);
    this.#requested.resolve(signal);
  }

  #announce(signal: StopSignal): void {
    this.#log?.info('termination signal received; requesting graceful shutdown', { signal });
    if (this.#timeoutMs === undefined || this.#first === undefined) return;
    const passed = this.#effects.now() - this.#first.atMs;
    this.#effects.after(Math.max(0, this.#timeoutMs - passed), () => {
      this.#log?.warn('shutdown deadline expired; abandoning graceful shutdown', { signal });
      this.#effects.exit(FORCED_EXIT);
    });
  }
}

/** The effects on this process. */
export const processEffects: StopEffects = {
  onSignal: (signal, listener) => {
    process.on(signal, listener);
  },
  exit: (code) => process.exit(code),
  now: () => performance.now(),
  after: (ms, act) => {
    // Keeps the process: a stop that waits for nothing real must still end by its deadline.
    setTimeout(act, ms);
  },
};
