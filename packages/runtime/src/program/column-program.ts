import type { TypedColumn, TypedExpression } from '@nervix/model';
import { assert } from '@nervix/model';
import { type Column, readValue } from '../column/column.js';
import { BinaryBuilder, newColumnBuilder } from '../column/column-builder.js';
import { takeColumn } from '../column/column-copy.js';
import { compileCallStages, type StagePlaces } from './call-stages.js';
import { copiedTexts, mapCaseOfColumn, textAt } from './case-mapping.js';
import type { LoopSources } from './emitter.js';
import type { LoopPart } from './generated-loop.js';
import { interpretExpression } from './interpret-expression.js';
import { columnOutput, SELECTION_OUTPUT, Selection } from './loop-output.js';
import type { RowFailures } from './row-failures.js';
import { RowFault } from './row-fault.js';
import { compileRowLoop } from './row-loop.js';
import type { ExecutionSnapshot, ProgramRows, RowSchemas, RowView } from './row-set.js';

/** An expression over all rows: one column, whose rows that failed hold nothing of meaning. */
export interface ColumnProgram {
  run(rows: ProgramRows, snapshot: ExecutionSnapshot, failures: RowFailures): Column;
}

/** Compiles an expression into a program that yields its column. */
export function compileColumn(expression: TypedExpression, schemas: RowSchemas): ColumnProgram {
  const stages = compileCallStages(expression, schemas, compilePart);
  if (stages === undefined) return compilePart(expression, { schemas, stages: NO_STAGES });
  const program = compilePart(expression, stages.sources);
  return {
    run(rows, snapshot, failures) {
      const staged = stages.run(rows, snapshot, failures);
      return program.run({ ...rows, staged }, snapshot, failures);
    },
  };
}

const NO_STAGES: StagePlaces = new Map();

/** Compiles an expression whose calls, if it has any, are staged. */
function compilePart(expression: TypedExpression, sources: LoopSources): ColumnProgram {
  const copied = copiedColumn(expression);
  if (copied !== undefined) return { run: (rows) => sharedColumn(copied, rows) };
  const mapped = caseMappedColumn(expression);
  if (mapped !== undefined) return mapped;
  const { type, optional } = expression;
  const outputOf: LoopPart['outputOf'] = (mode) => columnOutput({ type, optional, mode });
  const loop = compileRowLoop([{ expression, outputOf, context: null }], sources);
  if (loop === undefined) return interpretedColumn(expression, sources.stages);
  let bytesHint = 0;
  return {
    run(rows, snapshot, failures) {
      // Rows that failed leave a null in a list, whose elements have no place to be skipped.
      const target = newColumnBuilder(type, optional || typeof type !== 'string');
      target.ensureRows(rows.rowCount);
      if (target instanceof BinaryBuilder) target.ensureBytes(0, bytesHint);
      loop({ rows, snapshot, failures, target });
      if (target instanceof BinaryBuilder) {
        bytesHint = (target.offsets[rows.rowCount] as number) + BYTES_SLACK;
      }
      return target.finish(rows.rowCount);
    },
  };
}

/** Rows for which a condition is TRUE and that did not fail. */
export interface SelectionProgram {
  run(rows: ProgramRows, snapshot: ExecutionSnapshot, failures: RowFailures): Int32Array;
}

/** Compiles a BOOL expression into a program that lists the rows where it is TRUE. */
export function compileSelection(
  expression: TypedExpression,
  schemas: RowSchemas,
): SelectionProgram {
  const stages = compileCallStages(expression, schemas, compilePart);
  const sources = stages?.sources ?? { schemas, stages: NO_STAGES };
  const loop =
    copiedColumn(expression) === undefined
      ? compileRowLoop([{ expression, outputOf: () => SELECTION_OUTPUT, context: null }], sources)
      : undefined;
  if (loop === undefined) {
    const program = compileColumn(expression, schemas);
    return {
      run: (rows, snapshot, failures) => trueRows(program.run(rows, snapshot, failures), failures),
    };
  }
  return {
    run(rows, snapshot, failures) {
      const staged = stages?.run(rows, snapshot, failures);
      const ready = staged === undefined ? rows : { ...rows, staged };
      const target = new Selection(rows.rowCount);
      loop({ rows: ready, snapshot, failures, target });
      return target.take();
    },
  };
}

/** Room beyond the last run's text, so that a run seldom has to grow its column. */
const BYTES_SLACK = 256;

/** The column that an expression passes on unchanged. */
export function copiedColumn(expression: TypedExpression): TypedColumn | undefined {
  if (expression.kind === 'column') return expression;
  if (expression.kind !== 'call' || expression.function !== 'leak_sensitive') return undefined;
  const [argument] = expression.arguments;
  return argument === undefined ? undefined : copiedColumn(argument);
}

/** `upper` and `lower` of a column as it is, which need no look at single rows. */
function caseMappedColumn(expression: TypedExpression): ColumnProgram | undefined {
  if (expression.kind !== 'call') return undefined;
  const { function: name, arguments: args } = expression;
  if (name !== 'upper' && name !== 'lower') return undefined;
  const copied = args[0] === undefined ? undefined : copiedColumn(args[0]);
  if (copied === undefined) return undefined;
  return {
    run(rows) {
      const source = sourceColumn(copied, rows);
      const chosen = sharedColumn(copied, rows);
      assert(chosen.kind === 'binary' && source.kind === 'binary', 'texts have a case');
      const isOwn = chosen !== source;
      const { selection } = rows;
      return mapCaseOfColumn({
        texts: isOwn ? chosen : copiedTexts(chosen),
        isUpper: name === 'upper',
        textOf: (row) => {
          if (!isOwn) return textAt(source, row);
          return textAt(source, source.length === 1 ? 0 : (selection?.[row] ?? row));
        },
      });
    },
  };
}

function sourceColumn({ row, field }: TypedColumn, rows: ProgramRows): Column {
  const view = rows[row];
  assert(view !== undefined, 'a program is given every row it reads');
  const column = view.columns[view.schema.fields.findIndex(({ name }) => name === field)];
  assert(column !== undefined && column !== null, 'a program reads columns that exist');
  return column;
}

function sharedColumn(copied: TypedColumn, rows: ProgramRows): Column {
  const { row } = copied;
  const column = sourceColumn(copied, rows);
  const view = rows[row] as RowView;
  const { selection } = rows;
  if (view.rowCount === 1) {
    return rows.rowCount === 1 ? column : takeColumn(column, new Int32Array(rows.rowCount));
  }
  return selection === undefined || row === 'output' ? column : takeColumn(column, selection);
}

/** Evaluates row by row, where no loop can be generated. */
export function interpretedColumn(
  expression: TypedExpression,
  stages: StagePlaces = NO_STAGES,
): ColumnProgram {
  return {
    run(rows, snapshot, failures) {
      const builder = newColumnBuilder(expression.type, true);
      for (let row = 0; row < rows.rowCount; row += 1) {
        builder.set(row, null);
        if (failures.isFailed(row)) continue;
        const sourceRow = rows.selection?.[row] ?? row;
        try {
          builder.set(
            row,
            interpretExpression(expression, {
              rows,
              row: sourceRow,
              position: row,
              snapshot,
              stages,
            }),
          );
        } catch (fault) {
          if (!(fault instanceof RowFault)) throw fault;
          failures.add(row, fault);
        }
      }
      return builder.finish(rows.rowCount);
    },
  };
}

/** Rows whose BOOL value is TRUE and that did not fail. */
function trueRows(column: Column, failures: RowFailures): Int32Array {
  const rows = new Int32Array(column.length);
  let count = 0;
  for (let row = 0; row < column.length; row += 1) {
    if (!failures.isFailed(row) && readValue(column, row) === true) rows[count++] = row;
  }
  return rows.slice(0, count);
}
