import type { Statement } from '@nervix/model';
import { type ParsedStatement, parseScript } from '@nervix/nspl-parser';
import type { Output } from '../output.js';
import type { SourceText } from '../source-report.js';

/** A script that was read; statements that only group others are left out. */
export interface NsplFile {
  readonly source: SourceText;
  readonly statements: readonly ParsedStatement[];
}

const GROUPING: ReadonlySet<Statement['kind']> = new Set(['begin', 'commit', 'use']);

/** Reads a script, or reports every syntax error in it and gives nothing. */
export async function readNspl(source: SourceText, output: Output): Promise<NsplFile | undefined> {
  const { statements, errors } = parseScript(source.text);
  if (errors.length > 0) {
    await output.syntaxErrors(source, errors);
    return undefined;
  }
  return {
    source,
    statements: statements.filter(({ statement }) => !GROUPING.has(statement.kind)),
  };
}
