import type { DataType } from '@nervix/model';
import type { Emitter, IntegerMode, Operand } from './emitter.js';
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

/** What a column holds, and in which form generated code computes it. */
interface ColumnForm {
  readonly type: DataType;
  readonly optional: boolean;
  readonly mode: IntegerMode;
}

/** Output that fills a column builder, made for the run. */
export function columnOutput(form: ColumnForm): LoopOutput {
  const { type, optional } = form;
  if (typeof type !== 'string') return LIST_OUTPUT;
  if (type !== 'STRING' && type !== 'BYTES') return fixedOutput(form, 'T', '');
  return {
    open: [
      'const valid = T.validity;',
      'const offsets_ = T.offsets; let bytes_ = T.bytes, at_ = offsets_[from];',
    ],
    close: '',
    skip: 'offsets_[o + 1] = at_;',
    store: (emitter, value) =>
      storePresent(emitter, value, () => {
        const size = `${value.end} - ${value.start}`;
        emitter.emit(
          `if (bytes_.length - at_ < ${size}) { T.ensureBytes(o, ${size}); bytes_ = T.bytes; }`,
          `copyRange(${value.value}, ${value.start}, ${value.end}, bytes_, at_);`,
          `at_ += ${size}; offsets_[o + 1] = at_;`,
          presentCode(optional, ''),
        );
      }),
  };
}

/**
 * Output that fills one of several column builders of fixed width or BOOL, which one loop writes.
 *
 * @param index position of the builder in the target of the run
 */
export function placedOutput(form: ColumnForm, index: number): LoopOutput {
  return fixedOutput(form, `T[${index}]`, String(index));
}

/** @param suffix tells the variables of this output from those of others */
function fixedOutput(
  { type, optional, mode }: ColumnForm,
  target: string,
  suffix: string,
): LoopOutput {
  const isBits = type === 'BOOL';
  const isWideDouble = mode === 'double' && (type === 'I64' || type === 'U64');
  const present = presentCode(optional, suffix);
  const write = (emitter: Emitter, { value }: Operand): void => {
    if (isBits) {
      emitter.emit(`if (${value}) bits_${suffix}[o >>> 3] |= 1 << (o & 7);`, present);
    } else if (isWideDouble) {
      const high = emitter.fresh('h');
      emitter.emit(
        `const ${high} = Math.floor(${value} * 2.3283064365386963e-10);`,
        `words_${suffix}[o * 2] = ${value} - ${high} * 4294967296;`,
        `words_${suffix}[o * 2 + 1] = ${high};`,
        present,
      );
    } else {
      emitter.emit(`values_${suffix}[o] = ${value};`, present);
    }
  };
  return {
    open: [
      `const valid${suffix} = ${target}.validity;`,
      isBits
        ? `const bits_${suffix} = ${target}.bits;`
        : `const values_${suffix} = ${target}.values, words_${suffix} = ${target}.words;`,
    ],
    close: '',
    skip: '',
    store: (emitter, value) => storePresent(emitter, value, () => write(emitter, value)),
  };
}

function presentCode(isOptional: boolean, suffix: string): string {
  return isOptional ? `valid${suffix}[o >>> 3] |= 1 << (o & 7);` : '';
}

function storePresent(emitter: Emitter, { isNull }: Operand, write: () => void): void {
  if (isNull !== null) emitter.emit(`if (!${isNull}) {`);
  write();
  if (isNull !== null) emitter.emit('}');
}
