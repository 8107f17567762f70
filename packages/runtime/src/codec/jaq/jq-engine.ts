import { IsolatedThread } from './isolated-thread.js';

/** Longest that one evaluation may take. */
export const EVALUATION_MS_MAX = 2_000;
/** Most memory of the evaluator, in pages of 64 KiB. */
const MEMORY_PAGES_MAX = 4_096;

/** What came of a program. */
export type JqOutcome =
  /** One compact JSON value a line. */
  | { readonly kind: 'output'; readonly text: string }
  /** The evaluator's own words. */
  | { readonly kind: 'error'; readonly text: string }
  /** It ran too long, or lost its thread by what it did. */
  | { readonly kind: 'stopped' };

/**
 * Evaluates jq programs in a thread of its own, one at a time, while the caller waits. A program that
 * exceeds its time or memory loses the thread; the next one gets another.
 *
 * The engine is jq 1.8 compiled to WebAssembly: it reaches no file, process or network.
 */
export class JqEngine {
  readonly #thread: IsolatedThread<{ program: string; input: string }, JqOutcome>;

  constructor(evaluationMsMax: number = EVALUATION_MS_MAX) {
    this.#thread = new IsolatedThread({
      name: 'nervix-jq',
      script: './jq-worker',
      workMsMax: evaluationMsMax,
      handover: { memoryPagesMax: MEMORY_PAGES_MAX },
    });
  }

  /** Runs a program over the JSON values of a text. */
  evaluate(program: string, input: string): JqOutcome {
    const outcome = this.#thread.ask({ program, input }) ?? { kind: 'stopped' };
    if (outcome.kind === 'stopped') this.close();
    return outcome;
  }

  /** Ends the thread. */
  close(): void {
    this.#thread.close();
  }
}

let shared: JqEngine | undefined;

/** The engine of this thread's codecs, which take turns. */
export function sharedJqEngine(): JqEngine {
  shared ??= new JqEngine();
  return shared;
}
