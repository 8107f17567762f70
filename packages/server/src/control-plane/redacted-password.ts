import { passwordStatement, REDACTED } from '@nervix/model';
import type { ParsedStatement } from '@nervix/nspl-parser';
import { failed, type Outcome } from './outcome.js';

/** A string literal that holds what stands for a secret, in any of its quotes. */
const LITERAL = new RegExp(`(['"$])${REDACTED}\\1`, 'u');

/**
 * Refusal of a statement whose password was left out when it was printed for everyone to see;
 * undefined for any other. Such a text must be readable, so the parser takes it; run as it stands it
 * would give the user a password that everyone can read in the manual.
 */
export function redactedPassword(parsed: ParsedStatement): Outcome | undefined {
  const statement = passwordStatement(parsed.statement);
  if (statement?.password !== REDACTED) return undefined;
  const message = `the password of user '${statement.name}' is redacted; give the password itself`;
  return failed('INVALID_REQUEST', message, [{ message, span: passwordSpan(parsed) }]);
}

/** Where the password stands in the request; the whole statement if that cannot be told. */
function passwordSpan({ text, span }: ParsedStatement): { start: number; end: number } {
  const found = LITERAL.exec(text);
  if (found === null) return { start: span.start, end: span.end };
  const start = span.start + Buffer.byteLength(text.slice(0, found.index));
  return { start, end: start + Buffer.byteLength(found[0]) };
}
