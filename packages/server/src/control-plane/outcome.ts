import type { ErrorCode, StatementOutcome, WireDiagnostic } from '@nervix/protocol';
import type { RecordedOutcome } from '../replicated-state/records.js';

/** The definite result of one statement. */
export type Outcome = RecordedOutcome;

export function completed(message: string, alreadyExisted = false): Outcome {
  return { kind: 'completed', message, alreadyExisted };
}

/**
 * A definite refusal or failure.
 *
 * @param diagnostics located remarks; by default one that repeats the message without a place
 */
export function failed(
  code: ErrorCode,
  message: string,
  diagnostics: readonly WireDiagnostic[] = [{ message }],
): Outcome {
  return { kind: 'failed', code, message, diagnostics };
}

export function toStatementOutcome(outcome: Outcome): StatementOutcome {
  if (outcome.kind === 'completed') {
    return {
      disposition: { t: 'CommandCompleted', already_existed: outcome.alreadyExisted },
      message: outcome.message,
      diagnostics: [],
    };
  }
  return {
    disposition: { t: 'RequestFailed', code: outcome.code },
    message: outcome.message,
    diagnostics: outcome.diagnostics,
  };
}
