import { describe, expect, test } from 'vitest';
import { STATEMENT_ENTRIES, statementEntryId } from '../../src/documentation.ts';
import { parseScript, printStatement, renderDiagnostic } from '../../src/index.ts';

const examples = STATEMENT_ENTRIES.flatMap(({ id, examples: texts }) =>
  texts.map((text) => ({ id, text })),
);

describe('NSPL 4-7, 14: examples of the reference', () => {
  test.each(examples)('$id: $text', ({ id, text }) => {
    const { statements, errors } = parseScript(text);
    expect(errors.map((error) => renderDiagnostic(text, error)).join('\n')).toBe('');
    expect(statements.map(({ statement }) => statementEntryId(statement))).toEqual([id]);
    const printed = statements.map(({ statement }) => printStatement(statement)).join('\n');
    const again = parseScript(printed);
    expect(again.errors).toEqual([]);
    expect(again.statements.map(({ statement }) => printStatement(statement)).join('\n')).toBe(
      printed,
    );
  });
});
