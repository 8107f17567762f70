import type { Client } from '../client.js';
import { EXIT, type ExitCode } from './command-line-error.js';
import type { Output } from './output.js';

/** What `--suggest` completes. */
export interface SuggestArguments {
  readonly input: string;
  /** UTF-8 byte offset; the end of the input without it. */
  readonly cursor?: number;
}

/** Prints how a text may go on, one way a line. */
export async function runSuggest(
  { input, cursor }: SuggestArguments,
  context: {
    readonly client: Client;
    readonly output: Output;
    readonly domain: string;
    readonly signal: AbortSignal;
  },
): Promise<ExitCode> {
  const { client, output, domain, signal } = context;
  const at = cursor === undefined ? {} : { cursor };
  const suggestions = await client.suggest({ input, domain, signal, ...at });
  await output.result(suggestions.map(({ value }) => value).join('\n'), { suggestions });
  return EXIT.success;
}
