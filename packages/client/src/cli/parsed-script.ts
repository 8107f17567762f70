import type { SourceSpan, Statement } from '@nervix/model';
import { parseScript } from '@nervix/nspl-parser';
import type { SourceText } from './source-report.js';

/** One statement of a script, as the session runs it. */
export interface ScriptStatement {
  readonly statement: Statement;
  /** The statement's own text, which is what the server receives. */
  readonly query: string;
  /** Where it stands in the script. */
  readonly span: SourceSpan;
}

/** A script that was read, with every syntax error in it. */
export interface ParsedScript {
  readonly statements: readonly ScriptStatement[];
  readonly errors: readonly { readonly message: string; readonly span: SourceSpan }[];
}

/** Reads a script with the local grammar. */
export function readScript(source: SourceText): ParsedScript {
  const { statements, errors } = parseScript(source.text);
  return {
    statements: statements.map(({ statement, span, text }) => ({ statement, span, query: text })),
    errors,
  };
}
