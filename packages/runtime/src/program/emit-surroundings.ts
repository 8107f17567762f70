import type {
  TypedJsonExists,
  TypedJsonRead,
  TypedList,
  TypedLookup,
  TypedState,
} from '@nervix/model';
import type { Value } from '../column/column.js';
import { attemptOf } from '../function/kernel-table.js';
import type { Emitter, Operand } from './emitter.js';
import type { RowFault } from './row-fault.js';
import type { ProgramRows } from './row-set.js';
import { jsonKernel, lookUp, stateValue } from './surroundings.js';

/** Emits `[…]`: null when an element is. */
export function emitList(
  emitter: Emitter,
  expression: TypedList,
  elements: readonly Operand[],
): Operand {
  return emitter.strict(elements, expression.type, () =>
    emitter.computed(
      expression.type,
      `[${elements.map((each) => emitter.boxed(each)).join(', ')}]`,
    ),
  );
}

/** Expressions that ask something beside the row, or read a document. */
type Asking = TypedState | TypedLookup | TypedJsonRead | TypedJsonExists;

/** Emits an expression that a function of the engine answers, over its evaluated parts. */
export function emitSurroundings(
  emitter: Emitter,
  expression: Asking,
  parts: readonly Operand[],
): Operand {
  const { type, optional, span } = expression;
  const ask = emitter.constant(answer(expression));
  return emitter.strict(parts, type, () => {
    const values = parts.map((part) => emitter.boxed(part)).join(', ');
    return emitter.called(`${ask}(P, i, [${values}])`, type, optional, span);
  });
}

type Answer = (rows: ProgramRows, row: number, values: readonly Value[]) => Value | RowFault;

function answer(expression: Asking): Answer {
  switch (expression.kind) {
    case 'state':
      return (rows, row) => stateValue(expression, rows, row);
    case 'lookup':
      return (rows, _, [key = null]) => lookUp(expression, key, rows);
    case 'json_read':
    case 'json_exists': {
      const read = jsonKernel(expression);
      const attempt = attemptOf(([document]) => read(document as string));
      return (_, __, values) => attempt(values);
    }
  }
}
