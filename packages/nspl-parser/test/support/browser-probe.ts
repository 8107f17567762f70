import type * as NsplParser from '../../src/index.ts';

/** What is put to the parser, in Node and in a browser. */
export interface ProbeInput {
  readonly scripts: readonly string[];
  readonly expressions: readonly string[];
  /** Texts with a `|` at the cursor. */
  readonly cursors: readonly string[];
}

/** Everything the parser makes of the input, as JSON text. */
export function probe(parser: typeof NsplParser, input: ProbeInput): string {
  const scripts = input.scripts.map((text) => {
    const { statements, errors } = parser.parseScript(text);
    return {
      statements: statements.map(({ statement, span, spans }) => ({
        statement,
        span,
        modelSpan: statement.kind === 'create_model' ? spans.spanOf(statement.model) : null,
        printed: parser.printStatement(statement),
      })),
      errors: errors.map((error) => ({ error, shown: parser.renderDiagnostic(text, error) })),
      formatted: parser.format(text),
    };
  });
  const expressions = input.expressions.map((text) => {
    const result = parser.parseExpression(text);
    return result.kind === 'parsed' ? parser.printExpression(result.expression) : result.errors;
  });
  const catalog = parser.scriptCatalog(input.scripts.join('\n'));
  const completions = input.cursors.map((marked) => {
    const offset = new TextEncoder().encode(marked.slice(0, marked.indexOf('|'))).length;
    return parser.completeAt(marked.replace('|', ''), offset, catalog);
  });
  return JSON.stringify({ scripts, expressions, completions });
}
