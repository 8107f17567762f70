import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { assert } from '@nervix/model';
import { decodeText, encodeText } from '../column/text.js';
import { GuestStop, printMs, trapped } from './guest-stop.js';
import { FUEL_EXPORT, meterModule } from './wasm-metering.js';
import {
  compileWasm,
  instantiateWasm,
  type WasmGlobal,
  type WasmMemory,
  type WasmModule,
} from './web-assembly.js';

const PAGE_BYTES = 65_536;
/** Most memory of a guest: 128 MiB with its stack and all that is the engine's own. */
const MEMORY_PAGES_MAX = 2048;
/** Most of that for values, so that the engine can still tell that there is none. */
const HEAP_BYTES_MAX = 112 * 1024 * 1024;
/** Most stack of a guest; what the host needs for as many calls is less than a thread of it has. */
const STACK_BYTES_MAX = 192 * 1024;
/** Steps between two looks at the clock: some milliseconds. */
const SLICE_STEPS = 1_000_000;
/** Memory that a guest may keep between two runs, beyond that it starts from. */
const KEPT_BYTES_MAX = 16 * 1024 * 1024;
const STRICT_SCRIPT = 1 << 3;

/** What a run of a guest may take. */
export interface GuestBudget {
  /** Turns of loops of the engine; an operation of a guest takes one or more. */
  readonly steps: number;
  /** Milliseconds by the clock. */
  readonly ms: number;
}

/** Where the memory of a guest holds a reference to a value. */
export type GuestValue = number & { readonly guestValue?: never };

/** What goes into a guest or comes out of it. */
export type GuestPart = string | Uint8Array;

/** What is used of the engine's exports. Texts are UTF-8; positions and sizes are bytes. */
interface EngineExports {
  readonly memory: WasmMemory;
  readonly __stack_pointer: WasmGlobal;
  readonly [FUEL_EXPORT]: WasmGlobal;
  _initialize(): void;
  qjs_init(): number;
  qjs_set_memory_limit(bytes: number): void;
  qjs_set_max_stack_size(bytes: number): void;
  wasm_malloc(bytes: number): number;
  wasm_free(at: number): void;
  qjs_eval(code: number, size: number, file: number, flags: number): GuestValue;
  qjs_call(target: GuestValue, self: GuestValue, count: number, values: number): GuestValue;
  qjs_is_exception(value: GuestValue): number;
  qjs_get_exception(): GuestValue;
  qjs_get_undefined(): GuestValue;
  qjs_get_prop_uint32(value: GuestValue, index: number): GuestValue;
  qjs_get_float64(value: GuestValue): number;
  qjs_is_string(value: GuestValue): number;
  qjs_get_string_len(value: GuestValue, size: number): number;
  qjs_new_string(text: number, size: number): GuestValue;
  qjs_new_array_buffer(bytes: number, size: number): GuestValue;
  qjs_get_array_buffer(value: GuestValue, size: number): number;
}

/** Memory as it was, without what nothing used. */
interface KeptMemory {
  readonly pages: readonly { readonly at: number; readonly bytes: Uint8Array }[];
  readonly size: number;
  readonly stackPointer: number;
}

/**
 * A machine that runs ECMAScript apart from everything: QuickJS compiled to WebAssembly, with a
 * memory of its own and without a single function of the host that a guest could reach. Clock and
 * randomness that the engine asks for stand still. Steps are counted in the engine's own loops, so
 * nothing that a guest does, in its code or inside of a built-in function, goes on without end.
 *
 * {@link keep} remembers the machine as it is; {@link restore} makes it that again, whatever has
 * happened since. A run that was stopped leaves it unusable until then.
 */
export class GuestMachine {
  #exports: EngineExports;
  #kept: KeptMemory | undefined;
  #budget: GuestBudget = { steps: 0, ms: 0 };
  #stepsLeft = 0;
  #deadlineMs = 0;
  /** Whether the guest failed by running out of what it was given, rather than by its own error. */
  #stop: GuestStop | undefined;

  constructor() {
    this.#exports = this.#instantiate();
    const exports = this.#exports;
    this.spend(OPENING_BUDGET, () => {
      exports._initialize();
      assert(exports.qjs_init() === 0, 'the engine starts');
      exports.qjs_set_memory_limit(HEAP_BYTES_MAX);
      exports.qjs_set_max_stack_size(STACK_BYTES_MAX);
    });
  }

  /**
   * Does work with the guest within a budget.
   *
   * @throws GuestStop when it exceeds it, or the engine cannot go on
   */
  spend<Result>(budget: GuestBudget, work: () => Result): Result {
    this.#budget = budget;
    this.#deadlineMs = performance.now() + budget.ms;
    this.#stop = undefined;
    this.#stepsLeft = budget.steps;
    this.#exports[FUEL_EXPORT].value = 0;
    this.#refill();
    try {
      return work();
    } catch (error) {
      throw this.#stop ?? asStop(error);
    }
  }

  /** Steps that the last work took. */
  get stepsTaken(): number {
    return this.#budget.steps - this.#stepsLeft - this.#exports[FUEL_EXPORT].value;
  }

  /** Remembers memory and stack. */
  keep(): void {
    const { memory, __stack_pointer: stackPointer, wasm_malloc, wasm_free } = this.#exports;
    // Runs find room here before they have to grow the memory, which the next one would not shrink.
    const room = wasm_malloc(ROOM_BYTES);
    if (room === 0) throw new GuestStop(trapped('out of memory'));
    wasm_free(room);
    const all = new Uint8Array(memory.buffer);
    const free = [
      unusedStack(all, stackPointer.value),
      { from: room + KEPT_PAGE_BYTES, to: room + ROOM_BYTES - KEPT_PAGE_BYTES },
    ];
    const pages = [];
    for (let at = 0; at < all.length; at += KEPT_PAGE_BYTES) {
      const end = at + KEPT_PAGE_BYTES;
      if (free.some(({ from, to }) => from <= at && end <= to)) continue;
      pages.push({ at, bytes: all.slice(at, end) });
    }
    this.#kept = { pages, size: all.length, stackPointer: stackPointer.value };
  }

  /** Makes the machine what it was when it was kept. */
  restore(): void {
    const kept = this.#kept;
    assert(kept !== undefined, 'a machine is restored to what was kept');
    if (this.#exports.memory.buffer.byteLength > kept.size + KEPT_BYTES_MAX) {
      this.#exports = this.#instantiate();
      const missing = kept.size - this.#exports.memory.buffer.byteLength;
      this.#exports.memory.grow(missing / PAGE_BYTES);
    }
    const { memory, __stack_pointer: stackPointer } = this.#exports;
    const all = new Uint8Array(memory.buffer);
    for (const { at, bytes } of kept.pages) all.set(bytes, at);
    stackPointer.value = kept.stackPointer;
  }

  /** Evaluates a script in strict mode; undefined when it threw, which {@link thrown} tells. */
  evaluate(code: string, file: string): GuestValue | undefined {
    // The engine reads on to a terminator, which is no part of the code.
    const source = this.#text(`${code}\0`);
    const name = this.#text(`${file}\0`);
    return this.#unlessThrown(
      this.#exports.qjs_eval(source.at, source.size - 1, name.at, STRICT_SCRIPT),
    );
  }

  /** Calls a function; undefined when it threw. */
  call(target: GuestValue, values: readonly GuestValue[]): GuestValue | undefined {
    const exports = this.#exports;
    const list = this.#allocate(values.length * 4);
    new Uint32Array(exports.memory.buffer, list, values.length).set(values);
    const self = exports.qjs_get_undefined();
    return this.#unlessThrown(exports.qjs_call(target, self, values.length, list));
  }

  /** What was thrown last. */
  thrown(): GuestValue {
    return this.#exports.qjs_get_exception();
  }

  /** A part as a value of the guest: text as a string, bytes as an ArrayBuffer of their own. */
  enter(part: GuestPart): GuestValue {
    const exports = this.#exports;
    if (typeof part === 'string') {
      const { at, size } = this.#text(part);
      return exports.qjs_new_string(at, size);
    }
    const at = this.#allocate(part.length);
    new Uint8Array(exports.memory.buffer).set(part, at);
    return exports.qjs_new_array_buffer(at, part.length);
  }

  /** Element of an array of the guest. */
  element(array: GuestValue, index: number): GuestValue {
    return this.#exports.qjs_get_prop_uint32(array, index);
  }

  number(value: GuestValue): number {
    return this.#exports.qjs_get_float64(value);
  }

  /** The text of a string or the bytes of an ArrayBuffer, copied. */
  leave(value: GuestValue): GuestPart {
    const exports = this.#exports;
    const size = this.#allocate(4);
    const isText = exports.qjs_is_string(value) !== 0;
    const at = isText
      ? exports.qjs_get_string_len(value, size)
      : exports.qjs_get_array_buffer(value, size);
    const length = new DataView(exports.memory.buffer).getUint32(size, true);
    const bytes = new Uint8Array(exports.memory.buffer, at, length);
    return isText ? decodeText(bytes, 0, length) : bytes.slice();
  }

  #unlessThrown(value: GuestValue): GuestValue | undefined {
    return this.#exports.qjs_is_exception(value) === 0 ? value : undefined;
  }

  #text(text: string): { readonly at: number; readonly size: number } {
    const bytes = encodeText(text);
    const at = this.#allocate(bytes.length);
    new Uint8Array(this.#exports.memory.buffer).set(bytes, at);
    return { at, size: bytes.length };
  }

  #allocate(size: number): number {
    const at = this.#exports.wasm_malloc(Math.max(1, size));
    if (at === 0) throw new GuestStop(trapped('out of memory'));
    return at;
  }

  #instantiate(): EngineExports {
    const none = (): number => 0;
    return instantiateWasm<EngineExports>(engineModule(), {
      env: {
        host_interrupt: () => {
          this.#refill();
          return 0;
        },
        host_get_timezone_offset: none,
        host_promise_rejection: none,
        host_module_normalize: none,
        host_module_load: none,
        host_call: none,
      },
      wasi_snapshot_preview1: {
        clock_time_get: none,
        random_get: none,
        fd_close: none,
        fd_fdstat_get: none,
        fd_seek: none,
        fd_write: none,
      },
    });
  }

  /** Gives the engine its next steps, as long as there are any. */
  #refill(): void {
    const fuel = this.#exports[FUEL_EXPORT];
    const left = this.#stepsLeft + fuel.value;
    const { steps, ms } = this.#budget;
    if (left <= 0) this.#end(new GuestStop(`more than ${steps} steps`, `${steps} steps`));
    if (performance.now() > this.#deadlineMs) {
      this.#end(new GuestStop(`watchdog expired after ${printMs(ms)}`, printMs(ms)));
    }
    const slice = Math.min(left, SLICE_STEPS);
    fuel.value = slice;
    this.#stepsLeft = left - slice;
  }

  #end(stop: GuestStop): never {
    this.#stop = stop;
    throw stop;
  }
}

/** Unit in which memory is kept. */
const KEPT_PAGE_BYTES = 4096;
/** Free memory that a run begins with. */
const ROOM_BYTES = 1024 * 1024;
/** What starting the engine may take. */
const OPENING_BUDGET: GuestBudget = { steps: 100_000_000, ms: 30_000 };

/**
 * The part of the stack that was never used. It is the longest run of zeros below the top of the
 * stack: between the two lie only the engine's own variables, which are far fewer.
 */
function unusedStack(all: Uint8Array, stackPointer: number): { from: number; to: number } {
  let longest = { from: 0, to: 0 };
  let from = 0;
  for (let at = 0; at < stackPointer; at += 1) {
    if (all[at] === 0) continue;
    if (at - from > longest.to - longest.from) longest = { from, to: at };
    from = at + 1;
  }
  return longest;
}

/** A fault of the engine: it ran out of the host's stack or touched memory that it has not. */
function asStop(error: unknown): unknown {
  const isEngineFault =
    error instanceof RangeError || (error instanceof Error && error.name === 'RuntimeError');
  return isEngineFault ? new GuestStop(trapped('the engine cannot go on')) : error;
}

let module: WasmModule | undefined;

/** The engine, compiled at its first use in a thread. */
function engineModule(): WasmModule {
  if (module === undefined) {
    const path = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm');
    const metering = { exhausted: 'host_interrupt', memoryPagesMax: MEMORY_PAGES_MAX };
    module = compileWasm(meterModule(readFileSync(path), metering));
  }
  return module;
}
