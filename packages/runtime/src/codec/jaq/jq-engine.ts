import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from 'node:worker_threads';

/** Longest that one evaluation may take. */
export const EVALUATION_MS_MAX = 2_000;
/** Most memory of the evaluator, in pages of 64 KiB. */
const MEMORY_PAGES_MAX = 4_096;
/** Longest that the thread may take to load the engine. */
const LOADING_MS_MAX = 30_000;
/** Most heap of the thread beside the evaluator's memory. */
const HEAP_MEGABYTES_MAX = 256;

/** What came of a program. */
export type JqOutcome =
  /** One compact JSON value a line. */
  | { readonly kind: 'output'; readonly text: string }
  /** The evaluator's own words. */
  | { readonly kind: 'error'; readonly text: string }
  /** It ran too long, or lost its thread by what it did. */
  | { readonly kind: 'stopped' };

interface Running {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly signal: Int32Array;
}

/**
 * Evaluates jq programs in a thread of its own, one at a time, while the caller waits: a payload is
 * decoded in the order in which it came. A program that exceeds its time or memory loses the thread;
 * the next one gets another.
 *
 * The engine is jq 1.8 compiled to WebAssembly: it reaches no file, process or network.
 */
export class JqEngine {
  readonly #evaluationMsMax: number;
  #running: Running | undefined;

  constructor(evaluationMsMax: number = EVALUATION_MS_MAX) {
    this.#evaluationMsMax = evaluationMsMax;
  }

  /** Runs a program over the JSON values of a text. */
  evaluate(program: string, input: string): JqOutcome {
    const running = this.#start();
    if (running === undefined) return { kind: 'stopped' };
    const { port, signal } = running;
    Atomics.store(signal, 0, 0);
    port.postMessage({ program, input });
    const end = Atomics.wait(signal, 0, 0, this.#evaluationMsMax);
    const answer = end === 'timed-out' ? undefined : receiveMessageOnPort(port);
    const outcome: JqOutcome = answer?.message ?? { kind: 'stopped' };
    if (outcome.kind === 'stopped') this.close();
    return outcome;
  }

  /** Ends the thread. */
  close(): void {
    const running = this.#running;
    this.#running = undefined;
    running?.port.close();
    void running?.worker.terminate();
  }

  #start(): Running | undefined {
    if (this.#running !== undefined) return this.#running;
    const { port1, port2 } = new MessageChannel();
    const signal = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(workerEntry(), {
      name: 'nervix-jq',
      workerData: { port: port2, signal, memoryPagesMax: MEMORY_PAGES_MAX },
      transferList: [port2],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES_MAX },
      env: {},
      stdout: true,
      stderr: true,
    });
    // A thread that dies of what it evaluates is told by its silence.
    worker.on('error', () => undefined);
    worker.unref();
    port1.unref();
    this.#running = { worker, port: port1, signal };
    if (Atomics.wait(signal, 0, 0, LOADING_MS_MAX) === 'timed-out') {
      this.close();
      return undefined;
    }
    return this.#running;
  }
}

function workerEntry(): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./jq-worker.${extension}`, import.meta.url);
}

let shared: JqEngine | undefined;

/** The engine of this thread's codecs, which take turns. */
export function sharedJqEngine(): JqEngine {
  shared ??= new JqEngine();
  return shared;
}
