import type { DataType } from '@nervix/model';
import type { Emitter, Operand } from './emitter.js';
import type { LoopOutput } from './generated-loop.js';

/** Rows for which room is kept from run to run. */
const KEPT_ROWS_MAX = 1 << 20;
let kept = new Int32Array(0);

/** Rows for which a condition is TRUE, in room that the next selection of the thread uses again. */
export class Selection {
  readonly rows: Int32Array;
  count = 0;

  constructor(rowCount: number) {
    const room = kept.length < rowCount ? new Int32Array(rowCount) : kept;
    if (rowCount <= KEPT_ROWS_MAX) kept = room;
    this.rows = room;
  }

  /** The rows in an array of their own. */
  take(): Int32Array {
    return this.rows.slice(0, this.count);
  }
}

/** Output that lists the rows with the value TRUE in a {@link Selection}. */
export const SELECTION_OUTPUT: LoopOutput = {
  open: ['const rows_ = T.rows; let count_ = T.count;'],
  close: 'T.count = count_;',
  skip: '',
  store: (emitter, { isNull, value }) => {
    emitter.emit(`if (${isNull === null ? '' : `!${isNull} && `}${value}) rows_[count_++] = o;`);
  },
};

/** Output that fills a column builder of lists, whose rows are all written. */
const LIST_OUTPUT: LoopOutput = {
  open: [],
  close: '',
  skip: 'T.set(o, null);',
  store: (emitter, operand) => {
    emitter.emit(`T.set(o, ${emitter.boxedOrNull(operand)});`);
  },
};

/** Output that fills a column builder, made for the run. */
export function columnOutput(
  type: DataType,
  isOptional: boolean,
  isWideDouble: boolean,
): LoopOutput {
  if (typeof type !== 'string') return LIST_OUTPUT;
  const isText = type === 'STRING' || type === 'BYTES';
  const present = isOptional ? 'valid[o >>> 3] |= 1 << (o & 7);' : '';
  const write = (emitter: Emitter, value: Operand): void => {
    if (isText) {
      const size = `${value.end} - ${value.start}`;
      emitter.emit(
        `if (bytes_.length - at_ < ${size}) { T.ensureBytes(o, ${size}); bytes_ = T.bytes; }`,
        `copyRange(${value.value}, ${value.start}, ${value.end}, bytes_, at_);`,
        `at_ += ${size}; offsets_[o + 1] = at_;`,
        present,
      );
    } else if (type === 'BOOL') {
      emitter.emit(`if (${value.value}) bits_[o >>> 3] |= 1 << (o & 7);`, present);
    } else if (isWideDouble) {
      const high = emitter.fresh('h');
      emitter.emit(
        `const ${high} = Math.floor(${value.value} * 2.3283064365386963e-10);`,
        `words_[o * 2] = ${value.value} - ${high} * 4294967296; words_[o * 2 + 1] = ${high};`,
        present,
      );
    } else {
      emitter.emit(`values_[o] = ${value.value};`, present);
    }
  };
  return {
    open: [
      'const valid = T.validity;',
      isText
        ? 'const offsets_ = T.offsets; let bytes_ = T.bytes, at_ = offsets_[from];'
        : type === 'BOOL'
          ? 'const bits_ = T.bits;'
          : 'const values_ = T.values, words_ = T.words;',
    ],
    close: '',
    skip: isText ? 'offsets_[o + 1] = at_;' : '',
    store: (emitter, value) => {
      if (value.isNull !== null) emitter.emit(`if (!${value.isNull}) {`);
      write(emitter, value);
      if (value.isNull !== null) emitter.emit('}');
    },
  };
}
