import { assert } from '@nervix/model';

/** Ids of the sections of a WebAssembly module that are read or written. */
export const SECTION = {
  type: 1,
  import: 2,
  function: 3,
  memory: 5,
  global: 6,
  export: 7,
  code: 10,
} as const;

/** Bytes of an unsigned number in LEB128. */
export function unsignedLeb(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

const TEXT = new TextDecoder();

const BRANCH_TABLE = 0x0e;
const TYPED_SELECT = 0x1c;
const F32_CONST = 0x43;
const F64_CONST = 0x44;
const EXTENDED = 0xfc;

/** Numbers that stand behind opcodes outside of the ranges that are alike. */
const IMMEDIATES: ReadonlyMap<number, number> = new Map([
  // unreachable, nop, else, end, return, drop, select, ref.is_null
  ...[0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b, 0xd1].map((opcode) => [opcode, 0] as const),
  // block, loop, if, br, br_if, call
  ...[0x02, 0x03, 0x04, 0x0c, 0x0d, 0x10].map((opcode) => [opcode, 1] as const),
  // memory.size, memory.grow, i32.const, i64.const, ref.null, ref.func
  ...[0x3f, 0x40, 0x41, 0x42, 0xd0, 0xd2].map((opcode) => [opcode, 1] as const),
  // call_indirect
  [0x11, 2],
]);

/** Reads the binary format of WebAssembly from front to back. */
export class WasmReader {
  readonly bytes: Uint8Array;
  position: number;

  constructor(bytes: Uint8Array, position: number) {
    this.bytes = bytes;
    this.position = position;
  }

  byte(): number {
    const byte = this.bytes[this.position];
    assert(byte !== undefined, 'a module ends where its sections do');
    this.position += 1;
    return byte;
  }

  unsigned(): number {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
  }

  /** Passes numbers of any sign and width. */
  skipLeb(count: number): void {
    for (let index = 0; index < count; index += 1) {
      while (this.byte() >= 0x80);
    }
  }

  text(): string {
    const length = this.unsigned();
    this.position += length;
    return TEXT.decode(this.bytes.subarray(this.position - length, this.position));
  }

  /** Passes what stands behind an opcode, which was just read. */
  skipImmediates(opcode: number): void {
    const fixed = IMMEDIATES.get(opcode);
    if (fixed !== undefined) this.skipLeb(fixed);
    else if (opcode >= 0x28 && opcode <= 0x3e) this.skipLeb(2);
    else if (opcode >= 0x20 && opcode <= 0x26) this.skipLeb(1);
    else if (opcode === BRANCH_TABLE) this.skipLeb(this.unsigned() + 1);
    else if (opcode === TYPED_SELECT) this.skipLeb(this.unsigned());
    else if (opcode === EXTENDED) this.#skipExtended();
    else if (opcode === F32_CONST) this.position += 4;
    else if (opcode === F64_CONST) this.position += 8;
    else assert(opcode >= 0x45 && opcode <= 0xc4, 'metering knows every opcode of its guests');
  }

  #skipExtended(): void {
    const operation = this.unsigned();
    assert(operation <= 17, 'metering knows every opcode of its guests');
    // Conversions have no immediates; of operations on memory and tables these have one.
    if (operation > 7) this.skipLeb([9, 11, 13, 15, 16, 17].includes(operation) ? 1 : 2);
  }
}
