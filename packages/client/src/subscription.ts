import { API_PATHS, type StreamOpened, type StreamRecord } from '@nervix/protocol';
import { CallDeadline } from './call-deadline.js';
import type { ResolvedOptions } from './connect-options.js';
import {
  CancelledError,
  ConnectError,
  DeadlineError,
  ProtocolViolationError,
  StreamInterruptedError,
} from './errors.js';
import { parseExactJson } from './exact-json.js';
import { failedExchange, fetchPolicy, readJson, requestHeaders } from './http-exchange.js';
import { ndjsonLines } from './ndjson-lines.js';
import { refusalOf } from './read-call.js';
import { floatFieldNames, restoreFloats } from './row-numbers.js';

/** Which rows of which relay to receive, and how. */
export interface SubscribeOptions {
  readonly relay: string;
  /** The client's domain by default. */
  readonly domain?: string;
  /** An NSPL predicate over the row; all rows without it. */
  readonly where?: string;
  /** Share of the selected rows to receive, 0 to 1; all by default. */
  readonly sampleRate?: number;
  /** `blocking` holds the relay while this reader is slow, `dropping` loses rows and counts them. */
  readonly delivery?: 'blocking' | 'dropping';
  /** Ends the subscription, like {@link Subscription.close}. */
  readonly signal?: AbortSignal;
}

/** Schema of the rows that a subscription receives. */
export type RowSchema = StreamOpened['opened']['schema'];

/** What became of the session of a subscription; rows published meanwhile are missing. */
export type SubscriptionInterruption =
  | { readonly interrupted: { readonly reason: string } }
  /** The schema may be another one. */
  | { readonly restored: { readonly schema: RowSchema } }
  | {
      readonly restorationFailed: { readonly message: string; readonly nextAttemptMs: number };
    };

/** What a subscription yields after it is open. */
export type SubscriptionRecord = Exclude<StreamRecord, StreamOpened> | SubscriptionInterruption;

/**
 * A live view of a relay. Iterate it once; records are taken as the iteration asks for them. The
 * iteration ends after an `ended` record or after {@link close}. Over sessions it survives them.
 */
export interface Subscription extends AsyncIterable<SubscriptionRecord> {
  readonly domain: string;
  readonly relay: string;
  readonly schema: RowSchema;
  /** Ends the subscription; the iteration ends without an error. */
  close(): void;
}

/** A live view of a relay as one answer of the HTTP API, which is read as the iteration goes on. */
class HttpSubscription implements Subscription {
  readonly domain: string;
  readonly relay: string;
  readonly schema: RowSchema;
  readonly #lines: AsyncGenerator<string, void>;
  readonly #abort: AbortController;
  readonly #floatFields: ReadonlySet<string>;
  readonly #floatKeyFields: ReadonlySet<string>;

  constructor(
    opened: StreamOpened['opened'],
    lines: AsyncGenerator<string, void>,
    abort: AbortController,
  ) {
    this.domain = opened.domain;
    this.relay = opened.relay;
    this.schema = opened.schema;
    this.#lines = lines;
    this.#abort = abort;
    this.#floatFields = floatFieldNames(opened.schema.fields);
    this.#floatKeyFields = floatFieldNames(opened.schema.branch?.fields ?? []);
  }

  close(): void {
    this.#abort.abort();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SubscriptionRecord, void> {
    try {
      for (;;) {
        const record = await this.#next();
        if (record === undefined) return;
        yield record;
        if ('ended' in record) return;
      }
    } finally {
      this.close();
    }
  }

  async #next(): Promise<SubscriptionRecord | undefined> {
    let next: IteratorResult<string, void>;
    try {
      next = await this.#lines.next();
    } catch (error) {
      if (this.#abort.signal.aborted) return undefined;
      throw interrupted(this.relay, error);
    }
    if (this.#abort.signal.aborted) return undefined;
    if (next.done) throw new StreamInterruptedError(this.relay, 'the server closed the connection');
    const record = readRecord(next.value);
    if ('opened' in record) throw new ProtocolViolationError('a row stream was opened twice');
    if (!('row' in record)) return record;
    const row = restoreFloats(record.row, this.#floatFields);
    return record.key === undefined
      ? { row }
      : { row, key: restoreFloats(record.key, this.#floatKeyFields) };
  }
}

function failureText(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

function readRecord(line: string): StreamRecord {
  let record: unknown;
  try {
    record = parseExactJson(line);
  } catch (cause) {
    throw new ProtocolViolationError('a record of a row stream is not JSON', { cause });
  }
  if (record === null || typeof record !== 'object') {
    throw new ProtocolViolationError('a record of a row stream is not an object');
  }
  return record as StreamRecord;
}

function streamPath(domain: string, options: SubscribeOptions): string {
  const parameters = new URLSearchParams();
  if (options.where !== undefined) parameters.set('where', options.where);
  if (options.sampleRate !== undefined) parameters.set('sample', String(options.sampleRate));
  if (options.delivery !== undefined) parameters.set('delivery', options.delivery);
  const query = parameters.toString();
  const path = API_PATHS.rows(domain, options.relay);
  return query === '' ? path : `${path}?${query}`;
}

async function openOnce(
  options: ResolvedOptions,
  path: string,
  signal: AbortSignal,
): Promise<Response> {
  const response = await fetch(options.origin + path, {
    headers: requestHeaders(options, 'application/x-ndjson'),
    ...fetchPolicy,
    signal,
  });
  if (response.status === 200 && response.body !== null) return response;
  throw refusalOf(options, response.status, readJson(await response.text()));
}

/** Opens the stream, repeating attempts that found no server. */
async function openStream(
  options: ResolvedOptions,
  path: string,
  deadline: CallDeadline,
  signal: AbortSignal,
): Promise<Response> {
  for (;;) {
    try {
      return await openOnce(options, path, signal);
    } catch (error) {
      // fetch itself rejects with a TypeError; everything else is an answer of the server.
      if (!(error instanceof TypeError)) throw error;
      const failure = failedExchange(error, signal);
      if (failure.kind !== 'not_sent' && failure.kind !== 'lost') throw error;
      if (!(await deadline.pause(0, options.connectTimeoutMs))) {
        throw noServer(options, failure.reason, error);
      }
      deadline.throwIfCancelled('in_flight');
    }
  }
}

async function readOpened(lines: AsyncGenerator<string, void>): Promise<StreamOpened['opened']> {
  const first = await lines.next();
  if (first.done) throw new ProtocolViolationError('a row stream ended before it was opened');
  const record = readRecord(first.value);
  if (!('opened' in record)) {
    throw new ProtocolViolationError('a row stream does not begin with its schema');
  }
  return record.opened;
}

function interrupted(relay: string, cause: unknown): StreamInterruptedError {
  return new StreamInterruptedError(relay, failureText(cause), { cause });
}

function noServer(options: ResolvedOptions, reason: string, cause: unknown): ConnectError {
  return new ConnectError(options.origin, reason, { cause });
}

function late(deadline: CallDeadline, cause: unknown): DeadlineError {
  return new DeadlineError('opening the subscription', deadline.timeoutMs, { cause });
}

/** A body that breaks off rejects with a TypeError, as fetch does; other errors are our own. */
function openingFailure(relay: string, error: unknown): unknown {
  return error instanceof TypeError ? interrupted(relay, error) : error;
}

/** Opens a subscription and waits for the server's confirmation. */
export async function openSubscription(
  options: ResolvedOptions,
  domain: string,
  subscribe: SubscribeOptions,
): Promise<Subscription> {
  const deadline = new CallDeadline(options.requestTimeoutMs, subscribe.signal);
  deadline.throwIfCancelled('before_send');
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  subscribe.signal?.addEventListener('abort', stop, { once: true });
  const forget = (): void => subscribe.signal?.removeEventListener('abort', stop);
  abort.signal.addEventListener('abort', forget, { once: true });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    abort.abort();
  }, deadline.timeoutMs);
  try {
    const path = streamPath(domain, subscribe);
    const response = await openStream(options, path, deadline, abort.signal);
    const lines = ndjsonLines(response.body ?? new ReadableStream());
    return new HttpSubscription(await readOpened(lines), lines, abort);
  } catch (error) {
    const failure = openingFailure(subscribe.relay, error);
    const isCancelled = abort.signal.aborted && !isLate;
    abort.abort();
    if (isLate) throw late(deadline, error);
    throw isCancelled ? new CancelledError('in_flight') : failure;
  } finally {
    clearTimeout(timer);
  }
}
