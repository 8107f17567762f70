import type { Client } from '../client.js';
import { printExactJson } from '../exact-json.js';
import { rowText } from '../row-text.js';
import type { Subscription } from '../subscription.js';
import { EXIT, type ExitCode, usageError } from './command-line-error.js';
import type { Output } from './output.js';
import { readScript } from './parsed-script.js';
import { recordNotice } from './session-subscriptions.js';
import { sourceReport } from './source-report.js';

/** Arguments of `nervix subscribe`. */
export interface SubscribeArguments {
  readonly name: string;
  readonly relay: string;
  readonly delivery: 'blocking' | 'dropping';
  readonly sampleRate?: number;
  readonly where?: string;
  /** Rows after which to stop; without it the stream runs until it is interrupted. */
  readonly limit?: number;
}

/** What the command runs with. */
export interface SubscribeContext {
  readonly client: Client;
  readonly output: Output;
  readonly domain: string;
  readonly signal: AbortSignal;
}

/** The statement that the arguments amount to, checked with the local grammar. */
function checkLocally(subscribe: SubscribeArguments): void {
  const rate = subscribe.sampleRate;
  const head =
    `CREATE SUBSCRIPTION ${subscribe.name} TO ${subscribe.relay} ` +
    `${subscribe.delivery.toUpperCase()}${rate === undefined ? '' : ` BATCH SAMPLE RATE ${rate}`}`;
  const text = subscribe.where === undefined ? head : `${head} WHERE ${subscribe.where}`;
  const { statements, errors } = readScript({ label: 'subscribe', text });
  const [error] = errors;
  if (error !== undefined) {
    throw usageError(sourceReport({ label: 'subscribe', text }, error.span, error.message));
  }
  const [only, ...more] = statements;
  if (only?.statement.kind !== 'create_subscription' || more.length > 0) {
    throw usageError('subscribe takes one name, one relay and one predicate');
  }
}

async function printRows(
  subscription: Subscription,
  subscribe: SubscribeArguments,
  output: Output,
): Promise<void> {
  const { domain, relay, schema } = subscription;
  let rowCount = 0;
  if (output.format === 'json') await output.result('', { opened: { domain, relay, schema } });
  if (subscribe.limit === 0) return;
  for await (const record of subscription) {
    if ('row' in record) {
      await output.result(rowText(record), record);
      rowCount += 1;
      if (rowCount === subscribe.limit) return;
      continue;
    }
    if (output.format === 'json') await output.result(printExactJson(record), record);
    else await output.notice(`[events] subscription [${subscribe.name}]: ${recordNotice(record)}`);
  }
}

/** Prints the rows of a relay until the limit, the end of the stream or an interruption. */
export async function runSubscribe(
  subscribe: SubscribeArguments,
  context: SubscribeContext,
): Promise<ExitCode> {
  const { client, output, domain, signal } = context;
  checkLocally(subscribe);
  try {
    const subscription = await client.subscribe({
      domain,
      relay: subscribe.relay,
      delivery: subscribe.delivery,
      signal,
      ...(subscribe.where === undefined ? {} : { where: subscribe.where }),
      ...(subscribe.sampleRate === undefined ? {} : { sampleRate: subscribe.sampleRate }),
    });
    try {
      await printRows(subscription, subscribe, output);
    } finally {
      subscription.close();
    }
    return EXIT.success;
  } catch (error) {
    return output.failure(error);
  }
}
