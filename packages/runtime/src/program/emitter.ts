import type { DataType, RowSource, SourceSpan } from '@nervix/model';
import type { FailureSite } from './row-failures.js';
import type { FailureKind, RowSchemas } from './row-set.js';

/**
 * How 64-bit integers are computed: as doubles while every value is exact (a row that is not leaves
 * the loop), or as bigint.
 */
export type IntegerMode = 'double' | 'exact';

/** Form of a value in generated code. */
export type Representation = 'number' | 'bigint' | 'boolean' | 'text';

/** A value in generated code: every part is a variable or a literal, free to repeat. */
export interface Operand {
  readonly type: DataType;
  /** Condition that the value is null; null when it never is. */
  readonly isNull: string | null;
  /** The value, or the byte array of a text. */
  readonly value: string;
  /** First and last position of a text. */
  readonly start: string;
  readonly end: string;
}

/** Thrown while compiling when no loop can be generated; the interpreter takes the expression. */
export class NotGenerated extends Error {
  override readonly name = 'NotGenerated';
}

/** A column that generated code reads. */
export interface ColumnBinding {
  readonly source: RowSource | 'aggregates';
  /** Position in the source's schema. */
  readonly index: number;
  readonly type: DataType;
}

const EXACT_LIMIT = '9007199254740991';

/** Collects the statements of a loop body, its constants and the columns it reads. */
export class Emitter {
  readonly mode: IntegerMode;
  readonly schemas: RowSchemas;
  readonly lines: string[] = [];
  readonly constants: unknown[] = [];
  readonly bindings: ColumnBinding[] = [];
  /** Whether some row may have to leave the loop for the exact one. */
  mayLeave = false;
  #names = 0;

  constructor(mode: IntegerMode, schemas: RowSchemas) {
    this.mode = mode;
    this.schemas = schemas;
  }

  fresh(prefix: string): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }

  emit(...lines: string[]): void {
    this.lines.push(...lines);
  }

  /** Name of a value of the compiler in generated code; the value itself never becomes source. */
  constant(value: unknown): string {
    const known = this.constants.findIndex((constant) => Object.is(constant, value));
    if (known >= 0) return `K${known}`;
    this.constants.push(value);
    return `K${this.constants.length - 1}`;
  }

  representation(type: DataType): Representation {
    switch (type) {
      case 'BOOL':
        return 'boolean';
      case 'STRING':
      case 'BYTES':
        return 'text';
      case 'DATETIME':
        return 'bigint';
      case 'I64':
      case 'U64':
        return this.mode === 'double' ? 'number' : 'bigint';
      default:
        if (typeof type !== 'string') throw new NotGenerated('lists are interpreted');
        return 'number';
    }
  }

  /** Statement that fails the row. */
  fail(kind: FailureKind, detail: string, span: SourceSpan | undefined): string {
    const site: FailureSite = { kind, detail, span };
    return `{ F.add(i, ${this.constant(site)}); continue rows; }`;
  }

  /** Statement that leaves the loop before this row when an integer is not exact as a double. */
  leaveUnlessExact(value: string): void {
    this.mayLeave = true;
    this.emit(`if (${value} > ${EXACT_LIMIT} || ${value} < -${EXACT_LIMIT}) return i;`);
  }

  /** Declares variables for a result that is assigned in a block. */
  declare(type: DataType, isOptional: boolean): Operand {
    const value = this.fresh('v');
    const isNull = isOptional ? this.fresh('n') : null;
    if (isNull !== null) this.emit(`let ${isNull} = false;`);
    const representation = this.representation(type);
    if (representation !== 'text') {
      const zero = { number: '0', bigint: '0n', boolean: 'false' }[representation];
      this.emit(`let ${value} = ${zero};`);
      return { type, isNull, value, start: '', end: '' };
    }
    const start = this.fresh('s');
    const end = this.fresh('e');
    this.emit(`let ${value} = EMPTY, ${start} = 0, ${end} = 0;`);
    return { type, isNull, value, start, end };
  }

  /** Assigns a value, which is not null where this runs, to declared variables. */
  assign(target: Operand, source: Operand): void {
    this.emit(`${target.value} = ${source.value};`);
    if (target.start !== '') {
      this.emit(`${target.start} = ${source.start}; ${target.end} = ${source.end};`);
    }
  }

  /** Assigns a value that may be null. */
  assignAny(target: Operand, source: Operand): void {
    if (source.isNull === null || target.isNull === null) {
      this.assign(target, source);
      return;
    }
    this.emit(`if (${source.isNull}) ${target.isNull} = true;`, 'else {');
    this.assign(target, source);
    this.emit('}');
  }

  /** A never-null operand of an expression's value. */
  computed(type: DataType, code: string): Operand {
    const value = this.fresh('v');
    this.emit(`const ${value} = ${code};`);
    return { type, isNull: null, value, start: '', end: '' };
  }

  /** The text that a call just left in the arena. */
  arenaText(type: DataType): Operand {
    const value = this.fresh('v');
    const start = this.fresh('s');
    const end = this.fresh('e');
    this.emit(`const ${value} = A.bytes, ${start} = A.start, ${end} = A.end;`);
    return { type, isNull: null, value, start, end };
  }

  /**
   * Computes a result that is null when an operand is.
   *
   * @param compute emits the computation over present operands
   */
  strict(operands: readonly Operand[], type: DataType, compute: () => Operand): Operand {
    const nulls = operands.flatMap(({ isNull }) => (isNull === null ? [] : [isNull]));
    if (nulls.length === 0) return compute();
    const result = this.declare(type, true);
    this.emit(`if (${nulls.join(' || ')}) ${result.isNull} = true;`, 'else {');
    this.assignAny(result, compute());
    this.emit('}');
    return result;
  }

  /** Code of a present value in the form the interpreter uses. */
  boxed(operand: Operand): string {
    const { type, value } = operand;
    if (type === 'STRING') return `decodeText(${value}, ${operand.start}, ${operand.end})`;
    if (type === 'BYTES') return `${value}.subarray(${operand.start}, ${operand.end})`;
    const isWide = type === 'I64' || type === 'U64';
    return isWide && this.mode === 'double' ? `BigInt(${value})` : value;
  }

  /** Turns a present value in the interpreter's form into an operand. */
  unboxed(code: string, type: DataType): Operand {
    if (type === 'STRING') {
      this.emit(`A.put(${code});`);
      return this.arenaText(type);
    }
    if (this.representation(type) === 'text') throw new NotGenerated('no function yields BYTES');
    if ((type !== 'I64' && type !== 'U64') || this.mode === 'exact') {
      return this.computed(type, code);
    }
    const value = this.computed(type, `Number(${code})`);
    this.leaveUnlessExact(value.value);
    return value;
  }
}
