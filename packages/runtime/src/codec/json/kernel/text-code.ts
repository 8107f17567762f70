import {
  branch,
  type Code,
  i8x16,
  i32,
  Label,
  leave,
  loop,
  select,
  v128,
  when,
} from '../../../simd/instruction.js';
import type { FunctionBuilder, ModuleBuilder } from '../../../simd/module-builder.js';
import { HEX_VALUES, SIMPLE_ESCAPES } from '../json-text.js';

/** Where the tables of kernels for JSON lie: values of hexadecimal digits, bytes of simple escapes. */
const HEX_AT = 1024;
const ESCAPES_AT = 1280;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
/** A backslash and the letter u, as they lie in memory. */
const UNIT_ESCAPE = 0x755c;

/** No position and no end of what was written: the text has a defect. */
const DEFECT = leave(i32.const(0), i32.const(0));

/** Bytes of a word of SIMD. */
const WORD = 16;

/** Has the high bit of a byte set that ends a run of plain text; beyond ASCII they have it anyway. */
function stopsIn(bytes: Code): Code {
  const equals = (byte: number): Code => i8x16.eq(bytes, i8x16.splat(i32.const(byte)));
  const isControl = i8x16.ltU(bytes, i8x16.splat(i32.const(SPACE)));
  return v128.or(v128.or(equals(QUOTE), equals(BACKSLASH)), v128.or(isControl, bytes));
}

/**
 * Adds the function `(position, target) -> (position, target)` that decodes the content of a JSON
 * string up to its closing quote, thirty-two or sixteen bytes at a time, and answers what lies behind
 * both; zeros for a text that has a defect. It may write 31 bytes behind the target's end.
 */
export function addTextFunction(module: ModuleBuilder): FunctionBuilder {
  module.segment(HEX_AT, new Uint8Array(HEX_VALUES.buffer, 0, 256));
  module.segment(ESCAPES_AT, SIMPLE_ESCAPES);
  const escaped = addEscapeFunction(module);
  const sequence = addSequenceFunction(module);
  const made = module.function(['i32', 'i32'], ['i32', 'i32']);
  const [at, to] = [made.parameter(0), made.parameter(1)];
  const [bytes, following] = [made.local('v128'), made.local('v128')];
  const stops = made.local('i32');
  const first = made.local('i32');
  const [run, scan] = [new Label(), new Label()];
  const moveBy = (count: Code): Code => [
    at.set(i32.add(at.get, count)),
    to.set(i32.add(to.get, count)),
  ];
  return made.body(
    loop(
      run,
      bytes.set(v128.load(at.get)),
      following.set(v128.load(at.get, WORD)),
      v128.store(to.get, bytes.get),
      v128.store(to.get, following.get, WORD),
      when(i32.eqz(i8x16.bitmask(v128.or(stopsIn(bytes.get), stopsIn(following.get)))), [
        moveBy(i32.const(WORD * 2)),
        branch(run),
      ]),
    ),
    loop(
      scan,
      bytes.set(v128.load(at.get)),
      v128.store(to.get, bytes.get),
      stops.set(i8x16.bitmask(stopsIn(bytes.get))),
      when(i32.eqz(stops.get), [moveBy(i32.const(WORD)), branch(scan)]),
      stops.set(i32.ctz(stops.get)),
      moveBy(stops.get),
      first.set(i32.load8U(at.get)),
      when(i32.eq(first.get, i32.const(QUOTE)), leave(i32.add(at.get, i32.const(1)), to.get)),
      when(i32.eq(first.get, i32.const(BACKSLASH)), [
        escaped.call(at.get, to.get),
        to.set(),
        when(i32.eqz(at.tee([])), DEFECT),
        branch(scan),
      ]),
      when(i32.ltU(first.get, i32.const(SPACE)), DEFECT),
      when(i32.eqz(stops.tee(sequence.call(at.get))), DEFECT),
      i32.store(to.get, i32.load(at.get)),
      moveBy(stops.get),
      branch(scan),
    ),
    DEFECT,
  );
}

/** Adds `(position, target) -> (position, target)` for the escape at a backslash. */
function addEscapeFunction(module: ModuleBuilder): FunctionBuilder {
  const unitAt = addUnitFunction(module);
  const codePoint = addCodePointFunction(module);
  const made = module.function(['i32', 'i32'], ['i32', 'i32']);
  const [at, to] = [made.parameter(0), made.parameter(1)];
  const unit = made.local('i32');
  const low = made.local('i32');
  const letter = i32.load8U(at.get, 1);
  return made.body(
    when(i32.ne(letter, i32.const(0x75)), [
      when(i32.eqz(unit.tee(i32.load8U(letter, ESCAPES_AT))), DEFECT),
      i32.store8(to.get, unit.get),
      leave(i32.add(at.get, i32.const(2)), i32.add(to.get, i32.const(1))),
    ]),
    unit.set(unitAt.call(i32.add(at.get, i32.const(2)))),
    when(i32.gtU(unit.get, i32.const(0xffff)), DEFECT),
    at.advance(6),
    when(i32.eq(i32.and(unit.get, i32.const(0xf800)), i32.const(0xd800)), [
      when(i32.gtU(unit.get, i32.const(0xdbff)), DEFECT),
      when(i32.ne(i32.load16U(at.get), i32.const(UNIT_ESCAPE)), DEFECT),
      low.set(unitAt.call(i32.add(at.get, i32.const(2)))),
      when(i32.ne(i32.and(low.get, i32.const(~0x3ff)), i32.const(0xdc00)), DEFECT),
      unit.set(i32.shl(i32.and(unit.get, i32.const(0x3ff)), i32.const(10))),
      unit.set(i32.or(unit.get, i32.and(low.get, i32.const(0x3ff)))),
      unit.set(i32.add(unit.get, i32.const(0x10000))),
      at.advance(6),
    ]),
    leave(at.get, codePoint.call(unit.get, to.get)),
  );
}

/** Adds `(position) -> (unit)` for four hexadecimal digits; negative when they are none. */
function addUnitFunction(module: ModuleBuilder): FunctionBuilder {
  const made = module.function(['i32'], ['i32']);
  const at = made.parameter(0);
  const digit = (offset: number): Code => i32.load8S(i32.load8U(at.get, offset), HEX_AT);
  const upper = i32.or(i32.shl(digit(0), i32.const(12)), i32.shl(digit(1), i32.const(8)));
  return made.body(i32.or(upper, i32.or(i32.shl(digit(2), i32.const(4)), digit(3))));
}

/** Adds `(code point, target) -> (target)`, which writes UTF-8. */
function addCodePointFunction(module: ModuleBuilder): FunctionBuilder {
  const made = module.function(['i32', 'i32'], ['i32']);
  const [point, to] = [made.parameter(0), made.parameter(1)];
  const bits = (shift: number): Code =>
    i32.or(i32.and(i32.shrU(point.get, i32.const(shift)), i32.const(0x3f)), i32.const(0x80));
  const lead = (shift: number, mark: number): Code =>
    i32.store8(to.get, i32.or(i32.shrU(point.get, i32.const(shift)), i32.const(mark)));
  const written = (count: number): Code => leave(i32.add(to.get, i32.const(count)));
  return made.body(
    when(i32.ltU(point.get, i32.const(0x80)), [i32.store8(to.get, point.get), written(1)]),
    when(i32.ltU(point.get, i32.const(0x800)), [
      lead(6, 0xc0),
      i32.store8(to.get, bits(0), 1),
      written(2),
    ]),
    when(i32.ltU(point.get, i32.const(0x10000)), [
      lead(12, 0xe0),
      i32.store8(to.get, bits(6), 1),
      i32.store8(to.get, bits(0), 2),
      written(3),
    ]),
    lead(18, 0xf0),
    i32.store8(to.get, bits(12), 1),
    i32.store8(to.get, bits(6), 2),
    i32.store8(to.get, bits(0), 3),
    written(4),
  );
}

/** Adds `(position) -> (length)` of the UTF-8 sequence beyond ASCII there; zero when it is none. */
function addSequenceFunction(module: ModuleBuilder): FunctionBuilder {
  const made = module.function(['i32'], ['i32']);
  const at = made.parameter(0);
  const first = made.local('i32');
  const second = made.local('i32');
  const isContinued = (byte: Code): Code => i32.eq(i32.and(byte, i32.const(0xc0)), i32.const(0x80));
  const isFirst = (byte: number): Code => i32.eq(first.get, i32.const(byte));
  const none = leave(i32.const(0));
  const lengthIf = (length: number, condition: Code): Code =>
    leave(select(i32.const(length), i32.const(0), condition));
  const third = isContinued(i32.load8U(at.get, 2));
  return made.body(
    first.set(i32.load8U(at.get)),
    second.set(i32.load8U(at.get, 1)),
    when(i32.ltU(first.get, i32.const(0xc2)), none),
    when(i32.eqz(isContinued(second.get)), none),
    when(i32.ltU(first.get, i32.const(0xe0)), leave(i32.const(2))),
    when(i32.ltU(first.get, i32.const(0xf0)), [
      when(i32.and(isFirst(0xe0), i32.ltU(second.get, i32.const(0xa0))), none),
      when(i32.and(isFirst(0xed), i32.gtU(second.get, i32.const(0x9f))), none),
      lengthIf(3, third),
    ]),
    when(i32.gtU(first.get, i32.const(0xf4)), none),
    when(i32.and(isFirst(0xf0), i32.ltU(second.get, i32.const(0x90))), none),
    when(i32.and(isFirst(0xf4), i32.gtU(second.get, i32.const(0x8f))), none),
    lengthIf(4, i32.and(third, isContinued(i32.load8U(at.get, 3)))),
  );
}
