import type { SourceSpan } from '@nervix/model';
import type { ParsedStatement } from '@nervix/nspl-parser';
import type { TransactionRefusal } from '@nervix/planner';
import { printExactJson } from '../../exact-json.js';
import type { Output } from '../output.js';
import { sourcePosition } from '../source-report.js';
import type { NsplFile } from './nspl-file.js';

/** Reports every refusal of a list of statements at its place in the file. */
export async function reportRefusals(
  { source, statements }: NsplFile,
  refusals: readonly TransactionRefusal[],
  output: Output,
  isJson: boolean,
): Promise<void> {
  const located = refusals.map((refusal) => {
    const parsed = statements[refusal.operation - 1];
    const span = parsed === undefined ? undefined : placeOf(refusal, parsed);
    return { refusal, span: span ?? { start: 0, end: 0 } };
  });
  if (isJson) {
    const documents = located.map(({ refusal: { code, message, operation }, span }) => {
      return { code, message, operation, ...sourcePosition(source, span) };
    });
    const [first] = documents;
    const error = { code: first?.code, message: first?.message, refusals: documents };
    await output.verbatim(`${printExactJson({ error })}\n`);
  }
  await output.sourceErrors(
    source,
    located.map(({ refusal: { message, hint }, span }) => {
      return { message: hint === undefined ? message : `${message} (${hint})`, span };
    }),
  );
}

/** The part at fault, or else the name that is meant, or else the whole statement. */
function placeOf(
  { subject, missingName, model }: TransactionRefusal,
  parsed: ParsedStatement,
): SourceSpan {
  const { statement, span, spans } = parsed;
  const isWhole = statement.kind === 'create_model' && statement.model === subject;
  const node = subject === undefined || isWhole ? undefined : spans.spanOf(subject);
  const named = nameIn(parsed, missingName ?? model?.name);
  return (missingName === undefined ? (node ?? named) : (named ?? node)) ?? span;
}

const encoder = new TextEncoder();

function nameIn(parsed: ParsedStatement, name: string | undefined): SourceSpan | undefined {
  const escaped = name?.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  if (escaped === undefined) return undefined;
  const word = new RegExp(`(?<![A-Za-z0-9_])${escaped}(?![A-Za-z0-9_])`, 'i').exec(parsed.text);
  if (word === null) return undefined;
  const start = parsed.span.start + encoder.encode(parsed.text.slice(0, word.index)).length;
  return { start, end: start + encoder.encode(word[0]).length };
}
