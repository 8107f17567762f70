import {
  ERROR_CODES,
  type ErrorBody,
  type ErrorCode,
  EXECUTION_REFERENCE_HEADER,
} from '@nervix/protocol';
import type { ResolvedOptions } from './connect-options.js';
import { RejectedError } from './errors.js';

/** One request, the same bytes at each attempt. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: string | Blob;
  /** Of the body; JSON by default. */
  readonly contentType?: string;
  /** What the server knows the request by when it is sent again, where the body does not say it. */
  readonly executionReference?: string;
}

/** What became of one attempt. */
export type ExchangeResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: unknown;
      readonly retryAfterMs: number | undefined;
    }
  /** No connection came about, so the server has seen nothing. */
  | { readonly kind: 'not_sent'; readonly reason: string; readonly cause: unknown }
  /** The request may have arrived, and its answer did not. */
  | { readonly kind: 'lost'; readonly reason: string; readonly cause: unknown }
  /** The attempt's signal fired. */
  | { readonly kind: 'aborted' };

/** Failures of the operating system that come before the first byte of a request. */
const notSentCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  // Handshakes that fail before the request goes out.
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** What fetch says of a port that it never connects to; this failure has no code. */
const blockedPort = 'bad port';

interface Failure {
  readonly reason: string;
  readonly isBeforeSending: boolean;
}

function describeFailure(error: unknown): Failure {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = (cause as { code?: unknown } | null)?.code;
  const text = cause instanceof Error ? cause.message : String(cause);
  const isBeforeSending =
    text === blockedPort || (typeof code === 'string' && notSentCodes.has(code));
  return { reason: text === '' ? String(code ?? 'connection failed') : text, isBeforeSending };
}

/** A failed attempt as a value; browsers tell no cause, so theirs always counts as lost. */
export function failedExchange(error: unknown, signal: AbortSignal): ExchangeResult {
  if (signal.aborted) return { kind: 'aborted' };
  const { reason, isBeforeSending } = describeFailure(error);
  return { kind: isBeforeSending ? 'not_sent' : 'lost', reason, cause: error };
}

/** Headers of every request. */
export function requestHeaders(
  options: ResolvedOptions,
  accept: string,
  contentType?: string,
): Record<string, string> {
  const headers: Record<string, string> = { authorization: options.authorization, accept };
  if (contentType !== undefined) headers['content-type'] = contentType;
  return headers;
}

/** How every request is made. */
export const fetchPolicy: Pick<RequestInit, 'credentials' | 'redirect'> = {
  // A browser would ask its user for others where these are refused.
  credentials: 'omit',
  // A redirect could carry the credentials elsewhere.
  redirect: 'manual',
};

function retryAfterMs(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

/** The JSON document in `text`, or undefined when it is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends one request once. */
export async function exchange(
  options: ResolvedOptions,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<ExchangeResult> {
  if (signal.aborted) return { kind: 'aborted' };
  try {
    const response = await fetch(options.origin + request.path, {
      method: request.method,
      headers: {
        ...requestHeaders(
          options,
          'application/json',
          request.body === undefined ? undefined : (request.contentType ?? 'application/json'),
        ),
        ...(request.executionReference === undefined
          ? {}
          : { [EXECUTION_REFERENCE_HEADER]: request.executionReference }),
      },
      ...fetchPolicy,
      signal,
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    const text = await response.text();
    return {
      kind: 'answered',
      status: response.status,
      body: readJson(text),
      retryAfterMs: retryAfterMs(response),
    };
  } catch (error) {
    return failedExchange(error, signal);
  }
}

/** The error body of an answer, or undefined when the answer has none. */
export function readErrorBody(body: unknown): ErrorBody['error'] | undefined {
  const error = (body as Partial<ErrorBody> | null | undefined)?.error;
  if (error === null || typeof error !== 'object') return undefined;
  if (typeof error.code !== 'string' || typeof error.message !== 'string') return undefined;
  return { ...error, diagnostics: Array.isArray(error.diagnostics) ? error.diagnostics : [] };
}

/** Whether a code is one this release knows. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}

/** The typed error of a refusal. */
export function rejection(httpStatus: number, error: ErrorBody['error']): RejectedError {
  return new RejectedError(error.code, error.message, {
    httpStatus,
    diagnostics: error.diagnostics,
    ...(error.field === undefined ? {} : { field: error.field }),
    ...(error.execution_reference === undefined
      ? {}
      : { executionReference: error.execution_reference }),
    ...(error.statements === undefined ? {} : { statements: error.statements }),
    ...(error.transaction === undefined ? {} : { transaction: error.transaction }),
    ...staleOf(error),
  });
}

function staleOf({ expected, current }: ErrorBody['error']) {
  return expected === undefined || current === undefined ? {} : { stale: { expected, current } };
}
