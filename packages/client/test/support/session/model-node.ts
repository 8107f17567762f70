import type {
  AttachOutcome,
  CommandOutcome,
  CommandRequest,
  FrameDisposition,
  FrameTransaction,
  FrameTransactionState,
} from '@nervix/protocol/session';

interface ModelTransaction {
  readonly id: string;
  readonly domain: string;
  state: FrameTransactionState['t'];
  readonly operations: string[];
  /** The session that holds it. */
  holder: object | undefined;
}

type Outcome = Omit<CommandOutcome, 't' | 'origin'>;

const PREVIEW_BYTES = new Uint8Array(32).fill(7);

/**
 * The control plane behind sessions in a few lines: commands take effect once per reference, and a
 * session that is bound to a transaction appends to it. Sessions are any objects.
 */
export class ModelNode {
  /** Statements that took effect, in order. */
  readonly effects: string[] = [];
  readonly transactions: Map<string, ModelTransaction> = new Map();
  /** References under which each text came. */
  readonly references: Map<string, Set<string>> = new Map();
  readonly #records: Map<string, Outcome> = new Map();

  command(session: object, request: CommandRequest): CommandOutcome {
    const { execution_reference: reference, query } = request;
    const known = this.references.get(query) ?? new Set();
    this.references.set(query, known.add(reference));
    const record = this.#records.get(reference);
    if (record !== undefined) return { t: 'CommandOutcome', origin: 'Recovered', ...record };
    const outcome = this.#run(session, request);
    // What is turned away before admission leaves no record.
    if (outcome.disposition.t === 'CommandCompleted') this.#records.set(reference, outcome);
    return { t: 'CommandOutcome', origin: 'Executed', ...outcome };
  }

  attach(session: object, id: string): AttachOutcome {
    const transaction = this.transactions.get(id);
    const answer = (disposition: AttachOutcome['disposition'], message: string): AttachOutcome => {
      return { t: 'AttachOutcome', disposition, message, diagnostics: [] };
    };
    if (transaction === undefined) {
      return answer({ t: 'RequestFailed', code: 'NOT_FOUND' }, `transaction '${id}' is unknown`);
    }
    const status = statusOf(transaction);
    if (transaction.state !== 'Open') {
      return answer({ t: 'TransactionAlreadyFinished', transaction: status }, 'finished');
    }
    this.release(session);
    transaction.holder = session;
    return answer({ t: 'TransactionAttached', transaction: status }, 'attached');
  }

  /** Forgets what a session holds. */
  release(session: object): void {
    const held = this.#heldBy(session);
    if (held !== undefined) held.holder = undefined;
  }

  /** Ends a session as its client asked for: its transaction is given up. */
  closeCleanly(session: object): void {
    const held = this.#heldBy(session);
    if (held?.state === 'Open') held.state = 'Reverted';
    this.release(session);
  }

  #run(session: object, request: CommandRequest): Outcome {
    const { query, expected_transaction_position: position } = request;
    const verb = query.replace(/;$/, '').trim().toUpperCase();
    const held = this.#heldBy(session);
    if (verb === 'BEGIN') return this.#begin(session, request);
    if (held === undefined) return this.#runUnbound(request, verb);
    if (verb === 'COMMIT' || verb === 'REVERT') {
      held.state = verb === 'COMMIT' ? 'Committed' : 'Reverted';
      held.holder = undefined;
      if (verb === 'COMMIT') this.effects.push(...held.operations);
      return { ...done(request, `done: ${verb}`), transaction: statusOf(held) };
    }
    if (position !== BigInt(held.operations.length)) {
      const code = 'POSITION_CHANGED';
      return { ...answered(request, { t: 'RequestFailed', code }, 'moved'), ...held };
    }
    held.operations.push(query);
    const operation = BigInt(held.operations.length);
    const preview = { transaction_id: held.id, position: operation, planning_basis: PREVIEW_BYTES };
    return {
      ...done(request, `queued: ${query}`),
      transaction: statusOf(held),
      transaction_admission: { operation, preview },
    };
  }

  #begin(session: object, request: CommandRequest): Outcome {
    const id = request.execution_reference;
    const domain = request.domain ?? '';
    const begun = { id, domain, state: 'Open', operations: [], holder: session } as const;
    this.transactions.set(id, { ...begun, operations: [] });
    return { ...done(request, `transaction started: id '${id}'`), transaction: statusOf(begun) };
  }

  #runUnbound(request: CommandRequest, verb: string): Outcome {
    const isOfTransaction =
      request.expected_transaction_position !== undefined || verb === 'COMMIT' || verb === 'REVERT';
    if (isOfTransaction) {
      const disposition = { t: 'TransactionDetached', transaction_id: 'any' } as const;
      return answered(request, disposition, 'no transaction is attached to this session');
    }
    if (/\bbad\b/.test(request.query)) {
      return answered(request, { t: 'RequestFailed', code: 'INVALID_MODEL' }, 'it is bad');
    }
    this.effects.push(request.query);
    return done(request, `done: ${request.query}`);
  }

  #heldBy(session: object): ModelTransaction | undefined {
    return [...this.transactions.values()].find(({ holder }) => holder === session);
  }
}

function statusOf(
  transaction: Omit<ModelTransaction, 'operations' | 'holder'> & {
    readonly operations: readonly string[];
  },
): FrameTransaction {
  const { id, domain, state, operations } = transaction;
  const accepted = BigInt(operations.length);
  return {
    id,
    domain,
    state: { t: state },
    accepted_operations: accepted,
    applied_operations: state === 'Committed' ? accepted : 0n,
  };
}

function answered(
  { execution_reference }: CommandRequest,
  disposition: FrameDisposition,
  message: string,
): Outcome {
  return { execution_reference, disposition, message, diagnostics: [] };
}

function done(request: CommandRequest, message: string): Outcome {
  return answered(request, { t: 'CommandCompleted', already_existed: false }, message);
}
