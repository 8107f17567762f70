import { API_PATHS, type CommandOutcome, type SecretList } from '@nervix/protocol';
import { type CommandTransport, type CommandWait, callCommand } from './command-call.js';
import type { ResolvedOptions } from './connect-options.js';
import { ProtocolViolationError } from './errors.js';
import { newExecutionReference } from './execution-reference.js';
import { attemptCommand } from './http-transport.js';
import { callRead } from './read-call.js';

/** Which secret of a domain is meant. */
export interface SecretOptions {
  readonly name: string;
  /** One key of the secret; without it the value that has none, or all of what is removed. */
  readonly key?: string;
  /** The client's domain by default. */
  readonly domain?: string;
  /** Names the command, so that it takes effect once; a new one is made by default. */
  readonly executionReference?: string;
  readonly signal?: AbortSignal;
}

/** Options of {@link Client.writeSecret}. */
export interface WriteSecretOptions extends SecretOptions {
  /** At most 64 KiB of UTF-8. */
  readonly value: string;
}

/** Makes a value the next version of a secret. The same bytes are sent again until it is settled. */
export function writeSecret(
  options: ResolvedOptions,
  domain: string,
  { value, ...secret }: WriteSecretOptions,
): Promise<CommandOutcome> {
  const type = 'application/octet-stream';
  return changeSecret(options, domain, secret, {
    method: 'PUT',
    body: new Blob([value], { type }),
  });
}

/** Removes a secret, or one key of it. */
export function removeSecret(
  options: ResolvedOptions,
  domain: string,
  secret: SecretOptions,
): Promise<CommandOutcome> {
  return changeSecret(options, domain, secret, { method: 'DELETE' });
}

type Change =
  | { readonly method: 'PUT'; readonly body: Blob }
  | { readonly method: 'DELETE'; readonly body?: never };

function changeSecret(
  options: ResolvedOptions,
  domain: string,
  { name, key, executionReference, signal }: SecretOptions,
  change: Change,
): Promise<CommandOutcome> {
  const path = API_PATHS.secret(domain, name, key);
  const transport: CommandTransport = {
    options,
    attempt: (command, context) =>
      attemptCommand(
        options,
        {
          path,
          ...change,
          contentType: 'application/octet-stream',
          executionReference: command.executionReference,
        },
        context.signal,
      ),
  };
  const command = {
    // It is no NSPL; what fails is told of by its name.
    query: `${change.method} ${path}`,
    executionReference: executionReference ?? newExecutionReference(),
    isRepetition: executionReference !== undefined,
  };
  const wait: CommandWait = signal === undefined ? {} : { signal };
  return callCommand(transport, command, wait);
}

/** Lists the secrets of a domain, without values. */
export async function listSecrets(
  options: ResolvedOptions,
  domain: string,
  signal?: AbortSignal,
): Promise<SecretList['secrets']> {
  const list = await callRead<SecretList>(options, API_PATHS.secrets(domain), signal);
  if (Array.isArray(list.secrets)) return list.secrets;
  throw new ProtocolViolationError(`${options.origin} answered without a list of secrets`);
}
