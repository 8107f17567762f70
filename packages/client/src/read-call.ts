import { CallDeadline } from './call-deadline.js';
import type { ResolvedOptions } from './connect-options.js';
import {
  AuthenticationError,
  ConnectError,
  DeadlineError,
  ProtocolViolationError,
} from './errors.js';
import { exchange, isErrorCode, readErrorBody, rejection } from './http-exchange.js';

/** The error of an answer that is not 2xx. */
export function refusalOf(options: ResolvedOptions, status: number, body: unknown): Error {
  if (status === 401) return new AuthenticationError(options.origin, options.user);
  const error = readErrorBody(body);
  if (error !== undefined && isErrorCode(error.code)) return rejection(status, error);
  return new ProtocolViolationError(
    `${options.origin} answered ${status} without an error of the protocol`,
  );
}

/** Reads one document. Reads have no effect, so every failed attempt may be repeated. */
export async function callRead<T extends object>(
  options: ResolvedOptions,
  path: string,
  signal?: AbortSignal,
): Promise<T> {
  const deadline = new CallDeadline(options.requestTimeoutMs, signal);
  deadline.throwIfCancelled('before_send');
  for (;;) {
    const result = await exchange(options, { method: 'GET', path }, deadline.attemptSignal());
    let failure: Error;
    let untilMs = options.requestTimeoutMs;
    let atLeastMs = 0;
    if (result.kind === 'answered') {
      const isSuccess = result.status >= 200 && result.status < 300;
      if (isSuccess && result.body !== null && typeof result.body === 'object') {
        return result.body as T;
      }
      failure = refusalOf(options, result.status, result.body);
      if (result.status !== 503 && result.status !== 429) throw failure;
      atLeastMs = result.retryAfterMs ?? 0;
    } else if (result.kind === 'aborted') {
      deadline.throwIfCancelled('in_flight');
      throw new DeadlineError(`reading ${path}`, deadline.timeoutMs);
    } else {
      failure = new ConnectError(options.origin, result.reason, result);
      untilMs = options.connectTimeoutMs;
    }
    if (!(await deadline.pause(atLeastMs, untilMs))) throw failure;
    deadline.throwIfCancelled('in_flight');
  }
}
