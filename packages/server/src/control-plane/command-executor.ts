import type { RelocationStatement, SourceSpan } from '@nervix/model';
import type { ParsedStatement } from '@nervix/nspl-parser';
import { isQueueable, type QueueableStatement } from '@nervix/planner';
import type {
  CommandRequest,
  Inspection,
  PreviewIdentity,
  TransactionStatus,
} from '@nervix/protocol';
import { referenceKey } from '../replicated-state/record-keys.js';
import type { DomainRecord, TransactionRecord } from '../replicated-state/records.js';
import { isSameUser } from '../replicated-state/user-identity.js';
import {
  ALWAYS_ADMITTED,
  admittedContext,
  type CommandAdmission,
  WithdrawnError,
} from './command-admission.js';
import { commandReply, NOT_ATTACHED, reject } from './command-reply.js';
import { createDomain } from './commands/create-domain.js';
import { createResource } from './commands/create-resource.js';
import { dropDomain } from './commands/drop-domain.js';
import { activateFeatureLevel } from './commands/feature-level.js';
import { rebalance, relocate } from './commands/move-work.js';
import { administerNode } from './commands/node-administration.js';
import { removeSecret } from './commands/secrets/remove-secret.js';
import { alterUser } from './commands/users/alter-user.js';
import { createUser } from './commands/users/create-user.js';
import { dropUser } from './commands/users/drop-user.js';
import type { ControlContext } from './control-context.js';
import type { CommandReply, CommandSession, Principal } from './control-plane.js';
import { ExecutionHistory, type RecordedExecution } from './execution-history.js';
import { contentDigest, newReference } from './execution-reference.js';
import { withSecretRemarks } from './literal-secrets.js';
import { notExecuted } from './not-executed.js';
import { failed, type Outcome } from './outcome.js';
import type { StatementReader } from './reads/statement-reader.js';
import { redactedPassword } from './redacted-password.js';
import { requestLimitRefusal } from './request-limits.js';
import { groupingRefusal, isTransactionRead, readStatements } from './request-statements.js';
import { digestedText, statementReference } from './statement-identity.js';
import { definiteRefusal, storageFailureOutcome } from './storage-failure.js';
import type { ReferencedCommand, Submission } from './submission.js';
import { appendOperation, notQueueable } from './transactions/append.js';
import { beginTransaction } from './transactions/begin.js';
import type { CommitDriver } from './transactions/commit.js';
import { expectedPreview } from './transactions/expected-preview.js';
import { placedInRequest } from './transactions/operation-faults.js';
import { revertTransaction } from './transactions/revert.js';
import type { TransactionHolder } from './transactions/transaction-bindings.js';
import { transactionStatus, unknownTransaction } from './transactions/transaction-states.js';

/** What one request works on, as its statements run. */
interface RequestState {
  readonly principal: Principal;
  readonly reference: string;
  readonly domain: string | null;
  transaction: string | null;
  /** Position the caller expects, or null; moves with the request's own appends. */
  expectedPosition: number | null;
  /** Where the request's own appends stand in its text, by their numbers. */
  readonly operations: Map<number, SourceSpan>;
  /** The preview that the request names, or null. */
  readonly expectedPreview: PreviewIdentity | null;
  /** Whether the request has changed its transaction, so that no preview can stand for it. */
  isChanging: boolean;
  /** The report that the request read. */
  inspection: Inspection | undefined;
  isRecovered: boolean;
  readonly holder: TransactionHolder;
  readonly admission: CommandAdmission;
}

const UNDECIDED = failed(
  'OUTCOME_UNKNOWN',
  'the log refused a later write of the command; the outcome is unknown',
);

/** Takes NSPL requests apart and runs their statements in written order. */
export class CommandExecutor {
  readonly #context: ControlContext;
  readonly #reader: StatementReader;
  readonly #commits: CommitDriver;
  readonly #history: ExecutionHistory;
  readonly #running = new Set<Promise<CommandReply>>();
  #beginsUnderWay = 0;

  constructor(context: ControlContext, reader: StatementReader, commits: CommitDriver) {
    this.#context = context;
    this.#reader = reader;
    this.#commits = commits;
    this.#history = new ExecutionHistory(context);
  }

  get history(): ExecutionHistory {
    return this.#history;
  }

  /**
   * Runs a request; never rejects for a refusal.
   *
   * @throws WithdrawnError when its session withdrew it before it had any effect
   */
  async execute(
    request: CommandRequest,
    principal: Principal,
    session?: CommandSession,
  ): Promise<CommandReply> {
    const run = this.#execute(request, principal, session);
    this.#running.add(run);
    try {
      return await run;
    } finally {
      this.#running.delete(run);
    }
  }

  /** Runs a command of another API than NSPL; never rejects for a refusal. */
  async carryOut(
    command: ReferencedCommand,
    perform: (context: ControlContext) => Promise<Outcome>,
  ): Promise<CommandReply> {
    const context = admittedContext(this.#context, command.admission);
    const run = this.#run(command, () => perform(context)).then(({ outcome, isRecovered }) => {
      const end = { reference: command.reference, inspection: undefined, status: undefined };
      return commandReply({ ...end, isRecovered }, [outcome], false);
    });
    this.#running.add(run);
    try {
      return await run;
    } finally {
      this.#running.delete(run);
    }
  }

  /** Resolves when every request that had begun has its outcome, whoever still waits for it. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.#running]);
  }

  async #execute(
    request: CommandRequest,
    principal: Principal,
    session: CommandSession | undefined,
  ): Promise<CommandReply> {
    const reference = (
      request.execution_reference ?? newReference(this.#context.nowMs())
    ).toLowerCase();
    const reading = readStatements(request.query);
    if (reading.kind === 'refused') return reject(reading.error, reference);
    const { statements, first } = reading;
    const transaction =
      session === undefined
        ? (request.transaction?.toLowerCase() ?? null)
        : (session.attached ?? this.#recordedTransaction(reference, statements, principal));
    const isTransactional = transaction !== null || first.statement.kind === 'begin';
    const grouping = groupingRefusal(statements, isTransactional);
    if (grouping !== undefined) return reject(grouping, reference);
    const excess = requestLimitRefusal(statements, this.#context.limits, isTransactional);
    if (excess !== undefined) return reject(excess, reference);
    if (session !== undefined && !isTransactional && expectsPosition(request)) {
      return reject(NOT_ATTACHED, reference);
    }
    const state: RequestState = {
      principal,
      reference,
      domain: request.domain?.toLowerCase() ?? null,
      transaction,
      expectedPosition: request.expected_transaction_position ?? null,
      operations: new Map(),
      expectedPreview: request.expected_preview ?? null,
      isChanging: false,
      inspection: undefined,
      isRecovered: false,
      holder: session?.holder ?? { kind: 'request' },
      admission: session?.admission ?? ALWAYS_ADMITTED,
    };
    const outcomes: Outcome[] = [];
    for (const [index, statement] of statements.entries()) {
      const outcome = await this.#runStatement(state, statement, index, statements.length);
      outcomes.push(outcome);
      if (outcome.kind === 'failed') break;
    }
    return commandReply({ ...state, status: this.#status(state) }, outcomes, statements.length > 1);
  }

  async #runStatement(
    request: RequestState,
    parsed: ParsedStatement,
    index: number,
    count: number,
  ): Promise<Outcome> {
    const { statement } = parsed;
    const refusal = redactedPassword(parsed);
    if (refusal !== undefined) return refusal;
    const isTransactional = request.transaction !== null || statement.kind === 'begin';
    const isBeside = isTransactionRead(parsed);
    if (isBeside || (!isTransactional && this.#reader.isRead(statement))) {
      const { outcome, inspection } = await this.#reader.read(request, parsed);
      request.inspection = inspection;
      return outcome;
    }
    const expected = expectedPreview(request, statement);
    if (expected === 'contradiction') {
      const message = 'the preview that the statement expects is none, or not that of the request';
      return failed('INVALID_REQUEST', message, [{ message, span: { ...parsed.span } }]);
    }
    const submission: Submission = {
      owner: request.principal,
      domain: request.domain,
      parsed,
      reference: count === 1 ? request.reference : statementReference(request.reference, index),
      transaction: request.transaction,
      expectedPosition: request.expectedPosition,
      digest: contentDigest(digestedText(parsed, isTransactional)),
      operations: request.operations,
      expectedPreview: expected,
      holder: request.holder,
      admission: request.admission,
    };
    const execution = await this.#run(submission, () =>
      isTransactional ? this.#runInTransaction(submission) : this.#runAlone(submission),
    );
    request.isRecovered ||= execution.isRecovered;
    if (execution.outcome.kind === 'completed') {
      if (statement.kind === 'begin') {
        this.#bind(submission, execution.isRecovered);
        request.transaction = submission.reference;
        request.expectedPosition = 0;
        request.isChanging = true;
      } else if (isQueueable(statement)) {
        if (request.expectedPosition !== null) request.expectedPosition += 1;
        request.isChanging = true;
        this.#noteOperation(request, submission);
      }
    }
    return withSecretRemarks(execution.outcome, parsed);
  }

  /**
   * The transaction that an earlier request with this reference worked on: a session that is
   * attached to none any more still gets that outcome.
   */
  #recordedTransaction(
    reference: string,
    { length }: readonly ParsedStatement[],
    principal: Principal,
  ): string | null {
    const first = length === 1 ? reference : statementReference(reference, 0);
    const record = this.#context.state.reference(first);
    if (record === undefined || !isSameUser(record.owner, principal)) return null;
    return record.transaction;
  }

  /** Who begins a transaction has it; who only asks again does unless somebody else works on it. */
  #bind({ reference, holder }: Submission, isRecovered: boolean): void {
    const { bindings } = this.#context;
    if (!isRecovered || !bindings.isBound(reference)) bindings.bind(reference, holder);
  }

  /** Others may append to the same transaction: the number is known by the append's reference. */
  #noteOperation(
    { operations }: RequestState,
    { transaction, reference, parsed }: Submission,
  ): void {
    const accepted = this.#context.state.operations(transaction ?? '');
    const own = accepted.find((operation) => operation.reference === reference);
    if (own !== undefined) operations.set(own.number, parsed.span);
  }

  /** A failure of the log is an answer; anything else unforeseen is a fault of the node. */
  async #run(
    submission: ReferencedCommand,
    perform: () => Promise<Outcome>,
  ): Promise<RecordedExecution> {
    const { log, state } = this.#context;
    if (log.status().failure !== undefined && state.reference(submission.reference) === undefined) {
      const message = 'the store failed; this node takes no more changes';
      return { outcome: failed('STORAGE_FAILED', message), isRecovered: false };
    }
    try {
      const execution = await this.#history.run(submission, perform);
      await this.#untilInForce(submission, execution);
      return execution;
    } catch (error) {
      if (error instanceof WithdrawnError) throw error;
      const outcome = storageFailureOutcome(error);
      if (outcome === undefined) throw error;
      // What the log cannot take is no failure of it.
      if (definiteRefusal(error) === undefined) {
        const facts = { execution_reference: submission.reference };
        this.#context.logger.error('a command met a failure of the log', facts, error);
      }
      const isDefinite = !this.#hasWritten(submission);
      return { outcome: isDefinite ? outcome : UNDECIDED, isRecovered: false };
    }
  }

  /**
   * Whoever asks another node next is to find what this one answers. What is recorded is told in
   * any case, also by a node that cannot know any more who has come to see it.
   */
  async #untilInForce(
    { reference }: ReferencedCommand,
    { isRecovered }: RecordedExecution,
  ): Promise<void> {
    const { state, effects } = this.#context;
    const revision = state.revisionOf(referenceKey(reference));
    if (revision === 0) return;
    try {
      await effects.inForce(revision, state.reference(reference)?.domain ?? null);
    } catch (error) {
      if (!isRecovered) throw error;
    }
  }

  /** Whether a write of a command that failed was applied before the one that was refused. */
  #hasWritten({ reference, transaction, parsed }: ReferencedCommand): boolean {
    const { state } = this.#context;
    if (state.reference(reference) !== undefined) return true;
    if (state.execution(reference) !== undefined) return true;
    const isCommit = parsed?.statement.kind === 'commit';
    return isCommit && state.transaction(transaction ?? '')?.state === 'COMMITTING';
  }

  async #runAlone(submission: Submission): Promise<Outcome> {
    const { statement } = submission.parsed;
    const context = admittedContext(this.#context, submission.admission);
    switch (statement.kind) {
      case 'create_domain':
        return createDomain(context, submission, statement);
      case 'drop_domain':
        return dropDomain(context, submission, statement);
      case 'create_user':
        return createUser(context, submission, statement);
      case 'alter_user':
        return alterUser(context, submission, statement);
      case 'drop_user':
        return dropUser(context, submission, statement);
      case 'commit':
      case 'revert':
        return failed(
          'TRANSACTION_STATE',
          `${statement.kind.toUpperCase()} requires an active transaction`,
        );
      case 'cordon_node':
      case 'uncordon_node':
      case 'drain_node':
      case 'drop_node':
        return administerNode(context, submission, statement);
      case 'alter_cluster':
        return activateFeatureLevel(context, submission, statement);
      case 'rebalance':
        return rebalance(context, submission, statement);
      case 'drop_secret': {
        const domain = this.#selectedDomain(submission.domain);
        if (domain.kind !== 'domain') return domain;
        return removeSecret(context, submission, { domain: domain.name, name: statement.name });
      }
      case 'create_resource': {
        const domain = this.#selectedDomain(submission.domain);
        if (domain.kind !== 'domain') return domain;
        return createResource(context, submission, domain, statement);
      }
      default:
        return statement.kind === 'relocate' || isQueueable(statement)
          ? this.#runInDomain(submission, statement)
          : notExecuted(submission.parsed);
    }
  }

  async #runInDomain(
    submission: Submission,
    statement: QueueableStatement | RelocationStatement,
  ): Promise<Outcome> {
    const domain = this.#selectedDomain(statedDomain(statement) ?? submission.domain);
    if (domain.kind !== 'domain') return domain;
    if (isQueueable(statement)) return this.#commits.commands.change(submission, domain, statement);
    const context = admittedContext(this.#context, submission.admission);
    return relocate(context, submission, domain, statement);
  }

  async #runInTransaction(submission: Submission): Promise<Outcome> {
    const { statement } = submission.parsed;
    const context = admittedContext(this.#context, submission.admission);
    if (statement.kind === 'begin') {
      if (submission.transaction !== null) {
        return failed('TRANSACTION_STATE', 'transaction is already active');
      }
      const domain = this.#selectedDomain(submission.domain);
      return domain.kind === 'domain' ? this.#begin(submission, domain) : domain;
    }
    const id = submission.transaction ?? '';
    const isEnd = statement.kind === 'commit' || statement.kind === 'revert';
    if (!isEnd && submission.expectedPosition === null) return missingPosition();
    const record = this.#context.state.transaction(id);
    if (record === undefined) return unknownTransaction(id);
    const foreign = foreignOwner(record, submission);
    // What is no content of any transaction is so of that of another user, too.
    if (isEnd && foreign !== undefined) return foreign;
    const displaced = this.#displaced(submission, record);
    if (displaced !== undefined) return displaced;
    if (statement.kind === 'commit') {
      // One that is under way goes on, whoever joins it.
      if (record.state !== 'OPEN' && !submission.admission.admit()) throw new WithdrawnError();
      const expected = submission.expectedPreview;
      const outcome = await this.#commits.commit(record, { submission, expected });
      return placedInRequest(outcome, submission.operations);
    }
    if (statement.kind === 'revert') return revertTransaction(context, submission, record);
    if (!isQueueable(statement)) return notQueueable(statement);
    const named = statedDomain(statement) ?? submission.domain ?? record.domain;
    const domain = this.#selectedDomain(named);
    if (domain.kind !== 'domain') return domain;
    if (foreign !== undefined) return foreign;
    if (domain.name !== record.domain) return boundElsewhere(record, domain);
    return appendOperation(context, submission, { record, domain, statement });
  }

  /** A request that names a transaction takes it over; a session needs to have it. */
  #displaced(
    { holder, owner }: Submission,
    { id, owner: own }: TransactionRecord,
  ): Outcome | undefined {
    const { bindings } = this.#context;
    if (holder.kind === 'session') return bindings.refusal(id, holder);
    if (isSameUser(own, owner)) bindings.bind(id, holder);
    return undefined;
  }

  async #begin(submission: Submission, domain: DomainRecord): Promise<Outcome> {
    const underWay = this.#beginsUnderWay;
    this.#beginsUnderWay += 1;
    try {
      const context = admittedContext(this.#context, submission.admission);
      return await beginTransaction(context, submission, domain, underWay);
    } finally {
      this.#beginsUnderWay -= 1;
    }
  }

  #status({ transaction }: RequestState): TransactionStatus | undefined {
    const record = this.#context.state.transaction(transaction ?? '');
    return record === undefined ? undefined : transactionStatus(record);
  }

  #selectedDomain(name: string | null): DomainRecord | Outcome {
    if (name === null) return failed('NO_DOMAIN_SELECTED', 'no active domain selected');
    const domain = this.#context.state.domain(name);
    return domain ?? failed('NOT_FOUND', `domain '${name}' does not exist`);
  }
}

/** Whoever adds a statement says where, so that none comes behind one that it has not seen. */
function missingPosition(): Outcome {
  return failed('INVALID_REQUEST', 'transaction command is missing its expected queue position');
}

function foreignOwner(record: TransactionRecord, { owner }: Submission): Outcome | undefined {
  if (isSameUser(record.owner, owner)) return undefined;
  return failed('PERMISSION_DENIED', `transaction '${record.id}' belongs to another user`);
}

function boundElsewhere(record: TransactionRecord, domain: DomainRecord): Outcome {
  return failed(
    'TRANSACTION_STATE',
    `transaction '${record.id}' is bound to domain '${record.domain}'; ` +
      `the statement selected domain '${domain.name}'`,
  );
}

/** Only the next statement of a transaction has a place in it. */
function expectsPosition({ expected_transaction_position }: CommandRequest): boolean {
  return expected_transaction_position !== undefined;
}

/** The domain that a statement names itself. */
function statedDomain(statement: QueueableStatement | RelocationStatement): string | undefined {
  return statement.kind === 'reset_wasm_processor' ? statement.domain : undefined;
}
