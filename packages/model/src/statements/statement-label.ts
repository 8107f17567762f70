import type { Statement, StatementKind } from '../statement.js';

const LABELS: Partial<Record<StatementKind, string>> = {
  create_domain: 'CREATE DOMAIN',
  create_user: 'CREATE USER',
  upload_resource: 'UPLOAD RESOURCE',
  backup: 'BACKUP',
  restore: 'RESTORE',
  drop_node: 'DROP NODE',
  cordon_node: 'CORDON',
  uncordon_node: 'UNCORDON',
  drain_node: 'DRAIN',
  relocate: 'RELOCATE',
  lookup: 'LOOKUP',
};

/** How refusals name a statement that does not belong where it stands. */
export function statementLabel(statement: Statement): string {
  if (statement.kind === 'with_suffixes') return statementLabel(statement.statement);
  return statementKindLabel(statement.kind);
}

/** As {@link statementLabel}, of a statement of which only the kind is known. */
export function statementKindLabel(kind: Exclude<StatementKind, 'with_suffixes'>): string {
  const label = LABELS[kind];
  if (label !== undefined) return label;
  if (kind.startsWith('show_')) return 'SHOW';
  return kind.startsWith('describe_') ? 'DESCRIBE' : 'statement';
}
