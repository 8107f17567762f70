import type { ErrorCode, WireDisposition } from '@nervix/protocol';
import type { FrameDisposition } from '@nervix/protocol/session';
import { previewOf } from './frame-preview.js';

/** Dispositions that a session does not answer itself, and that the caller therefore sees. */
export type FinalFrameDisposition = Exclude<
  FrameDisposition,
  { readonly t: 'LeaderRedirect' | 'TransactionDetached' }
>;

/** Refusals that frames tell by a disposition of their own, and the HTTP API by a code. */
const REFUSALS: Readonly<
  Record<
    'TransactionTakenOver' | 'ExecutionReferenceConflict' | 'ExecutionReferenceExpired',
    ErrorCode
  >
> = {
  TransactionTakenOver: 'TRANSACTION_TAKEN_OVER',
  ExecutionReferenceConflict: 'EXECUTION_REFERENCE_CONFLICT',
  ExecutionReferenceExpired: 'EXECUTION_REFERENCE_EXPIRED',
};

/** A disposition as the HTTP API spells it, so that both are judged in one place. */
export function dispositionOf(frame: FinalFrameDisposition): WireDisposition {
  switch (frame.t) {
    case 'CommandCompleted':
    case 'RequestFailed':
    case 'OutcomeUnknown':
      return frame;
    case 'PreviewStale':
      return {
        t: 'PreviewStale',
        expected: previewOf(frame.expected),
        current: previewOf(frame.current),
      };
    default:
      return { t: 'RequestFailed', code: REFUSALS[frame.t] };
  }
}
