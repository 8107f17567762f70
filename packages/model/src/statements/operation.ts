import type { Statement } from '../statement.js';
import type { LiteralBinding } from './literal.js';
import type { OutputFormat } from './output-format.js';
import type { RuntimeMember } from './runtime-member.js';

/** Stores a plan of one statement. */
export interface PlanStatement {
  readonly kind: 'plan';
  readonly format: OutputFormat;
  readonly statement: Statement;
}
/** Previews one statement and stores nothing. */
export interface ExplainStatement {
  readonly kind: 'explain';
  readonly format: OutputFormat;
  readonly statement: Statement;
}
/** `APPLY PLAN`. */
export interface ApplyPlanStatement {
  readonly kind: 'apply_plan';
  readonly plan: string;
}
/** `APPROVE PLAN`. */
export interface ApprovePlanStatement {
  readonly kind: 'approve_plan';
  readonly plan: string;
  readonly evidence: string | null;
}
/** `EXPLAIN PLACEMENT`. */
export interface ExplainPlacementStatement {
  readonly kind: 'explain_placement';
  readonly member: RuntimeMember | null;
  readonly format: OutputFormat;
}
/** `SHOW OPERATIONS`. */
export interface ShowOperationsStatement {
  readonly kind: 'show_operations';
  /** null without a WHERE clause. */
  readonly filters: readonly LiteralBinding[] | null;
  /** Decimal text above zero, or null. */
  readonly limit: string | null;
  readonly format: OutputFormat;
}
/** `DESCRIBE OPERATION`. */
export interface DescribeOperationStatement {
  readonly kind: 'describe_operation';
  readonly operation: string;
  readonly format: OutputFormat;
}
/** `CANCEL OPERATION` and `COMPENSATE OPERATION`. */
export interface EndOperationStatement {
  readonly kind: 'cancel_operation' | 'compensate_operation';
  readonly operation: string;
}
/** `RESOLVE OPERATION`. */
export interface ResolveOperationStatement {
  readonly kind: 'resolve_operation';
  readonly operation: string;
  /** Decimal text above zero. */
  readonly step: string;
  readonly resolution: 'APPLIED' | 'NOT APPLIED';
  readonly evidence: string;
}
/** What has revisions. */
export type RevisionSubject =
  | { readonly kind: 'domain'; readonly domain: string }
  | { readonly kind: 'node'; readonly node: string }
  | { readonly kind: 'pool'; readonly pool: string }
  | { readonly kind: 'member'; readonly member: RuntimeMember };
/** `DESCRIBE REVISIONS`. */
export interface DescribeRevisionsStatement {
  readonly kind: 'describe_revisions';
  readonly subject: RevisionSubject;
  readonly format: OutputFormat;
}

/**
 * A statement with what a request may add to it: consent to lose state, and how long to wait for
 * another change of the same things to end. Only statements with a suffix are wrapped.
 */
export interface SuffixedStatement {
  readonly kind: 'with_suffixes';
  readonly statement: Statement;
  readonly acceptStateLoss: boolean;
  /** Duration in the author's spelling, or null. */
  readonly wait: string | null;
}

/** Statements about plans and operations. */
export type OperationStatement =
  | PlanStatement
  | ExplainStatement
  | ApplyPlanStatement
  | ApprovePlanStatement
  | ExplainPlacementStatement
  | ShowOperationsStatement
  | DescribeOperationStatement
  | EndOperationStatement
  | ResolveOperationStatement
  | DescribeRevisionsStatement
  | SuffixedStatement;
