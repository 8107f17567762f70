import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from 'node:worker_threads';

/** Longest that the thread may take to load what it works with. */
const LOADING_MS_MAX = 30_000;
/** Most heap of the thread beside memory of WebAssembly. */
const HEAP_MEGABYTES_MAX = 256;

/** What a thread is and how long one piece of its work may take. */
export interface IsolatedThreadOptions {
  readonly name: string;
  /** Path of the thread's script without its extension, seen from here. */
  readonly script: string;
  readonly workMsMax: number;
  /** What the script finds in its handover beside `port` and `signal`. */
  readonly handover?: Readonly<Record<string, unknown>>;
}

interface Running {
  readonly worker: Worker;
  readonly port: MessagePort;
  readonly signal: Int32Array;
}

/**
 * A thread that does one piece of work at a time while the caller waits: a payload is decoded in the
 * order in which it came. Work that exceeds its time or memory loses the thread; the next piece gets
 * another.
 */
export class IsolatedThread<Request, Answer> {
  readonly #options: IsolatedThreadOptions;
  #running: Running | undefined;

  constructor(options: IsolatedThreadOptions) {
    this.#options = options;
  }

  /** What the thread answers; undefined when it took too long or died of the work. */
  ask(request: Request): Answer | undefined {
    const running = this.#start();
    if (running === undefined) return undefined;
    const { port, signal } = running;
    Atomics.store(signal, 0, 0);
    port.postMessage(request);
    const end = Atomics.wait(signal, 0, 0, this.#options.workMsMax);
    const answer = end === 'timed-out' ? undefined : receiveMessageOnPort(port);
    if (answer === undefined) this.close();
    return answer?.message as Answer | undefined;
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
    const { name, script, handover } = this.#options;
    const { port1, port2 } = new MessageChannel();
    const signal = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(entryOf(script), {
      name,
      workerData: { ...handover, port: port2, signal },
      transferList: [port2],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES_MAX },
      env: {},
      stdout: true,
      stderr: true,
    });
    // A thread that dies of its work is told by its silence.
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

function entryOf(script: string): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`${script}.${extension}`, import.meta.url);
}
