import type { ParsedStatement } from '@nervix/nspl-parser';
import type { PreviewIdentity } from '@nervix/protocol';
import type { ExecutionRecord, ReferenceRecord } from '../replicated-state/records.js';
import type { UserIdentity } from '../replicated-state/user-identity.js';
import type { CommandAdmission } from './command-admission.js';
import type { Outcome } from './outcome.js';
import type { OperationSpans } from './transactions/operation-faults.js';
import type { TransactionHolder } from './transactions/transaction-bindings.js';

/** One statement on its way through the control plane. */
export interface Submission {
  readonly owner: UserIdentity;
  /** Selected domain, or null. */
  readonly domain: string | null;
  readonly parsed: ParsedStatement;
  readonly reference: string;
  readonly transaction: string | null;
  readonly expectedPosition: number | null;
  /** Digest of the content that the reference stands for. */
  readonly digest: string;
  /** What the request has appended before this statement. */
  readonly operations: OperationSpans;
  /** The preview that a COMMIT is to apply, or null. */
  readonly expectedPreview: PreviewIdentity | null;
  /** Who works on the transaction that the statement belongs to. */
  readonly holder: TransactionHolder;
  readonly admission: CommandAdmission;
}

/** A command on its way through the control plane: of NSPL, or of an API of its own. */
export type ReferencedCommand = Omit<
  Submission,
  'parsed' | 'operations' | 'expectedPreview' | 'holder'
> &
  Partial<Pick<Submission, 'parsed'>>;

/** The execution record that binds a submission's reference to its outcome. */
export function referenceRecord(
  submission: ReferencedCommand,
  outcome: Outcome,
  recordedAtMs: number,
): ReferenceRecord {
  return { ...bindingOf(submission), outcome, recordedAtMs };
}

/** What the reference of a submission stands for. */
export function bindingOf(submission: ReferencedCommand): ExecutionRecord['reference'] {
  return {
    kind: 'reference',
    id: submission.reference,
    owner: submission.owner,
    domain: submission.domain,
    transaction: submission.transaction,
    position: submission.expectedPosition,
    digest: submission.digest,
  };
}
