import {
  API_PATHS,
  type CommandOutcome,
  type DomainEntry,
  type DomainList,
  type EntityList,
  type GraphDocument,
  type PreviewIdentity,
  type ResourceInstalled,
  type SecretList,
} from '@nervix/protocol';
import {
  attachOn,
  beginOn,
  type ClientTransport,
  type CloseOptions,
  transactionChannel,
} from './client-transport.js';
import { type CommandWait, callCommand, type PreparedCommand } from './command-call.js';
import { type ConnectOptions, type ResolvedOptions, resolveOptions } from './connect-options.js';
import { InvalidOptionsError, ProtocolViolationError, RejectedError } from './errors.js';
import { newExecutionReference } from './execution-reference.js';
import { exchange } from './http-exchange.js';
import { HttpTransport } from './http-transport.js';
import { callRead } from './read-call.js';
import {
  listSecrets,
  removeSecret,
  type SecretOptions,
  type WriteSecretOptions,
  writeSecret,
} from './secrets.js';
import { SessionTransport } from './session/session-transport.js';
import type { SubscribeOptions, Subscription } from './subscription.js';
import type { Suggestion, SuggestOptions } from './suggestions.js';
import { runInTransaction, Transaction } from './transaction.js';
import { type UploadOptions, uploadResource } from './upload.js';

/** Options of {@link Client.execute}. */
export interface ExecuteOptions extends CommandWait {
  /** The client's domain by default. */
  readonly domain?: string;
  /** Open transaction that the statement joins. */
  readonly transaction?: string;
  /** How many operations it holds; a statement that joins it is refused without. */
  readonly expectedTransactionPosition?: number;
  /** What a `COMMIT` is to apply; it is refused when that is not what it would do. */
  readonly expectedPreview?: PreviewIdentity;
  /** Reference of a command sent before, to learn its outcome; a new one is made by default. */
  readonly executionReference?: string;
}

/** Options of the read calls. */
export interface ReadOptions {
  /** The client's domain by default. */
  readonly domain?: string;
  readonly signal?: AbortSignal;
}

/** What one request to the server met. */
export interface ServerHealth {
  readonly state: 'ready' | 'busy' | 'unauthenticated' | 'unexpected' | 'unreachable';
  readonly elapsedMs: number;
}

/** A client of a server. */
export class Client {
  readonly #options: ResolvedOptions;
  readonly #transport: ClientTransport;
  #domain: string | undefined;

  /** @see connect which also checks server and credentials */
  constructor(options: ConnectOptions) {
    this.#options = resolveOptions(options);
    this.#transport =
      options.transport === 'session'
        ? new SessionTransport(this.#options)
        : new HttpTransport(this.#options);
    this.#domain = options.domain;
  }

  /** Origin of the server. */
  get server(): string {
    return this.#options.origin;
  }

  /** Domain of calls that name none. */
  get domain(): string | undefined {
    return this.#domain;
  }

  /** Selects the domain of later calls. */
  setDomain(domain: string | undefined): void {
    this.#domain = domain;
  }

  /**
   * Runs NSPL. Failed connections, lost answers and a busy server are met by sending the same
   * command again under the same reference, so it takes effect at most once.
   *
   * @throws RejectedError when the server refused it or it failed for good
   * @throws UncertainError when its outcome is unknown
   */
  execute(nspl: string, options: ExecuteOptions = {}): Promise<CommandOutcome> {
    return callCommand(this.#transport.commands, this.#prepare(nspl, options), options);
  }

  /** Begins a transaction in a domain, the client's by default. */
  transaction(domain?: string, options?: { readonly signal?: AbortSignal }): Promise<Transaction>;
  /**
   * Runs work in a transaction: commits it when the work resolves, and reverts it when it rejects.
   * A commit that is refused or whose outcome is unknown is the caller's to decide on, with
   * {@link attachTransaction}.
   */
  transaction(
    domain: string | undefined,
    work: (transaction: Transaction) => Promise<unknown>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Transaction>;
  async transaction(
    domain: string = this.#requireDomain(undefined),
    ...[first, second]: [
      (((transaction: Transaction) => Promise<unknown>) | { readonly signal?: AbortSignal })?,
      { readonly signal?: AbortSignal }?,
    ]
  ): Promise<Transaction> {
    const isWork = typeof first === 'function';
    const { transaction } = await this.begin(domain, (isWork ? second : first) ?? {});
    if (isWork) await runInTransaction(transaction, first);
    return transaction;
  }

  /** Begins a transaction and also gives the outcome of the `BEGIN`. */
  async begin(
    domain: string = this.#requireDomain(undefined),
    options: Omit<ExecuteOptions, 'domain' | 'transaction'> = {},
  ): Promise<{ readonly transaction: Transaction; readonly outcome: CommandOutcome }> {
    const transport = this.#transport.transaction();
    const outcome = await beginOn(
      transport,
      this.#prepare('BEGIN', { ...options, domain }),
      options,
    );
    if (outcome.transaction === undefined) {
      transport.release();
      throw new ProtocolViolationError('the answer to BEGIN names no transaction');
    }
    const { id } = outcome.transaction;
    const channel = transactionChannel(transport, { id, domain });
    return { transaction: new Transaction(outcome.transaction, channel), outcome };
  }

  /**
   * Takes up a transaction of this user, from whoever holds it. Its domain and position are those
   * that the server names.
   *
   * @throws RejectedError when it is unknown, of another user, or finished
   */
  async attachTransaction(
    id: string,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<Transaction> {
    const transport = this.#transport.transaction();
    const status = await attachOn(transport, id.toLowerCase(), options);
    return new Transaction(status, transactionChannel(transport, status));
  }

  /**
   * Completes a text by the server's grammar and what everybody sees of the domain; only over
   * sessions. {@link Transaction.suggest} adds what a transaction has queued.
   */
  suggest(options: SuggestOptions): Promise<readonly Suggestion[]> {
    const domain = options.domain ?? this.#domain;
    return this.#transport.suggest({ ...options, ...(domain === undefined ? {} : { domain }) });
  }

  /** Ends what the client holds open; calls that are still waiting end as they would by a failure. */
  close(options: CloseOptions = {}): Promise<void> {
    return this.#transport.close(options);
  }

  /** Opens a live view of a relay, and resolves when the server has confirmed it. */
  subscribe(options: SubscribeOptions): Promise<Subscription> {
    return this.#transport.subscribe(this.#requireDomain(options.domain), options);
  }

  /**
   * Uploads files, or a tar archive of them, as the next version of a resource; resolves when every
   * live node has installed it. An upload that was cut off is sent again whole, and takes effect once.
   *
   * @throws RejectedError when the server refused it
   * @throws UncertainError when its outcome is unknown; repeat it under the same identity
   */
  uploadResource(options: UploadOptions): Promise<ResourceInstalled> {
    return uploadResource(this.#options, this.#requireDomain(options.domain), options);
  }

  /**
   * Makes a value the next version of a secret of a domain. No answer and no error holds the value.
   *
   * @throws RejectedError when the server refused it
   * @throws UncertainError when its outcome is unknown; repeat it under the same reference
   */
  writeSecret(options: WriteSecretOptions): Promise<CommandOutcome> {
    return writeSecret(this.#options, this.#requireDomain(options.domain), options);
  }

  /**
   * Removes a secret of a domain, or one key of it.
   *
   * @throws RejectedError when it does not exist, or a model uses it
   */
  removeSecret(options: SecretOptions): Promise<CommandOutcome> {
    return removeSecret(this.#options, this.#requireDomain(options.domain), options);
  }

  /** Lists the secrets of a domain with their versions and users, without values. */
  secrets(options: ReadOptions = {}): Promise<SecretList['secrets']> {
    return listSecrets(this.#options, this.#requireDomain(options.domain), options.signal);
  }

  /** Lists the domains. */
  async domains(options: { readonly signal?: AbortSignal } = {}): Promise<readonly DomainEntry[]> {
    const list = await callRead<DomainList>(this.#options, API_PATHS.domains, options.signal);
    if (!Array.isArray(list.domains)) {
      throw new ProtocolViolationError(`${this.server} answered without a list of domains`);
    }
    return list.domains;
  }

  /** Lists the models and resources of a domain. */
  async entities(options: ReadOptions = {}): Promise<EntityList['entities']> {
    const path = API_PATHS.entities(this.#requireDomain(options.domain));
    const list = await callRead<EntityList>(this.#options, path, options.signal);
    if (!Array.isArray(list.entities)) {
      throw new ProtocolViolationError(`${this.server} answered without a list of entities`);
    }
    return list.entities;
  }

  /** The graph of a domain, with the status of its nodes. */
  graph(options: ReadOptions = {}): Promise<GraphDocument> {
    const path = API_PATHS.graph(this.#requireDomain(options.domain));
    return callRead<GraphDocument>(this.#options, path, options.signal);
  }

  /** Asks the server once, without retries. Never rejects. */
  async health(options: { readonly timeoutMs?: number } = {}): Promise<ServerHealth> {
    const startedMs = performance.now();
    const signal = AbortSignal.timeout(options.timeoutMs ?? 5000);
    const request = { method: 'GET', path: API_PATHS.domains } as const;
    const result = await exchange(this.#options, request, signal);
    const elapsedMs = performance.now() - startedMs;
    if (result.kind !== 'answered') return { state: 'unreachable', elapsedMs };
    const state = ({ 200: 'ready', 401: 'unauthenticated', 503: 'busy' } as const)[
      result.status as 200 | 401 | 503
    ];
    return { state: state ?? 'unexpected', elapsedMs };
  }

  #prepare(nspl: string, options: ExecuteOptions): PreparedCommand {
    const domain = options.domain ?? this.#domain;
    const { transaction, expectedTransactionPosition, expectedPreview } = options;
    return {
      query: nspl,
      executionReference: options.executionReference ?? newExecutionReference(),
      isRepetition: options.executionReference !== undefined,
      ...(domain === undefined ? {} : { domain }),
      ...(transaction === undefined ? {} : { transaction }),
      ...(expectedTransactionPosition === undefined ? {} : { expectedTransactionPosition }),
      ...(expectedPreview === undefined ? {} : { expectedPreview }),
    };
  }

  #requireDomain(domain: string | undefined): string {
    const selected = domain ?? this.#domain;
    if (selected === undefined) throw new InvalidOptionsError('no domain is selected');
    return selected;
  }
}

/**
 * Makes a client and checks with one read that the server answers and accepts the credentials.
 *
 * @throws ConnectError when no server answers in time
 * @throws AuthenticationError when the server refuses the credentials
 */
export async function connect(options: ConnectOptions): Promise<Client> {
  const client = new Client(options);
  try {
    await client.domains(options.signal === undefined ? {} : { signal: options.signal });
  } catch (error) {
    // A user without the permission to list domains is connected all the same.
    if (!(error instanceof RejectedError && error.code === 'PERMISSION_DENIED')) throw error;
  }
  return client;
}
