import type { CreateSubscriptionStatement } from '@nervix/model';
import { printExpression } from '@nervix/nspl-parser';
import type { Client } from '../client.js';
import { rowText } from '../row-text.js';
import type { SubscribeOptions, Subscription, SubscriptionRecord } from '../subscription.js';
import { localRefusal } from './command-line-error.js';
import { failureOf } from './failure.js';
import type { Output } from './output.js';

interface OpenStream {
  readonly subscription: Subscription;
  /** Settles when the stream has been printed to its end. */
  readonly printing: Promise<void>;
}

/** What a record other than a row tells. */
export function recordNotice(record: Exclude<SubscriptionRecord, { row: unknown }>): string {
  if ('lost' in record) return `lost ${record.lost} rows`;
  if ('skipped' in record) return `skipped ${record.skipped.rows} rows: ${record.skipped.message}`;
  if ('interrupted' in record) return `interrupted: ${record.interrupted.reason}`;
  if ('restored' in record) return 'restored; rows in between are missing';
  if ('restorationFailed' in record) {
    const { message, nextAttemptMs } = record.restorationFailed;
    return `not restored: ${message}; next attempt in ${nextAttemptMs / 1000} s`;
  }
  if ('ended' in record) return `ended: ${record.ended.message}`;
  return 'sent a record that this release does not know';
}

/** The streams that run in the background of a session, by name. */
export class SessionSubscriptions {
  readonly #client: Client;
  readonly #output: Output;
  readonly #streams: Map<string, OpenStream> = new Map();

  constructor(client: Client, output: Output) {
    this.#client = client;
    this.#output = output;
  }

  /** Opens a stream and begins to print its rows. */
  async open(
    statement: CreateSubscriptionStatement,
    context: { readonly domain: string; readonly signal?: AbortSignal },
  ): Promise<void> {
    const { name, relay, where, batchSampleRate } = statement;
    if (this.#streams.has(name)) {
      throw localRefusal('ALREADY_EXISTS', `session subscription '${name}' already exists`);
    }
    const subscription = await this.#openStream(
      {
        domain: context.domain,
        relay,
        delivery: statement.delivery === 'DROPPING' ? 'dropping' : 'blocking',
        ...(where === null ? {} : { where: printExpression(where) }),
        ...(batchSampleRate === null ? {} : { sampleRate: batchSampleRate }),
      },
      context.signal,
    );
    const text = `created subscription '${name}' in domain '${context.domain}'`;
    await this.#output.result(text, { subscription: name, state: 'created' });
    this.#streams.set(name, { subscription, printing: this.#print(name, relay, subscription) });
  }

  /** Closes a stream. */
  async close(name: string, domain: string): Promise<void> {
    const stream = this.#streams.get(name);
    if (stream === undefined) {
      throw localRefusal('NOT_FOUND', `session subscription '${name}' does not exist`);
    }
    stream.subscription.close();
    await stream.printing;
    const text = `deleted subscription '${name}' from domain '${domain}'`;
    await this.#output.result(text, { subscription: name, state: 'deleted' });
  }

  /** Closes every stream without a word. */
  async closeAll(): Promise<void> {
    const streams = [...this.#streams.values()];
    for (const { subscription } of streams) subscription.close();
    await Promise.all(streams.map(({ printing }) => printing));
  }

  /** Opens a stream; the statement's own signal ends the waiting, not the stream that it opens. */
  async #openStream(options: SubscribeOptions, signal?: AbortSignal): Promise<Subscription> {
    const opening = new AbortController();
    const stop = (): void => opening.abort();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return await this.#client.subscribe({ ...options, signal: opening.signal });
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  async #print(name: string, relay: string, subscription: Subscription): Promise<void> {
    const head = `[events] subscription [${name}] from [${relay}]:`;
    try {
      for await (const record of subscription) {
        const text = 'row' in record ? rowText(record) : recordNotice(record);
        await this.#output.event(`${head} ${text}`, { subscription: name, relay, ...record });
      }
    } catch (error) {
      const { code, message } = failureOf(error);
      await this.#output.event(`${head} ${message}`, {
        subscription: name,
        relay,
        error: { code, message },
      });
    } finally {
      this.#streams.delete(name);
    }
  }
}
