import type { Rejection, RequestRejected } from '@nervix/protocol/session';

/** The answer to a request that is not served. */
export function rejected(rejection: Rejection, message: string, field?: string): RequestRejected {
  return {
    t: 'RequestRejected',
    rejection,
    ...(field === undefined || field === '' ? {} : { field }),
    message,
  };
}
