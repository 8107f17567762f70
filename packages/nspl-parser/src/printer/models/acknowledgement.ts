import type { AckWindow, RetryPolicy } from '@nervix/model';

/** `SEQUENTIAL` or `PARALLEL MAX n`. */
export function printWindow(window: AckWindow): string {
  return window.kind === 'sequential' ? 'SEQUENTIAL' : `PARALLEL MAX ${window.max}`;
}

/** How long an acknowledgement is waited for and what follows when it does not come. */
export function printPatience(mode: {
  readonly ackTimeout: string;
  readonly retry: RetryPolicy;
}): string {
  return `ACK TIMEOUT ${mode.ackTimeout} ${printRetry(mode.retry)}`;
}

/** `RETRY POLICY …`. */
export function printRetry({ backoff, max }: RetryPolicy): string {
  return `RETRY POLICY BACKOFF ${backoff} MAX ${max}`;
}
