import { readFile } from 'node:fs/promises';
import type { SecretEntry } from '@nervix/protocol';
import type { Client } from '../client.js';
import { EXIT, type ExitCode, localFileError, localRefusal } from './command-line-error.js';
import type { Output } from './output.js';
import { decodeUtf8 } from './utf8-text.js';

/** What `nervix secret` is given. */
export type SecretArguments =
  | { readonly kind: 'list' }
  | { readonly kind: 'remove'; readonly name: string; readonly key?: string }
  | {
      readonly kind: 'set';
      readonly name: string;
      readonly key?: string;
      /** File of the value, or `-` for standard input. */
      readonly from: string;
    };

/** What a command about secrets runs with. */
export interface SecretContext {
  readonly client: Client;
  readonly output: Output;
  readonly domain: string;
  readonly signal: AbortSignal;
  readonly executionReference?: string;
}

/** Runs `nervix secret`; a value is read from a file or standard input and shown nowhere. */
export async function runSecret(
  secret: SecretArguments,
  context: SecretContext,
): Promise<ExitCode> {
  const { client, output, domain, signal, executionReference } = context;
  if (secret.kind === 'list') {
    const secrets = await client.secrets({ domain, signal });
    await output.result(secrets.map(line).join('\n') || 'no secrets', { secrets });
    return EXIT.success;
  }
  const { name, key } = secret;
  const asked = {
    name,
    domain,
    signal,
    ...(key === undefined ? {} : { key }),
    ...(executionReference === undefined ? {} : { executionReference }),
  };
  const outcome =
    secret.kind === 'remove'
      ? await client.removeSecret(asked)
      : await client.writeSecret({ ...asked, value: await readValue(secret.from) });
  await output.result(outcome.message, outcome);
  return EXIT.success;
}

/** The value as it stands, a line end at its end included. */
async function readValue(from: string): Promise<string> {
  const decoded = decodeUtf8(await readBytes(from), 'keep');
  if (decoded.kind === 'text') return decoded.text;
  throw localRefusal('INVALID_REQUEST', `the value in '${from}' is not UTF-8`);
}

async function readBytes(from: string): Promise<Buffer> {
  try {
    return from === '-' ? await wholeInput() : await readFile(from);
  } catch (cause) {
    throw localFileError('read', from, cause);
  }
}

async function wholeInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function line({ name, key, version, provider, used_by: users }: SecretEntry): string {
  const used = users.length === 0 ? '-' : users.join(', ');
  return `- name=${name} key=${key ?? '-'} version=${version} provider=${provider} used_by=${used}`;
}
