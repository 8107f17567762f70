import { planningBasis, type RefusedTransaction, type TransactionPlan } from '@nervix/planner';
import type { PreviewIdentity, StalePreview } from '@nervix/protocol';
import { NOTHING_ADMITTED } from '@nervix/runtime/data-plane';
import { transactionKey } from '../../replicated-state/record-keys.js';
import type {
  DomainRecord,
  OperationRecord,
  TransactionFault,
  TransactionRecord,
} from '../../replicated-state/records.js';
import type { ControlContext } from '../control-context.js';
import { ownerText } from '../domain-locks.js';
import { modelsAfter } from '../execution/step-effect.js';
import { failed, type Outcome } from '../outcome.js';
import { type Capture, capture } from '../planning/capture.js';
import { planStatements } from '../planning/plan-statements.js';
import { referenceRecord, type Submission } from '../submission.js';
import { freeze } from './frozen-plan.js';
import { refusalFault } from './operation-faults.js';
import { archivePreview, isSamePreview, previewIdentity } from './stored-preview.js';
import {
  finished,
  finishedOutcome,
  isOverdue,
  notOpen,
  touched,
  unknownTransaction,
} from './transaction-states.js';
import { transactionFence, writeTransaction } from './transaction-write.js';

/** A COMMIT as it was sent. */
export interface CommitRequest {
  readonly submission: Submission;
  /** The preview that it names, or null. */
  readonly expected: PreviewIdentity | null;
}

/** A transaction whose plan is frozen, or the outcome of a COMMIT that was not admitted. */
export type Admission =
  | { readonly kind: 'admitted'; readonly record: TransactionRecord }
  | { readonly kind: 'decided'; readonly outcome: Outcome };

/** How often an admission is planned again because what it was planned from changed meanwhile. */
const ATTEMPTS_MAX = 16;

/** What one attempt to admit a transaction works on, all of one moment. */
interface Attempt {
  readonly record: TransactionRecord;
  readonly operations: readonly OperationRecord[];
  readonly domain: DomainRecord;
  readonly base: Capture;
  readonly fence: ReturnType<typeof transactionFence>;
}

/**
 * Admits the commit of an open transaction: fenced by the preview that it names or else by the
 * latest one, planned whole, and frozen together with its plan in one write. Whatever does not fit
 * leaves the transaction open; only a candidate that is incomplete by itself ends it.
 */
export class CommitAdmission {
  readonly #context: ControlContext;
  readonly #request: CommitRequest;

  /** The domain that a check left engaged. */
  #engaged: string | undefined;

  constructor(context: ControlContext, request: CommitRequest) {
    this.#context = context;
    this.#request = request;
  }

  async admit(id: string): Promise<Admission> {
    let isAdmitted = false;
    try {
      const admission = await this.#admit(id);
      isAdmitted = admission.kind === 'admitted';
      return admission;
    } finally {
      // What was only asked for holds nothing; an admitted commit engages anew.
      const engaged = this.#engaged;
      if (!isAdmitted && engaged !== undefined) await this.#context.effects.release(engaged);
    }
  }

  async #admit(id: string): Promise<Admission> {
    for (let count = 1; count <= ATTEMPTS_MAX; count += 1) {
      const attempt = this.#begin(id);
      if ('kind' in attempt) return attempt;
      const admission = await this.#attempt(attempt);
      if (admission !== 'raced') return admission;
    }
    return decided(inputsChanged(id, 'they change all the time'));
  }

  #begin(id: string): Attempt | Admission {
    const { state, nowMs } = this.#context;
    const record = state.transaction(id);
    if (record === undefined) return decided(unknownTransaction(id));
    if (record.state !== 'OPEN') return decided(finishedOutcome(record));
    if (isOverdue(record, nowMs())) return decided(notOpen(record, 'EXPIRED'));
    const domain = state.domain(record.domain);
    if (domain === undefined) {
      return decided(failed('NOT_FOUND', `domain '${record.domain}' does not exist`));
    }
    const lease = state.lease(record.domain);
    if (lease !== undefined) return decided(busy(record, ownerText(lease.owner)));
    const base = capture(this.#context, domain);
    const operations = state.operations(id);
    return { record, operations, domain, base, fence: transactionFence(this.#context, id) };
  }

  async #attempt(attempt: Attempt): Promise<Admission | 'raced'> {
    const { record, base } = attempt;
    const current: PreviewIdentity = {
      transaction_id: record.id,
      position: record.accepted,
      planning_basis: planningBasis(base.snapshot),
    };
    const expected = this.#request.expected ?? previewIdentity(record) ?? current;
    if (!isSamePreview(expected, current)) return this.#stale(attempt, { expected, current });
    const plan = await this.#plan(attempt, false);
    if (plan.kind === 'refused') return this.#unplannable(attempt, plan);
    const unready = await this.#validateOutside(attempt, plan);
    return unready === undefined ? this.#freeze(attempt, plan) : decided(unready);
  }

  #plan({ record, operations, base }: Attempt, allowsIncompleteRun: boolean) {
    const statements = operations.map(({ statement }) => statement);
    const options = { transactionId: record.id, allowsIncompleteRun };
    return planStatements(this.#context, base, statements, options);
  }

  /** The refreshed preview and the refusal that tells of it are one write. */
  async #stale(attempt: Attempt, stale: StalePreview): Promise<Admission | 'raced'> {
    const { record, fence } = attempt;
    const plan = await this.#plan(attempt, true);
    if (plan.kind === 'refused') return decided(operationFailed(plan, attempt));
    const message = staleText(record, stale);
    const diagnostics = [{ message, hint: staleHint(stale) }];
    const outcome: Outcome = { ...failed('PREVIEW_STALE', message, diagnostics), stale };
    if (isOverdue(record, this.#context.nowMs())) return decided(notOpen(record, 'EXPIRED'));
    const { preview, records: contents } = archivePreview(record.id, plan.report);
    const next = { ...record, preview };
    const reference = this.#recorded(outcome);
    const result = await writeTransaction(this.#context, fence, next, { contents, reference });
    return result.kind === 'raced' ? this.#raced(result.key, record.id) : decided(outcome);
  }

  async #unplannable(attempt: Attempt, refused: RefusedTransaction): Promise<Admission | 'raced'> {
    const { record, base, fence } = attempt;
    const outcome = operationFailed(refused, attempt);
    const again = await this.#plan(attempt, true);
    if (again.kind === 'refused' || again.report.completeness.status === 'COMPLETE') {
      return decided(outcome);
    }
    const error = faultOf(outcome, refused.refusals[0]?.operation ?? 1);
    const { preview, records: contents } = archivePreview(record.id, again.report);
    const nowMs = this.#context.nowMs();
    if (isOverdue(record, nowMs)) return decided(notOpen(record, 'EXPIRED'));
    const next = { ...finished(record, 'FAILED', nowMs), error, preview };
    const { fences } = base;
    const reference = this.#recorded(outcome);
    const command = { contents, fences, reference };
    const result = await writeTransaction(this.#context, fence, next, command);
    return result.kind === 'raced' ? this.#raced(result.key, record.id) : decided(outcome);
  }

  /** Asks the node, before anything is frozen, whether it will let the graph of a START run. */
  async #validateOutside(attempt: Attempt, plan: TransactionPlan): Promise<Outcome | undefined> {
    const { domain, base } = attempt;
    const index = plan.steps.findIndex(({ decision }) => decision.kind === 'start_domain');
    const start = plan.steps[index];
    if (start?.decision.kind !== 'start_domain' || domain.status !== 'stopped') return undefined;
    const before = plan.steps.slice(0, index).map(({ decision }) => decision);
    const transitions = before.flatMap((each) => (each.kind === 'models' ? each.transitions : []));
    const schedules = before.flatMap((each) =>
      'schedule' in each && each.schedule !== null ? [each.schedule] : [],
    );
    const { effects } = this.#context;
    const graph = await effects.compile({
      domain: { ...domain, status: 'running', generation: start.decision.startGeneration },
      models: modelsAfter(base, transitions),
      schedule: schedules.at(-1) ?? base.snapshot.schedule,
      admitted: NOTHING_ADMITTED,
    });
    const refusal = graph.kind === 'compiled' ? await effects.engage(graph) : graph;
    if (refusal === undefined) this.#engaged = domain.name;
    if (refusal?.kind !== 'failed') return undefined;
    const { first: operation } = start;
    const reason = `failed to start domain '${domain.name}': ${refusal.message}`;
    return failed(refusal.code, `transaction operation ${operation} failed: ${reason}`, [
      { message: reason, operation },
    ]);
  }

  async #freeze(attempt: Attempt, plan: TransactionPlan): Promise<Admission | 'raced'> {
    const { record, base, fence } = attempt;
    const { limits } = this.#context;
    // The instant that the write carries decides: planning may have taken past the deadline.
    const nowMs = this.#context.nowMs();
    if (isOverdue(record, nowMs)) return decided(notOpen(record, 'EXPIRED'));
    const frozen = freeze(record.id, plan, nowMs);
    const report = archivePreview(record.id, plan.report);
    const next: TransactionRecord = {
      ...touched(record, nowMs, limits.transactionIdleTimeoutMs),
      state: 'COMMITTING',
      // The plan holds all that its statements come to, in pieces that fit a log entry each.
      sourceBytes: 0,
      preview: report.preview,
      progress: frozen.progress,
    };
    const contents = [...frozen.records, ...report.records];
    const command = { contents, fences: base.fences };
    const result = await writeTransaction(this.#context, fence, next, command);
    if (result.kind === 'raced') return this.#raced(result.key, record.id);
    return { kind: 'admitted', record: next };
  }

  /** Other inputs are captured anew; a transaction that changed is for its owner to look at. */
  #raced(key: string, id: string): Admission | 'raced' {
    if (key !== transactionKey(id)) return 'raced';
    return decided(inputsChanged(id, 'the transaction changed'));
  }

  #recorded(outcome: Outcome) {
    return referenceRecord(this.#request.submission, outcome, this.#context.nowMs());
  }
}

function decided(outcome: Outcome): Admission {
  return { kind: 'decided', outcome };
}

/** Refusal of a commit whose domain somebody else holds. */
export function busy({ id, domain }: TransactionRecord, holder: string | undefined): Outcome {
  const message = `transaction '${id}' cannot mutate domain '${domain}' while it is owned by ${holder}`;
  return failed('DOMAIN_BUSY', message);
}

function inputsChanged(id: string, reason: string): Outcome {
  const what = `transaction '${id}' planning inputs changed before commit admission`;
  return failed('INPUTS_CHANGED', `${what}: ${reason}`);
}

function staleText({ id }: TransactionRecord, { expected, current }: StalePreview): string {
  const { position } = current;
  return expected.position === position
    ? `transaction '${id}' was planned from different inputs before this commit; it still holds ` +
        `${position} accepted operation(s) and nothing was applied`
    : `transaction '${id}' moved from ${expected.position} to ${position} accepted ` +
        'operation(s) before this commit; nothing was applied';
}

function staleHint({ current }: StalePreview): string {
  const { transaction_id: id, position, planning_basis: basis } = current;
  return (
    'DESCRIBE TRANSACTION shows what it would do now; ' +
    `COMMIT EXPECT '${id}' POSITION ${position} BASIS '${basis}' applies just that`
  );
}

function operationFailed(
  { refusals }: RefusedTransaction,
  { record: { accepted }, operations }: Attempt,
): Outcome {
  const { code, message, diagnostics } = refusalFault(refusals, { accepted, operations });
  const operation = refusals[0]?.operation ?? 1;
  return failed(code, `transaction operation ${operation} failed: ${message}`, diagnostics);
}

function faultOf(outcome: Outcome, operation: number): TransactionFault | null {
  if (outcome.kind !== 'failed') return null;
  const { code, message, diagnostics } = outcome;
  return { operation, code, message, diagnostics };
}
