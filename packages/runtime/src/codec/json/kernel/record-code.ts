import { type IntegerType, integerRange, isIntegerType } from '@nervix/model';
import {
  block,
  branch,
  branchIf,
  type Code,
  f64,
  i32,
  i64,
  Label,
  loop,
  when,
} from '../../../simd/instruction.js';
import { type FunctionBuilder, type Local, ModuleBuilder } from '../../../simd/module-builder.js';
import { addDatetimeFunction } from './datetime-code.js';
import { addDigitsFunction, addFloatFunction, addFloatTables } from './number-code.js';
import { type ColumnPlace, POSITION_AT, type RecordLayout } from './record-layout.js';
import { addTextFunction } from './text-code.js';

/**
 * Generates the module of a layout. It exports `decode(position, row, rowEnd, inputEnd)`, which decodes
 * line after line as the rows from `row` on, answers the first row that it did not decode, and leaves
 * the position of that row's line in the memory. A zero stands behind the input, so that nothing that
 * is read goes past it. The host gives `float` and `skip`, which read numbers and undeclared values.
 *
 * @param order the members of a record: positions of declared fields and names of undeclared ones
 */
export function recordModule(
  layout: RecordLayout,
  order: readonly (number | string)[],
): Uint8Array<ArrayBuffer> {
  return new RecordCode(layout, order).build();
}

const ZERO = i32.const(0);
const ONE = i32.const(1);
const BRACE = 0x7b;
const COMMA = 0x2c;
const END_BRACE = 0x7d;
const MINUS = 0x2d;
const NULL_WORD = 0x6c6c756e;
const TRUE_WORD = 0x65757274;
const FALSE_WORD = 0x736c6166;
const SMALL_E = 0x65;

class RecordCode {
  readonly #layout: RecordLayout;
  readonly #order: readonly (number | string)[];
  readonly #module = new ModuleBuilder();
  readonly #skip: (at: Code) => Code;
  readonly #text: FunctionBuilder;
  readonly #digits: FunctionBuilder;
  readonly #datetime: FunctionBuilder;
  readonly #double: FunctionBuilder;
  readonly #single: FunctionBuilder;
  readonly #main: FunctionBuilder;
  readonly #bail = new Label();
  readonly #at: Local;
  readonly #row: Local;
  readonly #byte: Local;
  readonly #sign: Local;
  readonly #wide: Local;
  readonly #float: Local;
  readonly #hasMore: Local;
  /** Bit of the row in bitmaps, and the byte that holds it. */
  readonly #bit: Local;
  readonly #bitsAt: Local;
  /** End of what was written of each text column, from its start. */
  readonly #written = new Map<number, Local>();

  constructor(layout: RecordLayout, order: readonly (number | string)[]) {
    this.#layout = layout;
    this.#order = order;
    const module = this.#module;
    const skip = module.imported('skip', ['i32'], ['i32']);
    const float = module.imported('float', ['i32', 'i32'], ['f64']);
    this.#skip = (at) => skip.call(at);
    this.#text = addTextFunction(module);
    this.#digits = addDigitsFunction(module);
    this.#datetime = addDatetimeFunction(module);
    addFloatTables(module);
    this.#double = addFloatFunction(module, (at) => float.call(at, ZERO), false);
    this.#single = addFloatFunction(module, (at) => float.call(at, ONE), true);
    const main = module.function(['i32', 'i32', 'i32', 'i32'], ['i32']);
    this.#main = main;
    this.#at = main.parameter(0);
    this.#row = main.parameter(1);
    this.#byte = main.local('i32');
    this.#sign = main.local('i32');
    this.#wide = main.local('i64');
    this.#float = main.local('f64');
    this.#hasMore = main.local('i32');
    this.#bit = main.local('i32');
    this.#bitsAt = main.local('i32');
    for (const { field, index } of layout.columns) {
      if (field.type === 'STRING') this.#written.set(index, main.local('i32'));
    }
  }

  build(): Uint8Array<ArrayBuffer> {
    const main = this.#main;
    const [at, row] = [this.#at, this.#row];
    const lineAt = main.local('i32');
    const rows = new Label();
    const hasBitmaps = this.#layout.columns.some(
      ({ field }) => field.optional || field.type === 'BOOL',
    );
    main.body(
      lineAt.set(at.get),
      block(
        this.#bail,
        loop(
          rows,
          branchIf(i32.geU(row.get, main.parameter(2).get), this.#bail),
          this.#expect(BRACE),
          this.#skipSpace(),
          this.#hasMore.set(ONE),
          hasBitmaps ? this.#enterBitmaps() : [],
          this.#order.map((member, position) => this.#member(member, position)),
          this.#bailIf(this.#hasMore.get),
          this.#endLine(main.parameter(3)),
          row.advance(1),
          lineAt.set(at.get),
          branch(rows),
        ),
      ),
      i32.store(ZERO, lineAt.get, POSITION_AT),
      row.get,
    );
    this.#module.export('decode', main);
    return this.#module.build();
  }

  #load(offset = 0): Code {
    return i32.load8U(this.#at.get, offset);
  }

  #bailIf(condition: Code): Code {
    return branchIf(condition, this.#bail);
  }

  #expect(byte: number): Code {
    return [this.#bailIf(i32.ne(this.#load(), i32.const(byte))), this.#at.advance(1)];
  }

  /** Moves past one space, if there is one. */
  #skipSpace(): Code {
    const at = this.#at;
    return at.set(i32.add(at.get, i32.eq(this.#load(), i32.const(0x20))));
  }

  #enterBitmaps(): Code {
    return [
      this.#bit.set(i32.shl(ONE, i32.and(this.#row.get, i32.const(7)))),
      this.#bitsAt.set(i32.shrU(this.#row.get, i32.const(3))),
    ];
  }

  /** Moves past blanks and a line feed; the input may end instead of the last line. */
  #endLine(inputEnd: Local): Code {
    const [blanks, ended] = [new Label(), new Label()];
    const is = (byte: number): Code => i32.eq(this.#byte.get, i32.const(byte));
    return block(
      ended,
      loop(
        blanks,
        this.#byte.set(this.#load()),
        when(is(0x0a), [this.#at.advance(1), branch(ended)]),
        when(i32.or(is(0x20), i32.or(is(0x0d), is(0x09))), [this.#at.advance(1), branch(blanks)]),
      ),
      this.#bailIf(i32.ne(this.#at.get, inputEnd.get)),
    );
  }

  #member(member: number | string, position: number): Code {
    const place = typeof member === 'number' ? this.#layout.columns[member] : undefined;
    const separator = this.#separator(position);
    if (place === undefined) {
      const { test, length } = this.#nameTest(String(member));
      const skipped = this.#at.tee(this.#skip(this.#at.get));
      const value = [this.#enterValue(length), this.#bailIf(i32.eqz(skipped))];
      return when(i32.and(this.#hasMore.get, test), [value, separator]);
    }
    const { test, length } = this.#nameTest(place.field.name);
    const enter = this.#enterValue(length);
    const isNext = i32.and(this.#hasMore.get, test);
    if (!place.field.optional) {
      return [this.#bailIf(i32.eqz(isNext)), enter, this.#value(place), separator];
    }
    const isNull = i32.eq(i32.load(this.#at.get), i32.const(NULL_WORD));
    const present = [this.#value(place), this.#setBit(place.validityAt, true)];
    const value = when(isNull, [this.#at.advance(4), this.#absent(place)], present);
    return when(isNext, [enter, value, separator], this.#absent(place));
  }

  #enterValue(nameLength: number): Code {
    return [this.#at.advance(nameLength), this.#skipSpace()];
  }

  /**
   * Condition that the quoted name and its colon stand here. They are compared as words, of which the
   * last two may overlap.
   */
  #nameTest(name: string): { readonly test: Code; readonly length: number } {
    const bytes = quotedName(name);
    const words = new DataView(bytes.buffer);
    const { length } = bytes;
    const at = this.#at.get;
    const wide = (offset: number): Code =>
      i64.eq(i64.load(at, offset), i64.const(words.getBigInt64(offset, true)));
    const narrow = (offset: number): Code =>
      i32.eq(i32.load(at, offset), i32.const(words.getInt32(offset, true)));
    const tests: Code[] = [];
    let offset = 0;
    for (; offset + 8 <= length; offset += 8) tests.push(wide(offset));
    if (length >= 8 && offset < length) tests.push(wide(length - 8));
    const single = (place: number): Code =>
      i32.eq(this.#load(place), i32.const(bytes[place] as number));
    if (length < 4) tests.push(...Array.from(bytes.keys(), single));
    else if (length < 8) tests.push(narrow(0), narrow(length - 4));
    return { test: tests.reduce((left, right) => i32.and(left, right)), length };
  }

  /** Moves past what separates members, or the closing brace, as far as the order leaves a choice. */
  #separator(position: number): Code {
    const following = this.#order.slice(position + 1);
    const isOptional = (member: number | string): boolean =>
      typeof member === 'string' || this.#layout.columns[member]?.field.optional === true;
    if (following.length === 0) return [this.#expect(END_BRACE), this.#hasMore.set(ZERO)];
    if (!following.every(isOptional)) return [this.#expect(COMMA), this.#skipSpace()];
    const isComma = i32.eq(this.#load(), i32.const(COMMA));
    return when(
      isComma,
      [this.#at.advance(1), this.#skipSpace()],
      [this.#expect(END_BRACE), this.#hasMore.set(ZERO)],
    );
  }

  /** A null, with nothing under it: the memory holds what other kernels left there. */
  #absent(place: ColumnPlace): Code {
    return [this.#setBit(place.validityAt, false), this.#emptyValue(place)];
  }

  #emptyValue(place: ColumnPlace): Code {
    const { index, field, width, valuesAt, baseAt } = place;
    if (field.type === 'BOOL') return this.#setBit(valuesAt, false);
    if (width > 0) return [this.#wide.set(i64.const(0n)), this.#storeFixed(place)];
    const written = this.#written.get(index);
    return written === undefined ? [] : this.#storeOffset(valuesAt, baseAt, written);
  }

  #setBit(bitsAt: number, isSet: boolean): Code {
    const old = i32.load8U(this.#bitsAt.get, bitsAt);
    const bit = this.#bit.get;
    const bits = isSet ? i32.or(old, bit) : i32.and(old, i32.xor(bit, i32.const(-1)));
    return i32.store8(this.#bitsAt.get, bits, bitsAt);
  }

  #value(place: ColumnPlace): Code {
    const { type } = place.field;
    if (type === 'STRING') return this.#textValue(place);
    if (type === 'BOOL') return this.#booleanValue(place);
    if (type === 'F64') return this.#floatValue(place, this.#double, f64.store);
    if (type === 'F32') return this.#floatValue(place, this.#single, f64.storeSingle);
    if (type === 'DATETIME') {
      const read = this.#datetime.call(this.#at.get);
      return [this.#results(read, this.#wide), this.#storeFixed(place)];
    }
    return isIntegerType(type) ? this.#integerValue(place, type) : [];
  }

  /** Takes a value and the position behind it; zero sends the line to the general decoder. */
  #results(call: Code, value: Local): Code {
    return [call, this.#at.set(), value.set(), this.#bailIf(i32.eqz(this.#at.get))];
  }

  #integerValue(place: ColumnPlace, type: IntegerType): Code {
    const { min, max } = integerRange(type);
    const [at, sign, wide] = [this.#at, this.#sign, this.#wide];
    const isSigned = min < 0n;
    const limit = i64.const(max);
    // The least value is one further from zero than the greatest.
    const magnitude = isSigned ? i64.add(limit, i64.extendI32U(sign.get)) : limit;
    const signed = [
      sign.set(i32.eq(this.#load(), i32.const(MINUS))),
      at.set(i32.add(at.get, sign.get)),
    ];
    return [
      isSigned ? signed : [],
      this.#results(this.#digits.call(at.get), wide),
      type === 'U64' ? [] : this.#bailIf(i64.gtU(wide.get, magnitude)),
      isSigned ? when(sign.get, wide.set(i64.sub(i64.const(0n), wide.get))) : [],
      this.#storeFixed(place),
    ];
  }

  #storeFixed({ width, valuesAt }: ColumnPlace): Code {
    const address = i32.mul(this.#row.get, i32.const(width));
    const value = i32.wrapI64(this.#wide.get);
    if (width === 8) return i64.store(address, this.#wide.get, valuesAt);
    if (width === 4) return i32.store(address, value, valuesAt);
    return (width === 2 ? i32.store16 : i32.store8)(address, value, valuesAt);
  }

  #floatValue(
    { width, valuesAt }: ColumnPlace,
    read: FunctionBuilder,
    store: typeof f64.store,
  ): Code {
    const address = i32.mul(this.#row.get, i32.const(width));
    return [
      this.#results(read.call(this.#at.get), this.#float),
      store(address, this.#float.get, valuesAt),
    ];
  }

  #booleanValue({ valuesAt }: ColumnPlace): Code {
    const word = i32.load(this.#at.get);
    const isFalse = i32.and(
      i32.eq(word, i32.const(FALSE_WORD)),
      i32.eq(this.#load(4), i32.const(SMALL_E)),
    );
    return when(
      i32.eq(word, i32.const(TRUE_WORD)),
      [this.#at.advance(4), this.#setBit(valuesAt, true)],
      [this.#bailIf(i32.eqz(isFalse)), this.#at.advance(5), this.#setBit(valuesAt, false)],
    );
  }

  #textValue({ index, valuesAt, bytesAt, baseAt }: ColumnPlace): Code {
    const at = this.#at;
    const written = this.#written.get(index);
    if (written === undefined) return [];
    const target = i32.add(written.get, i32.const(bytesAt));
    return [
      this.#expect(0x22),
      this.#text.call(at.get, target),
      written.set(),
      at.set(),
      this.#bailIf(i32.eqz(at.get)),
      written.set(i32.sub(written.get, i32.const(bytesAt))),
      this.#storeOffset(valuesAt, baseAt, written),
    ];
  }

  #storeOffset(valuesAt: number, baseAt: number, written: Local): Code {
    const address = i32.shl(this.#row.get, i32.const(2));
    const base = i32.load(ZERO, baseAt);
    return i32.store(address, i32.add(base, written.get), valuesAt + 4);
  }
}

/** The name of a member as it stands in a line, with its colon. */
export function quotedName(name: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${JSON.stringify(name)}:`);
}
