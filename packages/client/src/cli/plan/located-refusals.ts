import { faultPlace } from '@nervix/nspl-parser';
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
    if (parsed === undefined) return { refusal, span: { start: 0, end: 0 } };
    const { subject, missingName, model } = refusal;
    const place = faultPlace(parsed, { subject, missingName, name: model?.name });
    return { refusal, span: place ?? parsed.span };
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
