import type { SecureContext } from 'node:tls';
import { type ClientTlsPlan, equalData, type HttpClientPlan } from '@nervix/model';
import type { Client, Dispatcher } from 'undici';
import type { Clock } from '../../clock/clock.js';
import { noSecrets, type SecretReader } from '../client-secrets.js';
import { HttpClientSettingsReader } from './http-client-settings.js';
import { retryAfterMs } from './retry-after.js';
import { makeSecureContext } from './secure-context.js';

const RESPONSE_HEAD_BYTES_MAX = 64 * 1024;
const RESPONSE_FIELDS_MAX = 128;

/** A request whose bytes are final: every attempt sends the same. */
export interface PreparedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | null;
}

/** What one attempt came to. */
export type AttemptOutcome =
  | { readonly kind: 'delivered' }
  /** The destination refuses this record for good. */
  | { readonly kind: 'rejected'; readonly status: number }
  /** The record must be sent again; `reason` holds no value of it. */
  | { readonly kind: 'retry'; readonly reason: string; readonly waitMs: number | null };

/** What connections are secured with, and the plan that it was made from. */
interface SecuredBy {
  readonly tls: ClientTlsPlan;
  readonly context: Promise<SecureContext>;
}

/** Sends requests to one origin, each attempt over a connection of its own. */
export class HttpSink {
  readonly #clock: Clock;
  readonly #settings: HttpClientSettingsReader;
  #secured: SecuredBy | undefined;

  constructor(plan: HttpClientPlan, clock: Clock, readSecrets: SecretReader = noSecrets) {
    this.#clock = clock;
    this.#settings = new HttpClientSettingsReader(plan, readSecrets);
  }

  /** Makes one attempt; it never rejects. The response body is not awaited. */
  async send(request: PreparedRequest, signal: AbortSignal): Promise<AttemptOutcome> {
    // Loaded by the first request: a data plane without HTTP emitters does not pay for the client.
    const { Client: HttpClient } = await import('undici');
    const reading = await this.#settings.read();
    if (reading.kind === 'unavailable') {
      return { kind: 'retry', reason: reading.reason, waitMs: null };
    }
    const { endpoint, timeoutMs, tls } = reading.settings;
    let client: Client;
    try {
      const secured = tls === undefined ? {} : { secureContext: await this.#secureContext(tls) };
      client = new HttpClient(endpoint, {
        connect: { timeout: timeoutMs, ...secured },
        headersTimeout: 0,
        bodyTimeout: 0,
        maxHeaderSize: RESPONSE_HEAD_BYTES_MAX,
      });
    } catch (error) {
      return failedAttempt(error instanceof Error ? error : new Error(String(error)));
    }
    const timeout = this.#clock.after(timeoutMs, () => {
      void client.destroy(new Error('no response in time'));
    });
    const abort = (): void => {
      void client.destroy(new Error('the attempt was abandoned'));
    };
    signal.addEventListener('abort', abort);
    try {
      return await this.#exchange(client, request);
    } finally {
      timeout.cancel();
      signal.removeEventListener('abort', abort);
      client.destroy().catch(() => undefined);
    }
  }

  /** Made once for each content: the platform's certificates take long to read. */
  #secureContext(tls: ClientTlsPlan): Promise<SecureContext> {
    if (this.#secured === undefined || !equalData(this.#secured.tls, tls)) {
      this.#secured = { tls, context: makeSecureContext(tls) };
    }
    return this.#secured.context;
  }

  #exchange(client: Client, request: PreparedRequest): Promise<AttemptOutcome> {
    return new Promise((resolve) => {
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, status, headers) => {
          resolve(this.#judge(status, headers));
        },
        onResponseData: () => undefined,
        onResponseEnd: () => undefined,
        onResponseError: (_controller, error) => {
          resolve(failedAttempt(error));
        },
      };
      const headers: string[] = [];
      for (const [name, value] of request.headers) {
        headers.push(name, Buffer.from(value, 'utf8').toString('latin1'));
      }
      try {
        client.dispatch(
          {
            method: request.method as Dispatcher.HttpMethod,
            path: request.path,
            headers,
            body: request.body,
            reset: true,
          },
          handler,
        );
      } catch (error) {
        resolve(failedAttempt(error instanceof Error ? error : new Error(String(error))));
      }
    });
  }

  #judge(
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): AttemptOutcome {
    const fields = Object.values(headers).flatMap((value) => value ?? []);
    if (fields.length > RESPONSE_FIELDS_MAX) {
      return { kind: 'retry', reason: 'the response has too many fields', waitMs: null };
    }
    if (status >= 200 && status <= 299) return { kind: 'delivered' };
    const isAuthentication = status === 401 || status === 403 || status === 407;
    if (!isAuthentication && !isRetried(status)) return { kind: 'rejected', status };
    const values = [headers['retry-after'] ?? []].flat();
    const utcMs = Number(this.#clock.utcNanos() / 1_000_000n);
    return {
      kind: 'retry',
      reason: isAuthentication
        ? `authentication was refused with status ${status}`
        : `the destination answered status ${status}`,
      waitMs: retryAfterMs(values, utcMs),
    };
  }
}

function isRetried(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || (status >= 500 && status <= 599);
}

/** Driver messages may quote addresses, never payloads; only their code is passed on. */
function failedAttempt(error: Error & { readonly code?: unknown }): AttemptOutcome {
  if (error.message === 'bad upgrade') return { kind: 'rejected', status: 101 };
  const code = typeof error.code === 'string' ? ` (${error.code})` : '';
  const reason =
    error.message === 'no response in time' ? error.message : `the request failed${code}`;
  return { kind: 'retry', reason, waitMs: null };
}
