import type { ModelKind, Statement } from '@nervix/model';
import type { ClauseEntry, SharedClause, StatementEntry } from './entry.js';
import { SHARED_CLAUSES } from './shared-clauses.js';
import { STATEMENT_ENTRIES } from './statements.js';

const ENTRIES: ReadonlyMap<string, StatementEntry> = new Map(
  STATEMENT_ENTRIES.map((entry) => [entry.id, entry]),
);
const SHARED: ReadonlyMap<string, SharedClause> = new Map(
  SHARED_CLAUSES.map((shared) => [shared.id, shared]),
);
const HEADS: ReadonlyMap<string, StatementEntry> = new Map(
  STATEMENT_ENTRIES.flatMap((entry) => entry.heads.map((head) => [head, entry] as const)),
);
const HEAD_WORDS_MAX: number = Math.max(...[...HEADS.keys()].map((head) => head.split(' ').length));
/** What may stand between CREATE and the kind without changing which statement it is. */
const PREFIXES: ReadonlySet<string> = new Set(['IF', 'NOT', 'EXISTS', 'ATTACHED', 'DETACHED']);

/** The documentation of the statement with this id. */
export function statementEntry(id: string): StatementEntry | undefined {
  return ENTRIES.get(id);
}

/** The documentation of the shared clause with this id. */
export function sharedClauseEntry(id: string): SharedClause | undefined {
  return SHARED.get(id);
}

/** The shared clause that a grammar rule reads, if it reads one. */
export function sharedClauseOfRule(rule: string): SharedClause | undefined {
  return SHARED_CLAUSES.find(({ rules }) => rules.includes(rule));
}

/**
 * The documentation of the statement that begins with these words.
 *
 * @param words the statement's first words, in any case; more than needed do no harm
 */
export function statementEntryOfWords(words: readonly string[]): StatementEntry | undefined {
  const upper = words.map((word) => word.toUpperCase());
  const kindAt = upper.findIndex((word, index) => index > 0 && !PREFIXES.has(word));
  const head = upper[0] === 'CREATE' && kindAt > 0 ? ['CREATE', ...upper.slice(kindAt)] : upper;
  for (let count = Math.min(HEAD_WORDS_MAX, head.length); count > 0; count -= 1) {
    const found = HEADS.get(head.slice(0, count).join(' '));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Kinds whose statements are described under a name that is not their own. */
const IDS: Partial<Record<Statement['kind'], string>> = {
  attach_domain_clock: 'domain-clock',
  detach_domain_clock: 'domain-clock',
  uncordon_node: 'cordon-node',
  show_materialized_state: 'show-relay',
};

const kebab = (kind: string): string => kind.replaceAll('_', '-');
const modelId = (kind: ModelKind): string =>
  kebab(kind.replace(/^wire_(?:json|cbor|avro)_/u, 'wire_'));

/** Id of the documentation of a statement that was read. */
export function statementEntryId(statement: Statement): string {
  switch (statement.kind) {
    case 'create_model':
      return `create-${modelId(statement.model.kind)}`;
    case 'alter_model':
      return `alter-${modelId(statement.modelKind)}`;
    case 'show_inventory':
      return `show-${statement.subject.toLowerCase()}`;
    case 'with_suffixes':
      return statementEntryId(statement.statement);
    default:
      return IDS[statement.kind] ?? kebab(statement.kind);
  }
}

/** A clause and the words it was found by. */
export interface ClauseMatch {
  readonly clause: ClauseEntry;
  /** Index of its first word. */
  readonly start: number;
  /** Number of its words. */
  readonly length: number;
}

/**
 * The clause of a statement whose keywords cover one of its words; the longest, if several do.
 *
 * @param words the words of the statement, in any case
 * @param index the word that is asked for
 */
export function clauseEntryAt(
  entry: StatementEntry,
  words: readonly string[],
  index: number,
): ClauseMatch | undefined {
  let best: ClauseMatch | undefined;
  for (const clause of clausesOf(entry)) {
    for (const keywords of clause.keywords) {
      const wanted = keywords.split(' ').filter((word) => word !== '' && !word.startsWith('<'));
      const start = coveringStart(wanted, words, index);
      if (start !== undefined && wanted.length > (best?.length ?? 0)) {
        best = { clause, start, length: wanted.length };
      }
    }
  }
  return best;
}

/** The clauses of a statement and behind each the forms of the shared clause it is. */
function clausesOf(entry: StatementEntry): readonly ClauseEntry[] {
  return entry.clauses.flatMap((clause) => {
    const shared = clause.shared === undefined ? undefined : SHARED.get(clause.shared);
    return shared === undefined ? [clause] : [clause, ...shared.forms];
  });
}

function coveringStart(
  wanted: readonly string[],
  words: readonly string[],
  index: number,
): number | undefined {
  for (let start = Math.max(0, index - wanted.length + 1); start <= index; start += 1) {
    if (wanted.every((word, at) => words[start + at]?.toUpperCase() === word)) return start;
  }
  return undefined;
}
