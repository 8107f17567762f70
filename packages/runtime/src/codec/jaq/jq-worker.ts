import { type MessagePort, workerData } from 'node:worker_threads';
import { type Jq, loadJq } from 'jq-wasm';

// Loaded from the sources as they are, so it imports nothing of this package.

/** What the owner of the thread hands over. */
interface Handover {
  readonly port: MessagePort;
  /** Set to 1 and notified when the thread is ready, and for each answer. */
  readonly signal: Int32Array;
  readonly memoryPagesMax: number;
}

const { port, signal, memoryPagesMax } = workerData as Handover;

function wake(): void {
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
}

/** The part of `WebAssembly.Memory` that is limited; the types of Node leave it out. */
interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** Lets the evaluator's memory grow only so far: what it cannot get it reports as an error. */
function limitMemory(): void {
  const { WebAssembly } = globalThis as unknown as {
    readonly WebAssembly: { readonly Memory: { readonly prototype: Memory } };
  };
  const { prototype } = WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function limited(this: Memory, pages: number): number {
    const used = this.buffer.byteLength / 65_536;
    if (used + pages > memoryPagesMax) throw new RangeError('memory limit');
    return grow.call(this, pages);
  };
}

/** What is thrown is no error of the program: the engine ran out of stack or memory, and is no good. */
function evaluate(jq: Jq, program: string, input: string) {
  try {
    const { stdout, stderr, exitCode } = jq.raw(input, program, ['-c']);
    return exitCode === 0
      ? ({ kind: 'output', text: stdout } as const)
      : ({ kind: 'error', text: stderr } as const);
  } catch {
    return { kind: 'stopped' } as const;
  }
}

// Programs can read the name of the process, which is nobody's business.
process.argv.length = 0;
limitMemory();
const jq = await loadJq();
port.on('message', ({ program, input }: { program: string; input: string }) => {
  port.postMessage(evaluate(jq, program, input));
  wake();
});
wake();
