import type { Logger } from './logging/logger.js';

/** Parts of a stop, in order: no new requests; what was admitted is finished; everything closes. */
export type ShutdownPhase = 'admission' | 'drain-support' | 'terminal-teardown';

/** `Forced`: work was left behind, or a step failed. */
export type PhaseOutcome = 'Completed' | 'Forced';

/** One step of a phase. A step that says nothing has completed. */
export type ShutdownStep = () => Promise<PhaseOutcome | undefined> | PhaseOutcome | undefined;

/**
 * Runs the phases of a stop. A step that fails does not keep the next ones from running: what can be
 * closed is closed, whatever became of the rest.
 */
export class Shutdown {
  readonly #logger: Logger;
  #outcome: PhaseOutcome = 'Completed';
  #firstFailure: { readonly error: unknown } | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Runs the steps of a phase one after another, then logs the phase's outcome. */
  async phase(name: ShutdownPhase, steps: readonly ShutdownStep[]): Promise<void> {
    let outcome: PhaseOutcome = 'Completed';
    for (const step of steps) {
      try {
        if ((await step()) === 'Forced') outcome = 'Forced';
      } catch (error) {
        outcome = 'Forced';
        if (this.#firstFailure === undefined) this.#firstFailure = { error };
        else this.#logger.error('another step of the stop failed', { phase: name }, error);
      }
    }
    if (outcome === 'Forced') this.#outcome = 'Forced';
    this.#logger.info(`shutdown ${name} phase finished`, { outcome });
  }

  /**
   * The outcome of all phases.
   *
   * @throws what the first failed step threw
   */
  finish(): PhaseOutcome {
    if (this.#firstFailure !== undefined) throw this.#firstFailure.error;
    return this.#outcome;
  }
}
