import type { DataType, SourceSpan, TypedExpression } from '@nervix/model';
import type { StagePlaces } from './call-stages.js';
import type { FailureSite, OperationContext } from './row-failures.js';
import type { FailureKind, ProgramSource, RowSchemas } from './row-set.js';
import { StructuralKeys } from './structural-keys.js';

/**
 * How 64-bit integers are computed: as doubles while every value is exact (a row that is not leaves
 * the loop), or as bigint.
 */
export type IntegerMode = 'double' | 'exact';

/** Form of a value in generated code. */
export type Representation = 'number' | 'bigint' | 'boolean' | 'text' | 'list';

/** A value in generated code: every part is a variable or a literal, free to repeat. */
export interface Operand {
  readonly type: DataType;
  /** Condition that the value is null; null when it never is. */
  readonly isNull: string | null;
  /** The value, or the byte array of a text; a list is an array of values. */
  readonly value: string;
  /** First and last position of a text. */
  readonly start: string;
  readonly end: string;
  /** Whether the text lies in the bytes of a column, row behind row. */
  readonly isColumn?: boolean;
}

/** Thrown while compiling when no loop can be generated; the interpreter takes the expression. */
export class NotGenerated extends Error {
  override readonly name = 'NotGenerated';
}

/** A column that generated code reads. */
export interface ColumnBinding {
  readonly source: ProgramSource;
  /** Position in the source's schema. */
  readonly index: number;
  readonly type: DataType;
}

/** What generated code may read. */
export interface LoopSources {
  readonly schemas: RowSchemas;
  readonly stages: StagePlaces;
}

/** Blocks inside of each other; each is a call or more in the host's parser. */
const BLOCKS_MAX = 512;

const EXACT_LIMIT = '9007199254740991';

/** Collects the statements of a loop body, its constants and the columns it reads. */
export class Emitter {
  readonly mode: IntegerMode;
  readonly schemas: RowSchemas;
  /** Parts that are read instead of computed. */
  readonly stages: StagePlaces;
  /** Statements before the loop over the rows. */
  readonly opening: string[] = [];
  readonly lines: string[] = [];
  /** Whether some text is computed into the arena. */
  usesArena = false;
  readonly constants: unknown[] = [];
  readonly bindings: ColumnBinding[] = [];
  /** Whether some row may have to leave the loop for the exact one. */
  mayLeave = false;
  readonly #keys = new StructuralKeys();
  /** Operands that can be read here by the key of their expression, innermost block last. */
  readonly #blocks: Map<number, Operand>[] = [new Map()];
  readonly #close: string;
  #names = 0;
  /** Statement before one that adds a failure. */
  #enter = '';
  /** Statements so far by which a row fails or leaves the loop. */
  #exits = 0;

  /** @param close statement of the output that ends a run */
  constructor(mode: IntegerMode, sources: LoopSources, close: string) {
    this.mode = mode;
    this.schemas = sources.schemas;
    this.stages = sources.stages;
    this.#close = close;
  }

  /**
   * The operand of an equal expression that can be read here: what gives one value a row is computed
   * once. Of volatile expressions there is none.
   */
  known(expression: TypedExpression): Operand | undefined {
    const key = this.#keys.keyOf(expression);
    if (key === undefined) return undefined;
    for (const block of this.#blocks) {
      const operand = block.get(key);
      if (operand !== undefined) return operand;
    }
    return undefined;
  }

  /** Lets what follows read the operand of an expression, unless each of it may differ. */
  keep(expression: TypedExpression, operand: Operand): void {
    const key = this.#keys.keyOf(expression);
    if (key !== undefined) this.#blocks.at(-1)?.set(key, operand);
  }

  /** Begins a block of code that not every row runs; what it computes is known only inside. */
  openBlock(): void {
    if (this.#blocks.length > BLOCKS_MAX) throw new NotGenerated('deeper than the host may parse');
    this.#blocks.push(new Map());
  }

  closeBlocks(count: number): void {
    this.#blocks.length -= count;
  }

  /**
   * Emits code that runs only for rows with `condition`, if that cannot be told from running it for
   * all: when no row fails or leaves the loop in it. Other code is emitted for all rows.
   *
   * @returns whether the code, and with it the operand's variables, is in a block, which the caller
   *   closes
   */
  emitUnder(
    condition: string,
    emit: () => Operand,
  ): { readonly operand: Operand; readonly isBlock: boolean } {
    const [length, exits] = [this.lines.length, this.#exits];
    this.openBlock();
    const operand = emit();
    const block = this.#blocks.pop();
    const isBlock = this.#exits === exits && operand.isNull === null;
    if (isBlock) this.lines.splice(length, 0, `if (${condition}) {`);
    else for (const [key, known] of block ?? []) this.#blocks.at(-1)?.set(key, known);
    return { operand, isBlock };
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

  /** Bytes of a text that is a constant of the statement. */
  constantBytes({ value }: Operand): Uint8Array | undefined {
    const constant = /^K[0-9]+$/.test(value) ? this.constants[Number(value.slice(1))] : undefined;
    return constant instanceof Uint8Array ? constant : undefined;
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
        return typeof type === 'string' ? 'number' : 'list';
    }
  }

  /** Fails the row with what a variable holds, unless that is undefined. */
  failIfSet(variable: string): void {
    this.#exits += 1;
    this.emit(
      `if (${variable} !== undefined) { ${this.#enter}F.add(o, ${variable}); continue rows; }`,
    );
  }

  /** Failures of what is emitted from here on belong to this operation; null is that of the run. */
  enter(context: OperationContext | null): void {
    this.#enter = context === null ? '' : `F.enter(${this.constant(context)}); `;
  }

  /** Statement that fails the row. */
  fail(kind: FailureKind, detail: string, span: SourceSpan | undefined): string {
    this.#exits += 1;
    const site: FailureSite = { kind, detail, span };
    return `{ ${this.#enter}F.add(o, ${this.constant(site)}); continue rows; }`;
  }

  /** Statement that leaves the loop before this row when an integer is not exact as a double. */
  leaveUnlessExact(value: string): void {
    this.leaveIf(`${value} > ${EXACT_LIMIT} || ${value} < -${EXACT_LIMIT}`);
  }

  /** Statement that leaves the loop before this row. */
  leaveIf(condition: string): void {
    this.mayLeave = true;
    this.#exits += 1;
    this.emit(`if (${condition}) { ${this.#close} return o; }`);
  }

  /** Declares variables for a result that is assigned in a block. */
  declare(type: DataType, isOptional: boolean): Operand {
    const value = this.fresh('v');
    const isNull = isOptional ? this.fresh('n') : null;
    if (isNull !== null) this.emit(`let ${isNull} = false;`);
    const representation = this.representation(type);
    if (representation !== 'text') {
      const zero = { number: '0', bigint: '0n', boolean: 'false', list: 'null' }[representation];
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
    this.usesArena = true;
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

  /** Code of a value that may be null in the form the interpreter uses. */
  boxedOrNull(operand: Operand): string {
    const boxed = this.boxed(operand);
    return operand.isNull === null ? boxed : `(${operand.isNull} ? null : ${boxed})`;
  }

  /**
   * Calls a function of the compiler that returns a value in the interpreter's form, null or, when
   * the row fails, a RowFault.
   */
  called(code: string, type: DataType, isOptional: boolean, span: SourceSpan | undefined): Operand {
    const outcome = this.fresh('x');
    this.#exits += 1;
    this.emit(
      `const ${outcome} = ${code};`,
      `if (${outcome} instanceof RowFault) { ${this.#enter}F.add(o, { kind: ${outcome}.kind,`,
      `  detail: ${outcome}.detail, span: ${outcome}.span ?? ${this.constant({ span })}.span });`,
      '  continue rows; }',
    );
    if (!isOptional) return this.unboxed(outcome, type);
    const result = this.declare(type, true);
    this.emit(`if (${outcome} === null) ${result.isNull} = true;`, 'else {');
    this.assign(result, this.unboxed(outcome, type));
    this.emit('}');
    return result;
  }

  /** Turns a present value in the interpreter's form into an operand. */
  unboxed(code: string, type: DataType): Operand {
    if (type === 'STRING') {
      this.emit(`A.put(${code});`);
      return this.arenaText(type);
    }
    if (type === 'BYTES') {
      const bytes = this.computed(type, code);
      return { ...bytes, start: '0', end: `${bytes.value}.length` };
    }
    if ((type !== 'I64' && type !== 'U64') || this.mode === 'exact') {
      return this.computed(type, code);
    }
    const value = this.computed(type, `Number(${code})`);
    this.leaveUnlessExact(value.value);
    return value;
  }
}
