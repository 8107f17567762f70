/**
 * Instructions of WebAssembly as expressions: every function takes its operands' code and gives code
 * that leaves the result on the stack. Opcodes are those of the core specification, version 2.0.
 */

/** Part of a function body: bytes, sequences, and structures whose labels are resolved at the end. */
export type Code = number | readonly Code[] | Structure | Branch;

/** Target of branches: the end of a block, the start of a loop. */
export class Label {
  /** Told apart by identity alone. */
  readonly kind = 'label';
}

interface Structure {
  readonly kind: 'structure';
  readonly opcode: number;
  readonly label: Label;
  readonly body: Code;
  readonly otherwise: Code | null;
}

interface Branch {
  readonly kind: 'branch';
  readonly opcode: number;
  readonly label: Label;
}

export type ValueType = 'i32' | 'i64' | 'f64' | 'v128';

/** Unsigned LEB128. */
export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return [...bytes, rest];
}

/** Signed LEB128. */
export function signed(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const byte = Number(rest & 0x7fn);
    rest >>= 7n;
    const isLast = rest === ((byte & 0x40) === 0 ? 0n : -1n);
    if (isLast) return [...bytes, byte];
    bytes.push(byte | 0x80);
  }
}

interface Constant<Value> {
  readonly const: (value: Value) => Code;
}
type Unary = (operand: Code) => Code;
type Binary = (left: Code, right: Code) => Code;

const unary =
  (opcode: number): Unary =>
  (operand) => [operand, opcode];
const binary =
  (opcode: number): Binary =>
  (left, right) => [left, right, opcode];

/** Loads from an address and a constant offset; nothing is expected of the alignment. */
type Load = (address: Code, offset?: number) => Code;
type Store = (address: Code, value: Code, offset?: number) => Code;

const load =
  (...opcode: number[]): Load =>
  (address, offset = 0) => [address, opcode, 0, unsigned(offset)];
const store =
  (...opcode: number[]): Store =>
  (address, value, offset = 0) => [address, value, opcode, 0, unsigned(offset)];

const simdUnary =
  (opcode: number): Unary =>
  (operand) => [operand, 0xfd, unsigned(opcode)];
const simdBinary =
  (opcode: number): Binary =>
  (left, right) => [left, right, 0xfd, unsigned(opcode)];

export const i32: Constant<number> &
  Readonly<Record<'eqz' | 'ctz' | 'wrapI64', Unary>> &
  Readonly<
    Record<
      | 'eq'
      | 'ne'
      | 'ltU'
      | 'gtU'
      | 'geU'
      | 'add'
      | 'sub'
      | 'mul'
      | 'divU'
      | 'and'
      | 'or'
      | 'xor'
      | 'shl'
      | 'shrU',
      Binary
    >
  > &
  Readonly<Record<'load' | 'load8U' | 'load8S' | 'load16U' | 'load16S', Load>> &
  Readonly<Record<'store' | 'store8' | 'store16', Store>> = {
  const: (value) => [0x41, signed(BigInt(value | 0))],
  load: load(0x28),
  load8U: load(0x2d),
  load8S: load(0x2c),
  load16U: load(0x2f),
  load16S: load(0x2e),
  store: store(0x36),
  store8: store(0x3a),
  store16: store(0x3b),
  eqz: unary(0x45),
  eq: binary(0x46),
  ne: binary(0x47),
  ltU: binary(0x49),
  gtU: binary(0x4b),
  geU: binary(0x4f),
  ctz: unary(0x68),
  add: binary(0x6a),
  sub: binary(0x6b),
  mul: binary(0x6c),
  divU: binary(0x6e),
  and: binary(0x71),
  or: binary(0x72),
  xor: binary(0x73),
  shl: binary(0x74),
  shrU: binary(0x76),
  wrapI64: unary(0xa7),
};

export const i64: Constant<bigint> &
  Readonly<Record<'extendI32S' | 'extendI32U', Unary>> &
  Readonly<
    Record<'eq' | 'ne' | 'ltS' | 'ltU' | 'gtS' | 'gtU' | 'add' | 'sub' | 'mul' | 'divU', Binary>
  > &
  Readonly<Record<'load', Load>> &
  Readonly<Record<'store', Store>> = {
  const: (value) => [0x42, signed(BigInt.asIntN(64, value))],
  load: load(0x29),
  store: store(0x37),
  eq: binary(0x51),
  ne: binary(0x52),
  ltS: binary(0x53),
  ltU: binary(0x54),
  gtS: binary(0x55),
  gtU: binary(0x56),
  add: binary(0x7c),
  sub: binary(0x7d),
  mul: binary(0x7e),
  divU: binary(0x80),
  extendI32S: unary(0xac),
  extendI32U: unary(0xad),
};

export const f64: Readonly<Record<'neg' | 'convertI64U', Unary>> &
  Readonly<Record<'ne' | 'div', Binary>> &
  Readonly<Record<'load', Load>> &
  Readonly<Record<'store' | 'storeSingle', Store>> = {
  load: load(0x2b),
  store: store(0x39),
  /** Stores the nearest single float. */
  storeSingle: (address, value, offset = 0) => store(0x38)(address, [value, 0xb6], offset),
  ne: binary(0x62),
  neg: unary(0x9a),
  div: binary(0xa3),
  convertI64U: unary(0xba),
};

export const v128: Constant<readonly number[]> &
  Readonly<Record<'and' | 'or' | 'xor', Binary>> &
  Readonly<Record<'load', Load>> &
  Readonly<Record<'store', Store>> = {
  load: load(0xfd, 0),
  store: store(0xfd, 0x0b),
  /** Sixteen bytes, the first in lane 0. */
  const: (bytes) => [0xfd, 0x0c, bytes],
  and: simdBinary(0x4e),
  or: simdBinary(0x50),
  xor: simdBinary(0x51),
};

export const i8x16: Readonly<Record<'splat' | 'bitmask', Unary>> &
  Readonly<Record<'eq' | 'ltU', Binary>> = {
  splat: simdUnary(0x0f),
  eq: simdBinary(0x23),
  ltU: simdBinary(0x26),
  /** High bits of the lanes, lane 0 lowest. */
  bitmask: simdUnary(0x64),
};

const BLOCK = 0x02;
const LOOP = 0x03;
const IF = 0x04;
const NO_RESULT = 0x40;

/** Code that branches to `label` leave. */
export function block(label: Label, ...body: readonly Code[]): Code {
  return { kind: 'structure', opcode: BLOCK, label, body, otherwise: null };
}

/** Code that branches to `label` start again; it ends by itself otherwise. */
export function loop(label: Label, ...body: readonly Code[]): Code {
  return { kind: 'structure', opcode: LOOP, label, body, otherwise: null };
}

export function when(condition: Code, then: Code, otherwise: Code | null = null): Code {
  const label = new Label();
  return [condition, { kind: 'structure', opcode: IF, label, body: then, otherwise }];
}

export function branch(label: Label): Code {
  return { kind: 'branch', opcode: 0x0c, label };
}

export function branchIf(condition: Code, label: Label): Code {
  return [condition, { kind: 'branch', opcode: 0x0d, label }];
}

/** Leaves the function with the results given. */
export function leave(...results: readonly Code[]): Code {
  return [results, 0x0f];
}

/** The value of `left` where the condition is not zero, else that of `right`. */
export function select(left: Code, right: Code, condition: Code): Code {
  return [left, right, condition, 0x1b];
}

/** Bytes of a code, with the branches of each label as the depth it has where they stand. */
export function flatten(code: Code): number[] {
  const bytes: number[] = [];
  const labels: Label[] = [];
  const visit = (part: Code): void => {
    if (typeof part === 'number') bytes.push(part);
    else if ('length' in part) for (const inner of part) visit(inner);
    else if (part.kind === 'branch') {
      const depth = labels.length - 1 - labels.lastIndexOf(part.label);
      bytes.push(part.opcode, ...unsigned(depth));
    } else {
      bytes.push(part.opcode, NO_RESULT);
      labels.push(part.label);
      visit(part.body);
      if (part.otherwise !== null) {
        bytes.push(0x05);
        visit(part.otherwise);
      }
      labels.pop();
      bytes.push(0x0b);
    }
  };
  visit(code);
  return bytes;
}
