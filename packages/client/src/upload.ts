import { API_PATHS, type ResourceInstalled } from '@nervix/protocol';
import { CallDeadline } from './call-deadline.js';
import type { ResolvedOptions } from './connect-options.js';
import {
  CancelledError,
  ConnectError,
  InvalidOptionsError,
  ProtocolViolationError,
  UncertainError,
} from './errors.js';
import { newExecutionReference } from './execution-reference.js';
import { type ExchangeResult, exchange } from './http-exchange.js';
import { refusalOf } from './read-call.js';
import { type ArchivePart, tarArchive, type UploadFile } from './tar-archive.js';

/** What is uploaded: files, a tar archive of them, or such an archive as a stream. */
export type UploadSource = readonly UploadFile[] | Blob | AsyncIterable<Uint8Array>;

/** Options of {@link Client.uploadResource}. */
export interface UploadOptions {
  readonly resource: string;
  /** A stream is held in memory, because it may have to be sent again. */
  readonly from: UploadSource;
  /** The client's domain by default. */
  readonly domain?: string;
  /**
   * Names the upload, so that it takes effect once however often it is sent: 1 to 128 letters,
   * digits, dots, underscores and dashes. A new one is made by default.
   */
  readonly identity?: string;
  /** Time of the upload with all its attempts, in milliseconds; an hour by default. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 3_600_000;

/**
 * Uploads an archive as the next version of a resource. The same bytes are sent again, whole and
 * under the same identity, until the outcome is known.
 *
 * @throws RejectedError when the server refused it
 * @throws UncertainError when the outcome is unknown
 */
export async function uploadResource(
  options: ResolvedOptions,
  domain: string,
  { resource, from, identity = newExecutionReference(), timeoutMs, signal }: UploadOptions,
): Promise<ResourceInstalled> {
  const deadline = new CallDeadline(timeoutMs ?? TIMEOUT_MS, signal);
  deadline.throwIfCancelled('before_send');
  const body = await archiveOf(from);
  if (body.size === 0) throw new InvalidOptionsError('the archive is empty');
  const path = API_PATHS.upload(domain, resource, identity);
  const request = { method: 'PUT', path, body, contentType: 'application/x-tar' } as const;
  let isSent = false;
  for (;;) {
    const result = await exchange(options, request, deadline.attemptSignal());
    const verdict = judge(options, result);
    if (verdict.kind === 'installed') return verdict.value;
    if (verdict.kind === 'failed') throw verdict.error;
    isSent ||= verdict.isSent;
    if (result.kind === 'aborted') {
      if (deadline.isCancelled) throw new CancelledError('in_flight', identity);
      throw new UncertainError(identity, 'the time of the upload ran out');
    }
    const untilMs = isSent ? deadline.timeoutMs : options.connectTimeoutMs;
    if (!(await deadline.pause(verdict.atLeastMs, untilMs))) {
      const { error: cause } = verdict;
      throw isSent ? new UncertainError(identity, cause.message, { cause }) : cause;
    }
    deadline.throwIfCancelled('in_flight', identity);
  }
}

async function archiveOf(from: UploadSource): Promise<Blob> {
  if (from instanceof Blob) return from;
  if (!(Symbol.asyncIterator in from)) return tarArchive(from);
  const parts: ArchivePart[] = [];
  for await (const chunk of from) parts.push(new Uint8Array(chunk));
  return new Blob(parts);
}

type Verdict =
  | { readonly kind: 'installed'; readonly value: ResourceInstalled }
  | { readonly kind: 'failed'; readonly error: Error }
  | {
      readonly kind: 'again';
      readonly error: Error;
      readonly atLeastMs: number;
      /** Whether the server may have taken it. */
      readonly isSent: boolean;
    };

function judge(options: ResolvedOptions, result: ExchangeResult): Verdict {
  if (result.kind === 'aborted') {
    return { kind: 'again', error: new Error('aborted'), atLeastMs: 0, isSent: true };
  }
  if (result.kind !== 'answered') {
    const error = new ConnectError(options.origin, result.reason, result);
    return { kind: 'again', error, atLeastMs: 0, isSent: result.kind === 'lost' };
  }
  if (result.status === 200) return installed(options, result.body);
  const error = refusalOf(options, result.status, result.body);
  const isBusy = result.status === 503 || result.status === 429;
  if (!isBusy && result.status !== 202) return { kind: 'failed', error };
  const atLeastMs = result.retryAfterMs ?? 0;
  return { kind: 'again', error, atLeastMs, isSent: !isBusy };
}

function installed(options: ResolvedOptions, body: unknown): Verdict {
  const value = body as Partial<ResourceInstalled> | null | undefined;
  if (typeof value?.version === 'number' && typeof value.message === 'string') {
    return { kind: 'installed', value: value as ResourceInstalled };
  }
  const message = `${options.origin} answered an upload without a version`;
  return { kind: 'failed', error: new ProtocolViolationError(message) };
}
