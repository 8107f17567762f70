import type {
  ErrorCode,
  StatementOutcome,
  WireDiagnostic,
  WireDisposition,
} from '@nervix/protocol';
import type { RecordedOutcome } from '../replicated-state/records.js';

/** The definite result of one statement. */
export type Outcome = RecordedOutcome;
type CompletedOutcome = Extract<Outcome, { kind: 'completed' }>;
type FailedOutcome = Extract<Outcome, { kind: 'failed' }>;

export function completed(message: string, alreadyExisted = false): CompletedOutcome {
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
): FailedOutcome {
  return { kind: 'failed', code, message, diagnostics };
}

/** What is told of work that an error interrupted, and that is taken up again. */
export function stillApplying(message: string): Outcome {
  return { ...failed('OUTCOME_UNKNOWN', message), isUnderWay: true };
}

/** How the outcome reads on the wire. */
export function dispositionOf(outcome: Outcome): WireDisposition {
  if (outcome.kind === 'completed') {
    return { t: 'CommandCompleted', already_existed: outcome.alreadyExisted };
  }
  if (outcome.stale !== undefined) return { t: 'PreviewStale', ...outcome.stale };
  if (outcome.code !== 'OUTCOME_UNKNOWN') return { t: 'RequestFailed', code: outcome.code };
  const cause = outcome.isUnderWay === true ? 'StillApplying' : 'LeadershipLost';
  return { t: 'OutcomeUnknown', cause };
}

export function toStatementOutcome(outcome: Outcome): StatementOutcome {
  return {
    disposition: dispositionOf(outcome),
    message: outcome.message,
    diagnostics: outcome.kind === 'completed' ? (outcome.remarks ?? []) : outcome.diagnostics,
  };
}
