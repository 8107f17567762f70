import { integerToSingle, type TypedExpression } from '@nervix/model';
import { type Column, readValue } from '../column/column.js';
import { copyRange } from '../column/copy-range.js';
import { decodeText } from '../column/text.js';
import * as byteText from './byte-text.js';
import { emitExpression } from './emit-expression.js';
import {
  type ColumnBinding,
  Emitter,
  type IntegerMode,
  type LoopSources,
  type Operand,
} from './emitter.js';
import type { OperationContext, RowFailures } from './row-failures.js';
import { RowFault } from './row-fault.js';
import type { ExecutionSnapshot, ProgramRows } from './row-set.js';

/** Columns bound to a loop, in the order of its bindings, with their row strides (0 broadcasts). */
export interface LoopInputs {
  readonly columns: readonly Column[];
  readonly strides: readonly number[];
  readonly rows: ProgramRows;
}

/** Where a loop writes; see `loop-output.ts`. */
export type LoopTarget = object;

/** What one call of a loop works with. */
export interface LoopRun {
  readonly inputs: LoopInputs;
  readonly target: LoopTarget;
  readonly failures: RowFailures;
  readonly snapshot: ExecutionSnapshot;
  readonly arena: byteText.TextArena;
}

/** A loop over rows `from..to`; returns the first row that it did not take. */
export interface GeneratedLoop {
  readonly bindings: readonly ColumnBinding[];
  readonly mayLeave: boolean;
  readonly run: (run: LoopRun, from: number, to: number) => number;
}

/** Code that stores a row's result; `skip` runs for rows without one. */
export interface LoopOutput {
  readonly open: readonly string[];
  /** Statement that ends a run, wherever the loop is left. */
  readonly close: string;
  readonly skip: string;
  readonly store: (emitter: Emitter, value: Operand) => void;
}

const SUPPORT: Readonly<Record<string, unknown>> = {
  EMPTY: new Uint8Array(0),
  RowFault,
  copyRange,
  decodeText,
  integerToSingle,
  readValue,
  ...byteText,
};

/** An expression of a loop and where its results go. */
export interface LoopPart {
  readonly expression: TypedExpression;
  readonly outputOf: (mode: IntegerMode) => LoopOutput;
  /** What failures belong to; null when the run says so. */
  readonly context: OperationContext | null;
}

/**
 * Generates the loop of expressions, each for the rows that did not fail in those before. Names and
 * literals of the statement never become source text: they are constants that the code reads by
 * number.
 */
export function generateLoop(
  parts: readonly LoopPart[],
  sources: LoopSources,
  mode: IntegerMode,
): GeneratedLoop {
  const outputs = parts.map(({ outputOf }) => outputOf(mode));
  const close = outputs.map((output) => output.close).join(' ');
  const emitter = new Emitter(mode, sources, close);
  parts.forEach(({ expression, context }, index) => {
    emitter.enter(context);
    outputs[index]?.store(emitter, emitExpression(emitter, expression));
  });
  const { bindings, constants } = emitter;
  const sourceOf = (shape: LoopShape): string =>
    [
      "'use strict';",
      ...constants.map((_, index) => `const K${index} = constants[${index}];`),
      'return function loop(run, from, to) {',
      'const F = run.failures, M = F.marks, X = run.snapshot, A = run.arena;',
      'const T = run.target, P = run.inputs.rows, H = P.headers;',
      'const Q = P.selection;',
      'const C = run.inputs.columns, S = run.inputs.strides;',
      ...bindings.flatMap(bindingCode),
      ...emitter.opening,
      ...outputs.flatMap(({ open }) => open),
      'rows: for (let o = from; o < to; o++) {',
      ...outputs.map(({ skip }) => skip),
      ...(shape.hasMarks ? ['if (M[o] !== 0) continue;'] : []),
      shape.isSelected ? 'const i = Q[o];' : 'const i = o;',
      ...(emitter.usesArena ? ['A.clear();'] : []),
      ...emitter.lines,
      '}',
      close,
      'return to;',
      '};',
    ].join('\n');
  return { bindings, mayLeave: emitter.mayLeave, run: shapedLoop(sourceOf, constants) };
}

/** What is the same for all rows of a run, so that the loop need not ask for each. */
interface LoopShape {
  readonly isSelected: boolean;
  readonly hasMarks: boolean;
}

/** A loop for each shape of run that occurs; that of all rows at once is made first. */
function shapedLoop(
  sourceOf: (shape: LoopShape) => string,
  constants: readonly unknown[],
): GeneratedLoop['run'] {
  const make = (shape: LoopShape): GeneratedLoop['run'] => {
    const factory = new Function('constants', ...Object.keys(SUPPORT), sourceOf(shape));
    return factory(constants, ...Object.values(SUPPORT)) as GeneratedLoop['run'];
  };
  const loops = new Map([[0, make({ isSelected: false, hasMarks: false })]]);
  return (run, from, to) => {
    const isSelected = run.inputs.rows.selection !== undefined;
    const hasMarks = run.failures.marks !== null;
    const key = (isSelected ? 1 : 0) | (hasMarks ? 2 : 0);
    let loop = loops.get(key);
    if (loop === undefined) {
      loop = make({ isSelected, hasMarks });
      loops.set(key, loop);
    }
    return loop(run, from, to);
  };
}

function bindingCode({ type }: ColumnBinding, index: number): string[] {
  const code = [
    `const R${index} = S[${index}], N${index} = C[${index}].validity;`,
    `const V${index} = C[${index}]${typeof type === 'string' ? `.${valuesProperty(type)}` : ''};`,
  ];
  if (type === 'STRING' || type === 'BYTES') code.push(`const O${index} = C[${index}].offsets;`);
  if (type === 'I64' || type === 'U64') {
    code.push(
      `const W${index} = new Int32Array(V${index}.buffer, V${index}.byteOffset, V${index}.length * 2);`,
    );
  }
  return code;
}

function valuesProperty(type: ColumnBinding['type']): string {
  if (type === 'BOOL') return 'bits';
  return type === 'STRING' || type === 'BYTES' ? 'bytes' : 'values';
}
