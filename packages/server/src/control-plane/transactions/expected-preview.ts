import type { Statement } from '@nervix/model';
import type { PreviewIdentity } from '@nervix/protocol';
import { isSamePreview } from './stored-preview.js';

/** What a request says of previews. */
export interface ExpectingRequest {
  /** The preview that the request names, or null. */
  readonly expectedPreview: PreviewIdentity | null;
  /** Whether the request has changed its transaction, so that no preview can stand for it. */
  readonly isChanging: boolean;
}

/**
 * The preview that a COMMIT is to apply, or null. One that changed its transaction by the same
 * request has passed whatever preview its sender knew.
 */
export function expectedPreview(
  request: ExpectingRequest,
  statement: Statement,
): PreviewIdentity | null | 'contradiction' {
  if (statement.kind !== 'commit' || request.isChanging) return null;
  const { expectedPreview: named } = request;
  const { expect } = statement;
  if (expect === null) return named;
  const written: PreviewIdentity = {
    transaction_id: expect.id.toLowerCase(),
    position: Number(expect.position),
    planning_basis: expect.basis,
  };
  if (!Number.isSafeInteger(written.position)) return 'contradiction';
  return named === null || isSamePreview(named, written) ? written : 'contradiction';
}
