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

const gap = String.raw`(?:\s|//[^\n]*\n)+`;
const beforeWhere = new RegExp(
  `^CREATE${gap}SUBSCRIPTION${gap}\\w+${gap}TO${gap}\\w+` +
    `(?:${gap}(?:BLOCKING|DROPPING))?(?:${gap}BATCH${gap}SAMPLE${gap}RATE${gap}[0-9.eE+-]+)?` +
    `${gap}WHERE`,
  'i',
);

/** The predicate text of a `CREATE SUBSCRIPTION` that has one. */
export function predicateText(query: string): string | undefined {
  const match = beforeWhere.exec(query);
  if (match === null) return undefined;
  return query.slice(match[0].length).trim().replace(/;$/, '').trim();
}
