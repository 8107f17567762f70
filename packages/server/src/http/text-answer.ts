import { renderDiagnostic } from '@nervix/nspl-parser';
import type { CommandOutcome, ErrorBody, PreviewIdentity, WireDiagnostic } from '@nervix/protocol';
import { redactText } from '../logging/redaction.js';

/** What the text calls the NSPL that was sent. */
const SOURCE = 'query';

/** Whether an `Accept` header names plain text, and does not like JSON as much. */
export function prefersText(accept: string | undefined): boolean {
  const text = qualityOf('text/plain', accept ?? '');
  return text > 0 && text > qualityOf('application/json', accept ?? '');
}

/** The quality that a header gives to exactly this media type; 0 when it does not name it. */
function qualityOf(type: string, accept: string): number {
  for (const range of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim());
    if (name !== type) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  }
  return 0;
}

/**
 * The answer to a command for people: its message, and below it the places that the diagnostics
 * speak of.
 *
 * @param query the NSPL that was sent, or undefined when it was not read
 */
export function textAnswer(answer: CommandOutcome | ErrorBody, query: string | undefined): string {
  const { message, diagnostics } = 'error' in answer ? answer.error : answer;
  const lines = [message];
  for (const diagnostic of diagnostics) {
    const isSaid = diagnostics.length === 1 && message.includes(diagnostic.message);
    if (!isSaid) lines.push(diagnostic.message);
    lines.push(...placeOf(diagnostic, query));
  }
  if ('error' in answer) lines.push(...previewLines(answer.error));
  return lines.map((line) => `${line}\n`).join('');
}

/** What a commit was to apply and what it would apply now, each as the statement that asks for it. */
function previewLines({ expected, current }: ErrorBody['error']): readonly string[] {
  if (expected === undefined || current === undefined) return [];
  return [`expected: ${commitOf(expected)}`, `current: ${commitOf(current)}`];
}

function commitOf({ transaction_id, position, planning_basis }: PreviewIdentity): string {
  return `COMMIT EXPECT '${transaction_id}' POSITION ${position} BASIS '${planning_basis}'`;
}

/** Line and column of a diagnostic, the line itself, and carets below it. */
function placeOf({ message, span }: WireDiagnostic, query: string | undefined): readonly string[] {
  if (span === undefined || query === undefined) return [];
  const rendered = renderDiagnostic(
    query,
    { code: 'NSPL_REFUSED', stage: 'parse', message, span },
    SOURCE,
  );
  // Behind the message, of which it is not known here whether it is the parser's.
  const place = rendered.slice(
    rendered.indexOf('\n', rendered.indexOf(message) + message.length) + 1,
  );
  const [position = '', ...excerpt] = place.split('\n');
  // A text that holds a password is not shown again.
  return redactText(query, query.length) === query ? [position, ...excerpt] : [position];
}
