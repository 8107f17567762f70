export { DIAGNOSTIC_MEANINGS } from './documentation/diagnostic-meanings.js';
export {
  type ClauseEntry,
  FAMILIES,
  type Family,
  type SharedClause,
  type StatementEntry,
} from './documentation/entry.js';
export { LABELS_WITH_MEANING, labelMeaning } from './documentation/labels.js';
export {
  type ClauseMatch,
  clauseEntryAt,
  sharedClauseEntry,
  sharedClauseOfRule,
  statementEntry,
  statementEntryId,
  statementEntryOfWords,
} from './documentation/lookup.js';
export { SHARED_CLAUSES } from './documentation/shared-clauses.js';
export { STATEMENT_ENTRIES } from './documentation/statements.js';
export { RESERVED_IN_EXPRESSIONS } from './names.js';
