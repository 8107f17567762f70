import type { Statement } from '@nervix/model';
import { expect } from 'vitest';
import { parseExpression, parseScript, parseStatement, printExpression } from '../../src/index.ts';

/** The statement that a text is read into. */
export function read(text: string): Statement {
  const result = parseStatement(text);
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.errors));
  return result.parsed.statement;
}

/** Asserts one refusal: its message and the part of the text it points at. */
export function expectRefusal(text: string, message: string, pointed: string): void {
  const { errors } = parseScript(text);
  expect(errors.map((error) => error.message)).toEqual([message]);
  const { start, end } = errors[0]!.span;
  const bytes = new TextEncoder().encode(text);
  expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.slice(start, end))).toBe(
    pointed,
  );
}

/** Canonical text of an expression. */
export function canonical(text: string): string {
  const result = parseExpression(text);
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.errors));
  return printExpression(result.expression);
}

/** Message of the refusal of an expression. */
export function expressionRefusal(text: string): string {
  const result = parseExpression(text);
  return result.kind === 'refused' ? result.errors.map(({ message }) => message).join() : 'parsed';
}

/** Value without the prototype and freezing differences that structural comparison ignores. */
export function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
