import type { SchemaField } from '@nervix/model';
import {
  block,
  branch,
  branchIf,
  type Code,
  i8x16,
  i32,
  i64,
  Label,
  leave,
  loop,
  select,
  v128,
  when,
} from '../../../simd/instruction.js';
import { type FunctionBuilder, type Local, ModuleBuilder } from '../../../simd/module-builder.js';
import { ESCAPE_LETTERS } from '../json-text.js';
import { type ColumnPlace, type LineLayout, POSITION_AT } from './record-layout.js';

/** Where the letters of short escapes lie, zero for the bytes that have none. */
const LETTERS_AT = 2048;
const DIGITS_AT = 2304;

const ZERO = i32.const(0);
const ONE = i32.const(1);
const BILLION = 1_000_000_000;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `\u00` as it lies in memory. */
const UNIT_ESCAPE = 0x3030755c;
const BRACE = 0x7b;
/** A closing brace and a line feed. */
const LINE_END = 0x0a7d;

/** Bytes of the longest value of fixed width. */
const VALUE_BYTES_MAX = 48;

/**
 * Generates the module that writes rows as lines of JSON: compact objects, members in schema order,
 * null ones left out. It exports `encode(row, rowEnd, outputEnd)`, which answers the first row that it
 * did not write, for want of space or because the host refused a value, and leaves the end of what it
 * wrote in the memory. The host gives `value(column, row, at)`, which prints floats and instants and
 * answers what lies behind the text, or zero.
 */
export function lineModule(layout: LineLayout): Uint8Array<ArrayBuffer> {
  return new LineCode(layout).build();
}

class LineCode {
  readonly #layout: LineLayout;
  readonly #module = new ModuleBuilder();
  readonly #host: (...operands: readonly Code[]) => Code;
  readonly #text: FunctionBuilder;
  readonly #integer: FunctionBuilder;
  readonly #main: FunctionBuilder;
  readonly #row: Local;
  readonly #to: Local;
  readonly #bail = new Label();

  constructor(layout: LineLayout) {
    this.#layout = layout;
    const value = this.#module.imported('value', ['i32', 'i32', 'i32'], ['i32']);
    this.#host = value.call;
    this.#module.segment(LETTERS_AT, ESCAPE_LETTERS);
    this.#module.segment(DIGITS_AT, new TextEncoder().encode('0123456789abcdef'));
    this.#text = addTextFunction(this.#module);
    this.#integer = addIntegerFunction(this.#module);
    this.#main = this.#module.function(['i32', 'i32', 'i32'], ['i32']);
    this.#row = this.#main.parameter(0);
    this.#to = this.#main.local('i32');
  }

  build(): Uint8Array<ArrayBuffer> {
    const main = this.#main;
    const [row, to] = [this.#row, this.#to];
    const lineAt = main.local('i32');
    const rows = new Label();
    const room = i32.sub(main.parameter(2).get, to.get);
    main.body(
      lineAt.set(i32.const(this.#layout.outputAt)),
      block(
        this.#bail,
        loop(
          rows,
          branchIf(i32.geU(row.get, main.parameter(1).get), this.#bail),
          to.set(lineAt.get),
          branchIf(i32.gtU(this.#longest(), room), this.#bail),
          this.#layout.columns.map((place) => this.#member(place)),
          // Every member begins with a comma, the first of which becomes the brace.
          to.set(i32.add(to.get, i32.eq(to.get, lineAt.get))),
          i32.store8(lineAt.get, i32.const(BRACE)),
          i32.store16(to.get, i32.const(LINE_END)),
          lineAt.set(i32.add(to.get, i32.const(2))),
          row.advance(1),
          branch(rows),
        ),
      ),
      i32.store(ZERO, lineAt.get, POSITION_AT),
      row.get,
    );
    this.#module.export('encode', main);
    return this.#module.build();
  }

  /** Bytes that the line of the row takes at most: six for each byte of its texts. */
  #longest(): Code {
    const { columns } = this.#layout;
    const fixed = columns.reduce((sum, { field }) => sum + nameOf(field).length, 0);
    let bytes = i32.const(fixed + columns.length * VALUE_BYTES_MAX);
    for (const { field, valuesAt } of columns) {
      if (field.type !== 'STRING') continue;
      const length = i32.sub(this.#offset(valuesAt + 4), this.#offset(valuesAt));
      bytes = i32.add(bytes, i32.mul(length, i32.const(6)));
    }
    return bytes;
  }

  #offset(offsetsAt: number): Code {
    return i32.load(i32.shl(this.#row.get, i32.const(2)), offsetsAt);
  }

  #member(place: ColumnPlace): Code {
    const { field, validityAt } = place;
    const written = [this.#literal(nameOf(field)), this.#value(place)];
    return field.optional ? when(this.#bitOf(validityAt), written) : written;
  }

  #bitOf(bitsAt: number): Code {
    const byte = i32.load8U(i32.shrU(this.#row.get, i32.const(3)), bitsAt);
    return i32.and(i32.shrU(byte, i32.and(this.#row.get, i32.const(7))), ONE);
  }

  /** Writes bytes of the statement, eight at a time; what is too much is written over. */
  #literal(bytes: Uint8Array): Code {
    const words = new DataView(new ArrayBuffer(bytes.length + 8));
    bytes.forEach((byte, at) => {
      words.setUint8(at, byte);
    });
    const stores: Code[] = [];
    for (let at = 0; at < bytes.length; at += 8) {
      stores.push(i64.store(this.#to.get, i64.const(words.getBigInt64(at, true)), at));
    }
    return [stores, this.#to.advance(bytes.length)];
  }

  #value(place: ColumnPlace): Code {
    const { field, index, width, valuesAt, bytesAt, baseAt } = place;
    const to = this.#to;
    const { type } = field;
    const address = i32.mul(this.#row.get, i32.const(width));
    switch (type) {
      case 'STRING': {
        const shift = i32.sub(i32.const(bytesAt), i32.load(ZERO, baseAt));
        const start = i32.add(this.#offset(valuesAt), shift);
        const end = i32.add(this.#offset(valuesAt + 4), shift);
        return to.set(this.#text.call(start, end, to.get));
      }
      case 'BOOL':
        return when(
          this.#bitOf(valuesAt),
          this.#literal(new TextEncoder().encode('true')),
          this.#literal(new TextEncoder().encode('false')),
        );
      case 'F32':
      case 'F64':
      case 'DATETIME': {
        const printed = this.#host(i32.const(index), this.#row.get, to.get);
        return branchIf(i32.eqz(to.tee(printed)), this.#bail);
      }
      default: {
        const isSigned = typeof type === 'string' && type.startsWith('I');
        const value = loadInteger(address, valuesAt, width, isSigned);
        return to.set(this.#integer.call(value, to.get, isSigned ? ONE : ZERO));
      }
    }
  }
}

function nameOf({ name }: SchemaField): Uint8Array {
  return new TextEncoder().encode(`,${JSON.stringify(name)}:`);
}

function loadInteger(address: Code, at: number, width: number, isSigned: boolean): Code {
  if (width === 8) return i64.load(address, at);
  if (width === 4) {
    return (isSigned ? i64.extendI32S : i64.extendI32U)(i32.load(address, at));
  }
  if (width === 2) {
    return isSigned
      ? i64.extendI32S(i32.load16S(address, at))
      : i64.extendI32U(i32.load16U(address, at));
  }
  return isSigned
    ? i64.extendI32S(i32.load8S(address, at))
    : i64.extendI32U(i32.load8U(address, at));
}

/**
 * Adds `(start, end, target) -> (target)`, which writes a text in quotes, with escapes where JSON asks
 * for them. It may write fifteen bytes too much and read as many.
 */
function addTextFunction(module: ModuleBuilder): FunctionBuilder {
  const escaped = addEscapeFunction(module);
  const made = module.function(['i32', 'i32', 'i32'], ['i32']);
  const [at, end, to] = [made.parameter(0), made.parameter(1), made.parameter(2)];
  const bytes = made.local('v128');
  const plain = made.local('i32');
  const scan = new Label();
  const equals = (byte: number): Code => i8x16.eq(bytes.get, i8x16.splat(i32.const(byte)));
  const isControl = i8x16.ltU(bytes.get, i8x16.splat(i32.const(0x20)));
  const stops = i8x16.bitmask(v128.or(v128.or(equals(QUOTE), equals(BACKSLASH)), isControl));
  const left = i32.sub(end.get, at.get);
  return made.body(
    i32.store8(to.get, i32.const(QUOTE)),
    to.advance(1),
    loop(
      scan,
      bytes.set(v128.load(at.get)),
      v128.store(to.get, bytes.get),
      plain.set(i32.ctz(i32.or(stops, i32.const(1 << 16)))),
      plain.set(select(plain.get, left, i32.ltU(plain.get, left))),
      at.set(i32.add(at.get, plain.get)),
      to.set(i32.add(to.get, plain.get)),
      when(i32.ltU(at.get, end.get), [
        when(i32.ltU(plain.get, i32.const(16)), [
          to.set(escaped.call(i32.load8U(at.get), to.get)),
          at.advance(1),
        ]),
        branch(scan),
      ]),
    ),
    i32.store8(to.get, i32.const(QUOTE)),
    i32.add(to.get, ONE),
  );
}

/** Adds `(byte, target) -> (target)`, which writes the escape of a byte. */
function addEscapeFunction(module: ModuleBuilder): FunctionBuilder {
  const made = module.function(['i32', 'i32'], ['i32']);
  const [byte, to] = [made.parameter(0), made.parameter(1)];
  const letter = made.local('i32');
  const digit = (value: Code): Code => i32.load8U(value, DIGITS_AT);
  return made.body(
    when(letter.tee(i32.load8U(byte.get, LETTERS_AT)), [
      i32.store8(to.get, i32.const(BACKSLASH)),
      i32.store8(to.get, letter.get, 1),
      leave(i32.add(to.get, i32.const(2))),
    ]),
    i32.store(to.get, i32.const(UNIT_ESCAPE)),
    i32.store8(to.get, digit(i32.shrU(byte.get, i32.const(4))), 4),
    i32.store8(to.get, digit(i32.and(byte.get, i32.const(15))), 5),
    i32.add(to.get, i32.const(6)),
  );
}

/** Adds `(value, target, is signed) -> (target)`, which writes an integer. */
function addIntegerFunction(module: ModuleBuilder): FunctionBuilder {
  const digits = addDigitsFunction(module);
  const made = module.function(['i64', 'i32', 'i32'], ['i32']);
  const [value, to, isSigned] = [made.parameter(0), made.parameter(1), made.parameter(2)];
  const upper = made.local('i64');
  const billion = i64.const(BigInt(BILLION));
  const low = i32.wrapI64(i64.sub(value.get, i64.mul(upper.get, billion)));
  const isNegative = i32.and(isSigned.get, i64.ltS(value.get, i64.const(0n)));
  return made.body(
    when(isNegative, [
      i32.store8(to.get, i32.const(0x2d)),
      to.advance(1),
      value.set(i64.sub(i64.const(0n), value.get)),
    ]),
    when(i64.ltU(value.get, billion), leave(digits.call(i32.wrapI64(value.get), to.get, ONE))),
    upper.set(i64.divU(value.get, billion)),
    to.set(made.call(upper.get, to.get, ZERO)),
    digits.call(low, to.get, i32.const(9)),
  );
}

/** Adds `(value, target, digits) -> (target)` for values below 10^9, with at least so many digits. */
function addDigitsFunction(module: ModuleBuilder): FunctionBuilder {
  const made = module.function(['i32', 'i32', 'i32'], ['i32']);
  const [value, to, count] = [made.parameter(0), made.parameter(1), made.parameter(2)];
  const limit = made.local('i32');
  const at = made.local('i32');
  const rest = made.local('i32');
  const [counting, writing] = [new Label(), new Label()];
  const digit = i32.sub(value.get, i32.mul(rest.get, i32.const(10)));
  return made.body(
    limit.set(i32.const(10)),
    when(
      i32.eq(count.get, ONE),
      loop(
        counting,
        when(i32.geU(value.get, limit.get), [
          count.advance(1),
          limit.set(i32.mul(limit.get, i32.const(10))),
          // Ten digits do not occur, and ten to the ninth is the last power that fits.
          branchIf(i32.ltU(count.get, i32.const(9)), counting),
        ]),
      ),
    ),
    to.set(i32.add(to.get, count.get)),
    at.set(to.get),
    loop(
      writing,
      at.set(i32.sub(at.get, ONE)),
      rest.set(i32.divU(value.get, i32.const(10))),
      i32.store8(at.get, i32.add(digit, i32.const(0x30))),
      value.set(rest.get),
      count.set(i32.sub(count.get, ONE)),
      branchIf(count.get, writing),
    ),
    to.get,
  );
}
