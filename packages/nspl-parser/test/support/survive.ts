import { expect } from 'vitest';
import {
  completeAt,
  type Diagnostic,
  diagnosticsJson,
  format,
  parseExpression,
  parseScript,
  parseStatement,
  printStatement,
  renderDiagnostics,
} from '../../src/index.ts';

/** Processor time that a text may take: the least that the clock can tell, then by its length. */
const LEAST_MS = 500;
const MS_PER_KILOBYTE = 50;

/**
 * Puts a text through everything the package does with one. Whatever the text is: nothing throws,
 * nothing takes longer than its length allows, every refusal is located inside the text and can be
 * shown, and what is read prints to something that is read again.
 */
export function survive(text: string): void {
  const bytes = new TextEncoder().encode(text).length;
  const began = process.cpuUsage();
  const { statements, errors } = parseScript(text);
  for (const { span } of statements) expectInside(span, bytes);
  expectLocated(text, errors, bytes);
  for (const { statement } of statements) {
    expect(parseStatement(printStatement(statement, { withSecrets: true })).kind).toBe('parsed');
  }
  parseStatement(text);
  parseExpression(text);
  const formatted = format(text);
  expect(formatted.kind).not.toBe('defect');
  expect(formatted.kind === 'refused').toBe(errors.length > 0);
  for (const offset of [0, bytes >> 1, bytes]) {
    expectInside(completeAt(text, offset).replace, bytes);
  }
  const { user, system } = process.cpuUsage(began);
  const limit = LEAST_MS + (MS_PER_KILOBYTE * bytes) / 1_000;
  expect((user + system) / 1_000, JSON.stringify(text.slice(0, 200))).toBeLessThan(limit);
}

function expectInside(
  { start, end }: { readonly start: number; readonly end: number },
  bytes: number,
) {
  expect(start).toBeGreaterThanOrEqual(0);
  expect(end).toBeGreaterThanOrEqual(start);
  expect(end).toBeLessThanOrEqual(bytes);
}

function expectLocated(text: string, errors: readonly Diagnostic[], bytes: number): void {
  for (const error of errors) {
    expectInside(error.span, bytes);
    expect(error.message).not.toBe('');
    expect(error.message).not.toContain('something else');
  }
  renderDiagnostics(text, errors);
  renderDiagnostics(text, errors, { hasColor: true });
  expect(diagnosticsJson(text, errors)).toHaveLength(errors.length);
}
