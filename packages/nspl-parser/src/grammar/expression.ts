import type { Assignment, Expression, Inherit, Invocation } from '@nervix/model';
import { createToken, Lexer, type TokenType } from 'chevrotain';
import {
  readAssignments,
  readExpressions,
  readInherit,
  readInvocations,
} from '../expression/construction-reader.js';
import type { ExpressionReader } from '../expression/expression-reader.js';
import type { Slot } from './grammar-host.js';

const slots: Slot<unknown>[] = [];

function defineSlot<T>(name: string, read: (reader: ExpressionReader) => T): Slot<T> {
  const slot: Slot<T> = { type: createToken({ name, pattern: Lexer.NA }), read };
  slots.push(slot);
  return slot;
}

export const ExpressionSlot: Slot<Expression> = defineSlot('ExpressionSlot', (reader) =>
  reader.expression(),
);
export const ExpressionListSlot: Slot<readonly Expression[]> = defineSlot(
  'ExpressionListSlot',
  readExpressions,
);
export const AssignmentsSlot: Slot<readonly Assignment[]> = defineSlot(
  'AssignmentsSlot',
  readAssignments,
);
/** Assignments in braces: what ends a list outside has no say here. */
export const BracedAssignmentsSlot: Slot<readonly Assignment[]> = defineSlot(
  'BracedAssignmentsSlot',
  (reader) => reader.inBrackets(() => readAssignments(reader)),
);
export const InheritSlot: Slot<Inherit> = defineSlot('InheritSlot', readInherit);
export const InvocationsSlot: Slot<readonly Invocation[]> = defineSlot(
  'InvocationsSlot',
  readInvocations,
);

/** The slot that a recorded terminal stands for, if it is one. */
export function slotOf(type: TokenType): Slot<unknown> | undefined {
  return slots.find((slot) => slot.type === type);
}

/** Placeholder value while the grammar is recorded. */
export const NO_EXPRESSION: Expression = Object.freeze({ kind: 'null' });
