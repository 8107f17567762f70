import { assert, type TypedExpression, typedNodes } from '@nervix/model';
import type { Column } from '../column/column.js';
import { TextArena } from './byte-text.js';
import { type ColumnBinding, type LoopSources, NotGenerated } from './emitter.js';
import {
  type GeneratedLoop,
  generateLoop,
  type LoopInputs,
  type LoopPart,
  type LoopTarget,
} from './generated-loop.js';
import type { RowFailures } from './row-failures.js';
import type { ExecutionSnapshot, ProgramRows } from './row-set.js';

/** Rows that the exact loop takes at first when a value was no exact double. */
const EXACT_ROWS_MIN = 64;
const EXACT_ROWS_MAX = 65_536;

/** One run over all rows of a set. */
export interface RowLoopRun {
  readonly rows: ProgramRows;
  readonly snapshot: ExecutionSnapshot;
  readonly failures: RowFailures;
  readonly target: LoopTarget;
}

export type RowLoop = (run: RowLoopRun) => void;

/**
 * Compiles the loop of expressions, in doubles and in bigint where 64-bit integers occur.
 *
 * @returns undefined when some expression is for the interpreter
 */
export function compileRowLoop(
  parts: readonly LoopPart[],
  sources: LoopSources,
): RowLoop | undefined {
  if (isTooLong(parts)) return undefined;
  const exact = new LazyLoop(() => generateLoop(parts, sources, 'exact'));
  const fast = parts.some(({ expression }) => hasWideIntegers(expression))
    ? attempt(() => generateLoop(parts, sources, 'double'))
    : attempt(() => exact.loop);
  if (fast === undefined && attempt(() => exact.loop) === undefined) return undefined;
  const arena = new TextArena();
  return ({ rows, snapshot, failures, target }) => {
    const run = (loop: GeneratedLoop, from: number, to: number): number => {
      const inputs = bindColumns(loop.bindings, rows);
      return loop.run({ inputs, target, failures, snapshot, arena }, from, to);
    };
    let row = 0;
    let exactRows = EXACT_ROWS_MIN;
    while (row < rows.rowCount) {
      const next = fast === undefined ? row : run(fast, row, rows.rowCount);
      if (next >= rows.rowCount) return;
      exactRows = next === row ? Math.min(exactRows * 4, EXACT_ROWS_MAX) : EXACT_ROWS_MIN;
      row = run(exact.loop, next, Math.min(rows.rowCount, next + exactRows));
    }
  };
}

/** Nodes of a loop at most: hosts optimize no function that is longer, and take long to compile it. */
const NODES_MAX = 16_384;

function isTooLong(parts: readonly LoopPart[]): boolean {
  let count = 0;
  for (const { expression } of parts) {
    for (const _ of typedNodes(expression)) {
      count += 1;
      if (count > NODES_MAX) return true;
    }
  }
  return false;
}

/** The bigint loop is seldom needed, so it is made when it is. */
class LazyLoop {
  readonly #make: () => GeneratedLoop;
  #loop: GeneratedLoop | undefined;

  constructor(make: () => GeneratedLoop) {
    this.#make = make;
  }

  get loop(): GeneratedLoop {
    this.#loop ??= this.#make();
    return this.#loop;
  }
}

function attempt(make: () => GeneratedLoop): GeneratedLoop | undefined {
  try {
    return make();
  } catch (error) {
    // A host that forbids code made of text has the interpreter.
    if (error instanceof NotGenerated || error instanceof EvalError) return undefined;
    throw error;
  }
}

function hasWideIntegers(expression: TypedExpression): boolean {
  for (const { type } of typedNodes(expression)) {
    if (type === 'I64' || type === 'U64') return true;
  }
  return false;
}

function bindColumns(bindings: readonly ColumnBinding[], rows: ProgramRows): LoopInputs {
  const columns: Column[] = [];
  const strides: number[] = [];
  for (const { source, index } of bindings) {
    const view = rows[source];
    assert(view !== undefined, 'a program is given every row it reads');
    const column = view.columns[index];
    assert(column !== undefined && column !== null, 'a program reads columns that exist');
    columns.push(column);
    strides.push(view.rowCount === 1 ? 0 : 1);
  }
  return { columns, strides, rows };
}
