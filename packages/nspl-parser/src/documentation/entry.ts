/** A clause: what it begins with, what it does, what its absence means. */
export interface ClauseEntry {
  /** The keywords it begins with, in canonical spelling; one item for each alternative spelling. */
  readonly keywords: readonly string[];
  readonly summary: string;
  /** What holds when it is left out; absent for a clause that has to be written. */
  readonly omitted?: string;
  /** Id of the {@link SharedClause} that describes it further. */
  readonly shared?: string;
}

/** A clause that several statements have in common. */
export interface SharedClause {
  /** Unique among the shared clauses; forms file names and anchors. */
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  /** What holds when it is left out, where that is the same in every statement. */
  readonly omitted?: string;
  /** The keywords it begins with. */
  readonly keywords: readonly string[];
  /** The grammar rules that read it. */
  readonly rules: readonly string[];
  /** Its forms and its own clauses. */
  readonly forms: readonly ClauseEntry[];
  readonly notes: readonly string[];
}

/** Headings that statements are listed under, in the order of a reader's way. */
export const FAMILIES = [
  'Sessions and subscriptions',
  'Transactions',
  'Domains',
  'Users and secrets',
  'Resources',
  'Schemas, codecs and branches',
  'Connections',
  'Relays and lookups',
  'Ingestors and emitters',
  'Processors',
  'Changing models',
  'Reading models and state',
  'Nodes and placement',
  'Backup and restore',
  'Plans and operations',
  'Pools and policies',
  'Projects and rights',
] as const;

/** A heading that statements are listed under. */
export type Family = (typeof FAMILIES)[number];

/** Documentation of one statement form. */
export interface StatementEntry {
  /** Unique among the statements; forms file names. */
  readonly id: string;
  /** Keyword head as people name the statement: `CREATE JUNCTION`. */
  readonly title: string;
  /**
   * The keywords that statements of this form begin with, leaving out what is optional before the
   * kind: `CREATE JUNCTION` stands for `CREATE IF NOT EXISTS DETACHED JUNCTION` too.
   */
  readonly heads: readonly string[];
  readonly family: Family;
  /** What it is for, in one to three sentences. */
  readonly summary: string;
  readonly clauses: readonly ClauseEntry[];
  readonly notes: readonly string[];
  /** Statements: a short one first, then one that uses most clauses. */
  readonly examples: readonly string[];
  /** Ids of related statements. */
  readonly seeAlso: readonly string[];
}

/**
 * A clause of one statement.
 *
 * @param keywords spellings separated by ` | `
 * @param omitted what its absence means; leave it out for a clause that has to be written
 */
export function clause(keywords: string, summary: string, omitted?: string): ClauseEntry {
  const entry = { keywords: keywords.split(' | '), summary };
  return omitted === undefined ? entry : { ...entry, omitted };
}

/** What an author writes of a {@link SharedClause}. */
export interface SharedClauseDraft
  extends Pick<SharedClause, 'summary' | 'rules'>,
    Partial<Pick<SharedClause, 'omitted' | 'forms' | 'notes'>> {
  /** Spellings separated by ` | `. */
  readonly keywords: string;
}

/** A shared clause; its id is its title in kebab case. */
export function sharedClause(title: string, draft: SharedClauseDraft): SharedClause {
  const entry = {
    id: title.toLowerCase().replaceAll(' ', '-'),
    title,
    summary: draft.summary,
    keywords: draft.keywords.split(' | '),
    rules: draft.rules,
    forms: draft.forms ?? [],
    notes: draft.notes ?? [],
  };
  return draft.omitted === undefined ? entry : { ...entry, omitted: draft.omitted };
}
