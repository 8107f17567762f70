/** Fields by which SHOW OPERATIONS can select. */
export const OPERATION_FILTERS: ReadonlySet<string> = new Set([
  'state',
  'kind',
  'actor',
  'delegation',
  'project',
  'domain',
  'plan',
]);

/** Fields by which SHOW AUDIT can select. */
export const AUDIT_FILTERS: ReadonlySet<string> = new Set([
  'decision',
  'statement',
  'actor',
  'delegation',
  'project',
  'domain',
  'plan',
  'operation',
]);
