import type { CommitStatement, DescribeTransactionStatement, Statement } from '@nervix/model';
import type { CommandOutcome, DomainEntry } from '@nervix/protocol';
import type { Client, ExecuteOptions } from '../client.js';
import { RejectedError } from '../errors.js';
import type { Suggestion, SuggestOptions } from '../suggestions.js';
import { type CommitOptions, isFinished, type Transaction } from '../transaction.js';
import { localRefusal } from './command-line-error.js';
import type { Output, StatementPlace } from './output.js';
import type { ScriptStatement } from './parsed-script.js';
import { SessionSubscriptions } from './session-subscriptions.js';
import type { SourceText } from './source-report.js';
import { type UploadContext, uploadFolder } from './upload-command.js';

const revertTimeoutMs = 10_000;

/** What the prompt shows of the transaction. */
export type TransactionPhase = 'none' | 'open' | 'committing';

/** Options of running one statement. */
export interface RunOptions {
  readonly source: SourceText;
  readonly executionReference?: string;
  readonly signal?: AbortSignal;
}

/** Prints the list of domains. */
export async function printDomains(output: Output, domains: readonly DomainEntry[]): Promise<void> {
  const lines = domains.map(({ domain, status }) => `${domain} ${status}`);
  await output.result(lines.join('\n'), { domains });
}

/** One user's dialogue: the selected domain, the open transaction and the subscriptions. */
export class Session {
  readonly #client: Client;
  readonly #output: Output;
  readonly #subscriptions: SessionSubscriptions;
  #domain: string;
  #transaction: Transaction | undefined;
  /** Whether another session holds the transaction. It is this one's until the user reverts it here. */
  #isTakenOver = false;
  /** Statements behind the operations of the last transaction, by their numbers. */
  readonly #operations = new Map<number, StatementPlace>();

  constructor(client: Client, output: Output, domain: string) {
    this.#client = client;
    this.#output = output;
    this.#domain = domain;
    this.#subscriptions = new SessionSubscriptions(client, output);
  }

  get domain(): string {
    return this.#domain;
  }

  get transactionPhase(): TransactionPhase {
    if (this.#transaction === undefined) return 'none';
    return this.#transaction.state === 'Committing' ? 'committing' : 'open';
  }

  /** Where a statement of this session stands, for the report of its failure. */
  placeOf({ span }: ScriptStatement, source: SourceText): StatementPlace {
    return { source, span, operations: this.#operations };
  }

  /** Runs one statement and prints its result; a failure is thrown. */
  async run(script: ScriptStatement, options: RunOptions): Promise<void> {
    const { statement } = script;
    switch (statement.kind) {
      case 'use':
        this.#refuseInTransaction('USE');
        this.#domain = statement.domain;
        await this.#output.result(`using domain '${this.#domain}'`, { domain: this.#domain });
        return;
      case 'list_domains':
        this.#refuseInTransaction('LIST DOMAINS');
        await printDomains(this.#output, await this.#client.domains(signalOf(options)));
        return;
      case 'upload_resource': {
        this.#refuseInTransaction('UPLOAD RESOURCE');
        const { resource, directory: folder } = statement;
        const kept = identityOf(options);
        await uploadFolder({ resource, folder, ...kept }, this.#uploadContext(options));
        return;
      }
      case 'attach_transaction':
        await this.#attach(statement.transaction, options);
        return;
      case 'create_subscription':
        this.#refuseInTransaction('CREATE SUBSCRIPTION');
        await this.#subscriptions.open(statement, {
          domain: this.#domain,
          ...signalOf(options),
        });
        return;
      case 'delete_subscription':
        this.#refuseInTransaction('DELETE SUBSCRIPTION');
        await this.#subscriptions.close(statement.name, this.#domain);
        return;
      default:
        if (statement.kind === 'revert' && this.#isTakenOver && this.#transaction !== undefined) {
          await this.#leave(this.#transaction);
          return;
        }
        await this.#printOutcome(await this.#send(script, options), script, options);
    }
  }

  /** Completes a text as the open transaction would read it, or else as anybody would. */
  suggest(options: SuggestOptions): Promise<readonly Suggestion[]> {
    const source = this.#transaction ?? this.#client;
    return source.suggest({ domain: this.#domain, ...options });
  }

  /** Closes the subscriptions and gives an open transaction up. */
  async end(): Promise<void> {
    await this.#subscriptions.closeAll();
    await this.revertOpenTransaction();
  }

  /**
   * Reverts the open transaction, if there is one. A commit whose outcome is unknown is left alone.
   *
   * @returns whether a transaction was open
   */
  async revertOpenTransaction(): Promise<boolean> {
    const transaction = this.#transaction;
    if (transaction === undefined) return false;
    this.#transaction = undefined;
    if (this.#isTakenOver) {
      transaction.abandon();
      await this.#output.notice(`transaction ${transaction.id} is left to another session`);
      return true;
    }
    if (transaction.state === 'Committing') {
      transaction.abandon();
      await this.#output.notice(`transaction ${transaction.id} is left: its commit is unsettled`);
      return true;
    }
    try {
      await transaction.revert({ signal: AbortSignal.timeout(revertTimeoutMs) });
      await this.#output.notice(`reverted transaction ${transaction.id}`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      transaction.abandon();
      await this.#output.notice(`could not revert transaction ${transaction.id}: ${reason}`);
    }
    return true;
  }

  /** Takes a transaction up and adopts its domain; one that is open here is left to others. */
  async #attach(id: string, options: RunOptions): Promise<void> {
    const transaction = await this.#client.attachTransaction(id, signalOf(options));
    const previous = this.#transaction;
    previous?.abandon();
    if (previous !== undefined && previous.id !== transaction.id) {
      await this.#output.notice(`transaction ${previous.id} stays open`);
    }
    this.#transaction = transaction;
    this.#isTakenOver = false;
    this.#domain = transaction.domain;
    this.#operations.clear();
    const { domain, position: accepted_operations, state } = transaction;
    const document = { transaction: { id: transaction.id, domain, state, accepted_operations } };
    await this.#output.result(`attached transaction '${transaction.id}'`, document);
  }

  async #send(script: ScriptStatement, options: RunOptions): Promise<CommandOutcome> {
    try {
      return await this.#dispatch(script, options);
    } catch (error) {
      // What is still typed or piped for it must not run outside of it, so it is not let go of yet.
      if (error instanceof RejectedError && error.code === 'TRANSACTION_TAKEN_OVER') {
        this.#isTakenOver = true;
      }
      throw error;
    }
  }

  /** Lets go of a transaction that another session holds. */
  async #leave(transaction: Transaction): Promise<void> {
    transaction.abandon();
    this.#transaction = undefined;
    this.#isTakenOver = false;
    const text = `left transaction '${transaction.id}', which another session holds`;
    await this.#output.result(text, { transaction: { id: transaction.id } });
  }

  async #dispatch(script: ScriptStatement, options: RunOptions): Promise<CommandOutcome> {
    const { statement, query } = script;
    const transaction = this.#transaction;
    if (statement.kind === 'begin' && transaction === undefined) {
      const begun = await this.#client.begin(this.#domain, this.#executeOptions(options));
      this.#transaction = begun.transaction;
      this.#operations.clear();
      return begun.outcome;
    }
    // Reads of other transactions run beside the open one, and without one the server is asked.
    if (transaction === undefined || isBeside(statement, transaction)) {
      return this.#client.execute(query, {
        domain: this.#domain,
        ...this.#executeOptions(options),
      });
    }
    if (statement.kind === 'describe_transaction' && isAbout(statement, transaction)) {
      return transaction.describe(query, signalOf(options));
    }
    if (statement.kind === 'begin') {
      throw localRefusal('TRANSACTION_STATE', `transaction ${transaction.id} is already open`);
    }
    if (statement.kind !== 'commit' && statement.kind !== 'revert') {
      const outcome = await transaction.append(query, signalOf(options));
      const { source } = options;
      this.#operations.set(transaction.position, { source, span: script.span });
      return outcome;
    }
    try {
      return statement.kind === 'commit'
        ? await transaction.commit({ ...signalOf(options), ...writtenPreview(statement) })
        : await transaction.revert(signalOf(options));
    } finally {
      if (isFinished(transaction.state)) this.#transaction = undefined;
    }
  }

  #uploadContext(options: RunOptions): UploadContext {
    const { domain } = this;
    return { client: this.#client, output: this.#output, domain, ...signalOf(options) };
  }

  #executeOptions(options: RunOptions): Pick<ExecuteOptions, 'executionReference' | 'signal'> {
    return {
      ...signalOf(options),
      ...(options.executionReference === undefined
        ? {}
        : { executionReference: options.executionReference }),
    };
  }

  async #printOutcome(
    outcome: CommandOutcome,
    script: ScriptStatement,
    options: RunOptions,
  ): Promise<void> {
    await this.#output.result(outcome.message, outcome);
    await this.#output.warnings(outcome.diagnostics, this.placeOf(script, options.source));
  }

  #refuseInTransaction(statement: string): void {
    if (this.#transaction === undefined) return;
    throw localRefusal(
      'TRANSACTION_STATE',
      `${statement} is not possible while transaction ${this.#transaction.id} is open`,
    );
  }
}

/** Whether a statement is about the open transaction itself. */
function isAbout(
  { transaction: named }: DescribeTransactionStatement,
  { id }: Transaction,
): boolean {
  return named === null || named.toLowerCase() === id;
}

/** The preview that a statement names by itself. */
function writtenPreview({ expect }: CommitStatement): Pick<CommitOptions, 'preview'> {
  if (expect === null) return {};
  const { id, position, basis } = expect;
  const identity = { transaction_id: id.toLowerCase(), position: Number(position) };
  return { preview: { ...identity, planning_basis: basis } };
}

function isBeside(statement: Statement, transaction: Transaction): boolean {
  if (statement.kind === 'describe_transaction') return !isAbout(statement, transaction);
  return statement.kind === 'show_transactions';
}

/** An upload is named by what other statements are referred to with. */
function identityOf({ executionReference: identity }: RunOptions): { readonly identity?: string } {
  return identity === undefined ? {} : { identity };
}

function signalOf(options: RunOptions): { readonly signal?: AbortSignal } {
  return options.signal === undefined ? {} : { signal: options.signal };
}
