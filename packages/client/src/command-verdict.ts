import type { CommandOutcome, TransactionStatus } from '@nervix/protocol';
import { type CancellationStage, RejectedError } from './errors.js';

/** What one attempt means for its command. */
export type CommandVerdict =
  | { readonly kind: 'completed'; readonly outcome: CommandOutcome }
  | { readonly kind: 'failed'; readonly error: Error }
  /** The command may have been admitted, and nothing more is known: ask again, after a pause. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly atLeastMs: number }
  /** This attempt was turned away before admission. */
  | { readonly kind: 'busy'; readonly error: Error; readonly atLeastMs: number }
  /** No connection came about, so the server has seen nothing of this attempt. */
  | { readonly kind: 'not_sent'; readonly error: Error }
  /** The server cancelled the request, or the wait for it, because it was asked to. */
  | { readonly kind: 'cancelled'; readonly stage: CancellationStage }
  /** The attempt's signal fired; `isSent` tells whether the server may have seen it by then. */
  | { readonly kind: 'aborted'; readonly isSent: boolean };

/** What came with an outcome, from the transport that brought it. */
export interface AnswerFacts {
  readonly httpStatus?: number;
  /** Pause that the server asked for. */
  readonly retryAfterMs?: number;
}

const UNKNOWN_CAUSES: Readonly<Record<string, string>> = {
  StillApplying: 'it is still being applied',
  LeadershipLost: 'leadership was lost',
  NotYetAuthoritative: 'the leader does not know its outcome yet',
};

function transactionOf({ transaction }: CommandOutcome): {
  readonly transaction?: TransactionStatus;
} {
  return transaction === undefined ? {} : { transaction };
}

/** Reads the disposition of an outcome: a client never decides by its message (CL-33). */
export function judgeOutcome(outcome: CommandOutcome, facts: AnswerFacts = {}): CommandVerdict {
  const { disposition, message, diagnostics, execution_reference: executionReference } = outcome;
  const { httpStatus, retryAfterMs = 0 } = facts;
  const known = {
    diagnostics,
    executionReference,
    ...(httpStatus === undefined ? {} : { httpStatus }),
    ...transactionOf(outcome),
  };
  switch (disposition.t) {
    case 'CommandCompleted':
      return { kind: 'completed', outcome };
    case 'OutcomeUnknown':
      return {
        kind: 'unknown',
        reason: UNKNOWN_CAUSES[disposition.cause] ?? disposition.cause,
        atLeastMs: retryAfterMs,
      };
    case 'RequestFailed':
      return {
        kind: 'failed',
        error: new RejectedError(disposition.code, message, {
          ...known,
          ...(outcome.statements === undefined ? {} : { statements: outcome.statements }),
        }),
      };
    case 'PreviewStale': {
      const { expected, current } = disposition;
      const error = new RejectedError('PREVIEW_STALE', message, {
        ...known,
        stale: { expected, current },
      });
      return { kind: 'failed', error };
    }
    default:
      return { kind: 'unknown', reason: 'the answer has an unknown disposition', atLeastMs: 0 };
  }
}
