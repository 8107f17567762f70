import { WAIT } from './administration-clauses.js';
import type { ClauseEntry, Family, SharedClause, StatementEntry } from './entry.js';

/** What an author writes of a {@link StatementEntry}; the rest has defaults. */
export interface StatementDraft
  extends Pick<StatementEntry, 'summary' | 'examples'>,
    Partial<Pick<StatementEntry, 'heads' | 'clauses' | 'notes' | 'seeAlso'>> {}

/**
 * A statement entry. Its id is its title in kebab case, its only head the title, unless the draft
 * names others.
 */
export function statement(family: Family, title: string, draft: StatementDraft): StatementEntry {
  const clauses = draft.clauses ?? [];
  return {
    id: title.toLowerCase().replaceAll(' ', '-'),
    title,
    heads: draft.heads ?? [title],
    family,
    summary: draft.summary,
    clauses: takesWait(title) ? [...clauses, uses(WAIT)] : clauses,
    notes: draft.notes ?? [],
    examples: draft.examples,
    seeAlso: draft.seeAlso ?? [],
  };
}

/** A shared clause as a clause of a statement, with what its absence means there. */
export function uses(shared: SharedClause, omitted?: string): ClauseEntry {
  const { keywords, summary, id } = shared;
  const meaning = omitted ?? shared.omitted;
  const entry = { keywords, summary, shared: id };
  return meaning === undefined ? entry : { ...entry, omitted: meaning };
}

/** First words of the statements that change something and may wait for others to be done. */
const WAITING: ReadonlySet<string> = new Set(
  (
    'CREATE ALTER DROP START STOP REBIND RESET CORDON UNCORDON DRAIN RELOCATE RESTORE APPLY ' +
    'COMPENSATE CANCEL RESOLVE GRANT REVOKE QUARANTINE RELEASE PROMOTE REBALANCE COMMIT'
  ).split(' '),
);

function takesWait(title: string): boolean {
  const [first = ''] = title.split(' ');
  return WAITING.has(first) && title !== 'CREATE SUBSCRIPTION';
}
