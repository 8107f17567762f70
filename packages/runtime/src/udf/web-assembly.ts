/** A global variable of an instance. */
export interface WasmGlobal {
  value: number;
}

/** The memory of an instance; its buffer changes when it grows. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** A compiled module, of no use but for instances. */
export interface WasmModule {
  readonly wasmModule: unique symbol;
}

type WasmImports = Readonly<
  Record<string, Readonly<Record<string, (...values: number[]) => number>>>
>;

/** The part of the host's WebAssembly that is used; its types come with those of browsers only. */
interface HostWebAssembly {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => WasmModule;
  readonly Instance: new (
    module: WasmModule,
    imports: WasmImports,
  ) => { readonly exports: unknown };
}

const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: HostWebAssembly };

/** Compiles a module. */
export function compileWasm(bytes: Uint8Array<ArrayBuffer>): WasmModule {
  return new WebAssembly.Module(bytes);
}

/** Makes an instance; `Exports` says what the module is known to export. */
export function instantiateWasm<Exports>(module: WasmModule, imports: WasmImports): Exports {
  return new WebAssembly.Instance(module, imports).exports as Exports;
}
