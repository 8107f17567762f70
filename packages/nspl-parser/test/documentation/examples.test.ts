import { describe, expect, test } from 'vitest';
import { STATEMENT_ENTRIES, statementEntryId } from '../../src/documentation.ts';
import {
  type ParsedStatement,
  parseScript,
  printStatement,
  renderDiagnostic,
} from '../../src/index.ts';

/** Canonical text of statements, with all they hold. */
function canonical(statements: readonly ParsedStatement[]): string {
  return statements
    .map(({ statement }) => printStatement(statement, { withSecrets: true }))
    .join('\n');
}

const examples = STATEMENT_ENTRIES.flatMap(({ id, examples: texts }) =>
  texts.map((text) => ({ id, text })),
);

describe('NSPL 4-7, 14: examples of the reference', () => {
  test.each(examples)('$id: $text', ({ id, text }) => {
    const { statements, errors } = parseScript(text);
    expect(errors.map((error) => renderDiagnostic(text, error)).join('\n')).toBe('');
    expect(statements.map(({ statement }) => statementEntryId(statement))).toEqual([id]);
    const printed = canonical(statements);
    const again = parseScript(printed);
    expect(again.errors).toEqual([]);
    expect(canonical(again.statements)).toBe(printed);
  });
});
