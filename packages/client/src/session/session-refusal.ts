import type { ErrorCode } from '@nervix/protocol';
import type { Rejection, RequestRejected } from '@nervix/protocol/session';
import type { CommandVerdict } from '../command-verdict.js';
import { RejectedError } from '../errors.js';

const CODES: Readonly<Record<Rejection, ErrorCode>> = {
  InvalidRequest: 'INVALID_REQUEST',
  UnsupportedRequest: 'UNSUPPORTED_REQUEST',
  UnsupportedValue: 'UNSUPPORTED_VALUE',
  DuplicateRequestId: 'DUPLICATE_REQUEST_ID',
  TooManyRequestsInFlight: 'TOO_MANY_REQUESTS_IN_FLIGHT',
  ReplyTooLarge: 'REPLY_TOO_LARGE',
  ServerBusy: 'SERVER_BUSY',
};

/** Refusals that another attempt may not meet (CL-24). */
const PASSING: ReadonlySet<Rejection> = new Set(['TooManyRequestsInFlight', 'ServerBusy']);

/**
 * What a request that was not served leads to.
 *
 * @param executionReference of the command that it carried
 */
export function judgeRejection(
  { rejection, field, message }: RequestRejected,
  executionReference?: string,
): Extract<CommandVerdict, { kind: 'failed' | 'busy' }> {
  const error = new RejectedError(CODES[rejection], message, {
    ...(field === undefined ? {} : { field }),
    ...(executionReference === undefined ? {} : { executionReference }),
  });
  return PASSING.has(rejection) ? { kind: 'busy', error, atLeastMs: 0 } : { kind: 'failed', error };
}
