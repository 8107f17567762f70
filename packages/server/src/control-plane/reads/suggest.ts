import type { Statement } from '@nervix/model';
import { type Completion, completeAt } from '@nervix/nspl-parser';
import type { ControlContext } from '../control-context.js';
import type { TransactionHolder } from '../transactions/transaction-bindings.js';
import { completionCatalog } from './completion-catalog.js';

/** A text under work, and whose names may complete it. */
export interface SuggestionRequest {
  readonly input: string;
  /** Bytes of UTF-8 before the cursor. */
  readonly cursor: number;
  readonly domain: string | null;
  readonly holder: TransactionHolder;
  /** The transaction whose queued statements count, or null. */
  readonly attached: string | null;
}

export type SuggestionReply =
  | { readonly kind: 'completion'; readonly completion: Completion }
  /** The transaction is not the session's any more, so its names are unknown. */
  | { readonly kind: 'stale' };

/** Offers what may stand at the cursor, of committed names or those of the session's transaction. */
export function suggest(
  { state, bindings }: Pick<ControlContext, 'state' | 'bindings'>,
  { input, cursor, domain, holder, attached }: SuggestionRequest,
): SuggestionReply {
  let queued: readonly Statement[] = [];
  let selected = domain;
  if (attached !== null) {
    const record = state.transaction(attached);
    if (record === undefined || !bindings.isHeldBy(attached, holder)) return { kind: 'stale' };
    queued = state.operations(record.id).map(({ statement }) => statement);
    selected = record.domain;
  }
  const known = selected !== null && state.domain(selected) !== undefined ? selected : null;
  const rebound = reboundResource(input, cursor);
  const catalog = completionCatalog(state, { domain: known, queued, rebound });
  return { kind: 'completion', completion: completeAt(input, cursor, catalog) };
}

/** Begins at the start of a statement only, so that its time grows with the text and no faster. */
const REBIND = /^\s*REBIND\s+RESOURCE\s+([a-z_][a-z0-9_]*)\s[^;]*\bFOR\b/i;

/** The resource of the REBIND that the cursor stands in, or null. */
export function reboundResource(input: string, cursor: number): string | null {
  const before = Buffer.from(input).subarray(0, cursor).toString();
  const statement = before.slice(before.lastIndexOf(';') + 1);
  return REBIND.exec(statement)?.[1]?.toLowerCase() ?? null;
}
