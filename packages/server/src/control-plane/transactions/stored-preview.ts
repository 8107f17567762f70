import type { TransactionReport } from '@nervix/planner';
import type { PreviewIdentity } from '@nervix/protocol';
import type {
  ContentRecord,
  StoredPreview,
  TransactionRecord,
} from '../../replicated-state/records.js';
import { archiveReport } from './content-archive.js';

/** A preview with the contents that it refers to. */
export interface ArchivedPreview {
  readonly preview: StoredPreview;
  readonly records: readonly ContentRecord[];
}

/** Makes a report the latest preview of a transaction. */
export function archivePreview(transaction: string, report: TransactionReport): ArchivedPreview {
  const { reference, graphs, records } = archiveReport(transaction, report);
  const { position, planning_basis: basis } = report;
  return { preview: { position, basis, report: reference, graphs }, records };
}

/** What the latest preview of a transaction is identified by; undefined before its first append. */
export function previewIdentity({ id, preview }: TransactionRecord): PreviewIdentity | undefined {
  if (preview === null) return undefined;
  const { position, basis } = preview;
  return { transaction_id: id, position, planning_basis: basis };
}

export function isSamePreview(left: PreviewIdentity, right: PreviewIdentity): boolean {
  return (
    left.transaction_id === right.transaction_id &&
    left.position === right.position &&
    left.planning_basis === right.planning_basis
  );
}
