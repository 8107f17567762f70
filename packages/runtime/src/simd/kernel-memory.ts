import { i8x16, i32 } from './instruction.js';
import { ModuleBuilder } from './module-builder.js';

/** What this package uses of the host's WebAssembly. */
interface WebAssemblyHost {
  readonly Memory: new (limits: { readonly initial: number }) => HostMemory;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
  readonly validate: (bytes: Uint8Array<ArrayBuffer>) => boolean;
}

interface HostMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

const PAGE_BYTES = 65_536;

/** Addresses from here on belong to the kernel that runs; below lie the constants of all. */
export const KERNEL_BASE: number = PAGE_BYTES;

/**
 * Memory that all kernels of a thread share. A kernel runs to its end without leaving anything behind,
 * so that its input and output may lie where those of the next one do.
 */
export class KernelMemory {
  readonly #host: WebAssemblyHost;
  readonly #memory: HostMemory;
  bytes: Uint8Array<ArrayBuffer>;
  #words: DataView;

  constructor(host: WebAssemblyHost) {
    this.#host = host;
    this.#memory = new host.Memory({ initial: 2 });
    this.bytes = new Uint8Array(this.#memory.buffer);
    this.#words = new DataView(this.#memory.buffer);
  }

  /** The 32-bit integer at an address. */
  word(at: number): number {
    return this.#words.getInt32(at, true);
  }

  setWord(at: number, value: number): void {
    this.#words.setInt32(at, value, true);
  }

  /**
   * Makes addresses up to `size`, exclusive, usable. Views of the memory end with that.
   *
   * @returns false when the host has no more memory for kernels
   */
  ensure(size: number): boolean {
    const missing = size - this.bytes.length;
    if (missing <= 0) return true;
    try {
      this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
    this.bytes = new Uint8Array(this.#memory.buffer);
    this.#words = new DataView(this.#memory.buffer);
    return true;
  }

  /** Exports of a module that works on this memory. */
  instantiate(
    bytes: Uint8Array<ArrayBuffer>,
    imports: Readonly<Record<string, unknown>> = {},
  ): Readonly<Record<string, unknown>> {
    const module = new this.#host.Module(bytes);
    const host = { memory: this.#memory, ...imports };
    return new this.#host.Instance(module, { host }).exports;
  }
}

let memory: KernelMemory | null | undefined;

/** The memory of this thread's kernels; null where the host has no WebAssembly with SIMD. */
export function kernelMemory(): KernelMemory | null {
  if (memory === undefined) memory = openMemory();
  return memory;
}

function openMemory(): KernelMemory | null {
  const host = (globalThis as { readonly WebAssembly?: WebAssemblyHost }).WebAssembly;
  if (host === undefined) return null;
  const probe = new ModuleBuilder();
  probe.function([], ['i32']).body(i8x16.bitmask(i8x16.splat(i32.const(0))));
  try {
    // A policy may forbid to compile what validates, so it is compiled.
    const bytes = probe.build();
    if (!host.validate(bytes)) return null;
    const opened = new KernelMemory(host);
    opened.instantiate(bytes);
    return opened;
  } catch {
    return null;
  }
}
