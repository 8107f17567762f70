import { assert } from '@nervix/model';
import { joinBytes } from '../codec/payload-codec.js';
import { SECTION, unsignedLeb, WasmReader } from './wasm-reader.js';

/** Export under which a metered module has its fuel, a mutable global of type i32. */
export const FUEL_EXPORT = 'nervix_fuel';

/** Bytes that one step of bulk operations on memory moves, as a power of two. */
const BULK_BYTES_SHIFT = 7;

/** How a module is metered. */
export interface Metering {
  /** Imported function without parameters, of result i32, that is called when fuel runs out. */
  readonly exhausted: string;
  /** Most memory that the module may ever have, in pages of 64 KiB. */
  readonly memoryPagesMax: number;
}

const MAGIC_BYTES = 8;
const I32 = 0x7f;
const OP = {
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  call: 0x10,
  drop: 0x1a,
  localGet: 0x20,
  localSet: 0x21,
  globalGet: 0x23,
  globalSet: 0x24,
  i32Const: 0x41,
  i32LessSigned: 0x48,
  i32Subtract: 0x6b,
  i32ShiftRightUnsigned: 0x76,
  extended: 0xfc,
} as const;
const MEMORY_COPY = 10;
const MEMORY_FILL = 11;
const EMPTY_BLOCK = 0x40;

/**
 * Rewrites a WebAssembly module so that nothing in it runs unbounded: each turn of each loop takes a
 * unit of fuel, and so does each 128 bytes that one instruction copies or fills; when none is left the
 * module calls `exhausted`, which refills it or throws. Calls take none: what recurses without looping
 * ends with the stack. Fuel counts instructions rather than time, so that equal work takes equal fuel
 * everywhere.
 *
 * Knows the binary format of WebAssembly 2.0 without vectors.
 */
export function meterModule(module: Uint8Array, metering: Metering): Uint8Array<ArrayBuffer> {
  return new ModuleMeter(module, metering).rewrite();
}

/** A rewriting of one module; sections come in the order of their ids. */
class ModuleMeter {
  readonly #reader: WasmReader;
  readonly #metering: Metering;
  readonly #out: Uint8Array[] = [];
  /** Parameters of each function type. */
  readonly #parameters: number[] = [];
  /** Type of each function that the module defines. */
  readonly #types: number[] = [];
  #exhausted = -1;
  #fuel = -1;

  constructor(module: Uint8Array, metering: Metering) {
    this.#reader = new WasmReader(module, MAGIC_BYTES);
    this.#metering = metering;
  }

  rewrite(): Uint8Array<ArrayBuffer> {
    const reader = this.#reader;
    const { bytes } = reader;
    this.#out.push(bytes.subarray(0, MAGIC_BYTES));
    while (reader.position < bytes.length) {
      const start = reader.position;
      const id = reader.byte();
      const size = reader.unsigned();
      const end = reader.position + size;
      if (!this.#section(id, end)) this.#out.push(bytes.subarray(start, end));
      reader.position = end;
    }
    assert(this.#fuel >= 0, 'a metered module has globals and code');
    return joinBytes(this.#out);
  }

  /** Whether the section was written anew. */
  #section(id: number, end: number): boolean {
    switch (id) {
      case SECTION.type:
        this.#readTypes();
        return false;
      case SECTION.import:
        this.#readImports();
        return false;
      case SECTION.function:
        this.#repeat(() => this.#types.push(this.#reader.unsigned()));
        return false;
      case SECTION.memory:
        this.#writeMemory();
        return true;
      case SECTION.global:
        this.#writeGlobals(end);
        return true;
      case SECTION.export:
        this.#writeExports(end);
        return true;
      case SECTION.code:
        this.#writeCode();
        return true;
      default:
        return false;
    }
  }

  #repeat(read: (index: number) => void): void {
    const count = this.#reader.unsigned();
    for (let index = 0; index < count; index += 1) read(index);
  }

  #write(id: number, parts: readonly Uint8Array[]): void {
    const size = parts.reduce((total, part) => total + part.length, 0);
    this.#out.push(Uint8Array.of(id, ...unsignedLeb(size)), ...parts);
  }

  #readTypes(): void {
    const reader = this.#reader;
    this.#repeat(() => {
      reader.byte();
      const parameters = reader.unsigned();
      reader.position += parameters;
      const results = reader.unsigned();
      reader.position += results;
      this.#parameters.push(parameters);
    });
  }

  #readImports(): void {
    const reader = this.#reader;
    this.#repeat((index) => {
      reader.text();
      const name = reader.text();
      assert(reader.byte() === 0, 'a metered module imports nothing but functions');
      reader.unsigned();
      if (name === this.#metering.exhausted) this.#exhausted = index;
    });
    assert(this.#exhausted >= 0, 'a metered module imports what is called without fuel');
  }

  #writeMemory(): void {
    const reader = this.#reader;
    assert(reader.unsigned() === 1, 'a metered module has one memory');
    reader.unsigned();
    const pagesMin = reader.unsigned();
    const limits = [1, 1, ...unsignedLeb(pagesMin), ...unsignedLeb(this.#metering.memoryPagesMax)];
    this.#write(SECTION.memory, [Uint8Array.from(limits)]);
  }

  #writeGlobals(end: number): void {
    const reader = this.#reader;
    this.#fuel = reader.unsigned();
    const fuel = Uint8Array.of(I32, 1, OP.i32Const, 0, OP.end);
    const count = Uint8Array.from(unsignedLeb(this.#fuel + 1));
    this.#write(SECTION.global, [count, reader.bytes.subarray(reader.position, end), fuel]);
  }

  #writeExports(end: number): void {
    const reader = this.#reader;
    const count = Uint8Array.from(unsignedLeb(reader.unsigned() + 1));
    const name = new TextEncoder().encode(FUEL_EXPORT);
    const fuel = Uint8Array.of(name.length, ...name, 3, ...unsignedLeb(this.#fuel));
    this.#write(SECTION.export, [count, reader.bytes.subarray(reader.position, end), fuel]);
  }

  #writeCode(): void {
    const bodies: Uint8Array[] = [];
    this.#repeat((index) => {
      const body = this.#body(index);
      const size = body.reduce((total, part) => total + part.length, 0);
      bodies.push(Uint8Array.from(unsignedLeb(size)), ...body);
    });
    this.#write(SECTION.code, [Uint8Array.from(unsignedLeb(this.#types.length)), ...bodies]);
  }

  /** The body of a function, metered. */
  #body(index: number): readonly Uint8Array[] {
    const reader = this.#reader;
    const size = reader.unsigned();
    const end = reader.position + size;
    const groups = reader.unsigned();
    const declarations = reader.position;
    let locals = this.#parameters[this.#types[index] as number] as number;
    for (let group = 0; group < groups; group += 1) {
      locals += reader.unsigned();
      reader.byte();
    }
    const declared = reader.bytes.subarray(declarations, reader.position);
    const code = this.#code(end, locals);
    // One more local, for the sizes of bulk operations; most functions leave it alone.
    const count = Uint8Array.from(unsignedLeb(groups + 1));
    return [count, declared, Uint8Array.of(1, I32), ...code];
  }

  /** Code up to `end`; `spare` is a local of type i32 that nothing else uses. */
  #code(end: number, spare: number): readonly Uint8Array[] {
    const reader = this.#reader;
    const parts: Uint8Array[] = [];
    let copied = reader.position;
    const insert = (at: number, code: Uint8Array): void => {
      parts.push(reader.bytes.subarray(copied, at), code);
      copied = at;
    };
    const turn = Uint8Array.from(this.#charge([OP.i32Const, 1]));
    while (reader.position < end) {
      const at = reader.position;
      const opcode = reader.byte();
      const isBulk = opcode === OP.extended && this.#isBulk();
      reader.skipImmediates(opcode);
      if (opcode === OP.loop) insert(reader.position, turn);
      if (isBulk) insert(at, this.#bulkCharge(spare));
    }
    parts.push(reader.bytes.subarray(copied, end));
    return parts;
  }

  #isBulk(): boolean {
    const operation = this.#reader.bytes[this.#reader.position];
    return operation === MEMORY_COPY || operation === MEMORY_FILL;
  }

  /** Takes as much fuel as an expression gives, and asks for more when none is left. */
  #charge(amount: readonly number[]): readonly number[] {
    const fuel = unsignedLeb(this.#fuel);
    return [
      ...[OP.globalGet, ...fuel, ...amount, OP.i32Subtract, OP.globalSet, ...fuel],
      ...[OP.globalGet, ...fuel, OP.i32Const, 0, OP.i32LessSigned, OP.if, EMPTY_BLOCK],
      ...[OP.call, ...unsignedLeb(this.#exhausted), OP.drop, OP.end],
    ];
  }

  /** Takes fuel by the size that lies on the stack, and leaves it there. */
  #bulkCharge(spare: number): Uint8Array {
    const local = unsignedLeb(spare);
    const amount = [
      ...[OP.localGet, ...local, OP.i32Const, BULK_BYTES_SHIFT],
      OP.i32ShiftRightUnsigned,
    ];
    return Uint8Array.from([
      ...[OP.localSet, ...local],
      ...this.#charge(amount),
      ...[OP.localGet, ...local],
    ]);
  }
}
