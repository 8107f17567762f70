import {
  equalTypes,
  type FieldReference,
  type RowSource,
  type SchemaField,
  type SpanLookup,
  type TypedAggregate,
  type TypedColumn,
  unreachable,
} from '@nervix/model';
import type { Checked, CheckResult } from './checked.js';
import type { FieldTable } from './field-table.js';
import type { ScopePolicy } from './scope-policy.js';

/** A policy with the rows of one node. */
export interface ExpressionScope {
  readonly policy: ScopePolicy;
  /** Rows that exist here; an unbranched node has no `branch`. */
  readonly rows: Readonly<Partial<Record<RowSource, FieldTable>>>;
  /** Fields of the record under construction that are assigned already. */
  readonly assigned: ReadonlySet<string>;
  /** Receives the aggregates of a window route, in order of their indexes. */
  readonly aggregates: TypedAggregate[] | null;
  readonly spans: SpanLookup;
}

const NONE: FieldTable = new Map();
const NOTHING_ASSIGNED: ReadonlySet<string> = new Set();

/** A scope in which no record is under construction. */
export function readingScope(
  policy: ScopePolicy,
  rows: ExpressionScope['rows'],
  spans: SpanLookup,
): ExpressionScope {
  return { policy, rows, assigned: NOTHING_ASSIGNED, aggregates: null, spans };
}

/** Finds the column a reference reads, or why it reads none. */
export function resolveField(reference: FieldReference, scope: ExpressionScope): CheckResult {
  const { policy } = scope;
  const { name } = reference;
  if (policy.aggregates === 'arguments' && reference.scope !== 'input') {
    const found = printReference(reference);
    return `window aggregate arguments may read only input fields, found '${found}'`;
  }
  switch (reference.scope) {
    case null:
      return readBare(reference, scope);
    case 'message':
      if (policy.message === 'none') return unavailable(reference, scope);
      return readBare(reference, { ...scope, policy: { ...policy, bare: policy.message } });
    case 'input':
      if (policy.aggregates === 'calls') {
        return `input.${name} is available only inside a window aggregate argument`;
      }
      return policy.input ? readRow('input', name, scope) : unavailable(reference, scope);
    case 'output':
      if (policy.output === 'none' || scope.rows.output === undefined) {
        return unavailable(reference, scope);
      }
      return policy.output === 'set'
        ? readAssigned('output', name, scope)
        : readRow('output', name, scope);
    case 'branch':
      if (policy.branch === 'built') return readAssigned('branch', name, scope);
      if (policy.branch === 'none') return unavailable(reference, scope);
      if (scope.rows.branch === undefined) {
        return `reference 'branch.${name}' is not available because the node is unbranched`;
      }
      return readRow('branch', name, scope);
    case 'error':
    case 'partial_output':
      if (!policy.error || scope.rows[reference.scope] === undefined) {
        return unavailable(reference, scope);
      }
      return readRow(reference.scope, name, scope);
    case 'metadata':
    case 'left':
    case 'right':
      return unavailable(reference, scope);
    default:
      return unreachable(reference.scope);
  }
}

/** A reference as its author writes it. */
export function printReference(reference: FieldReference): string {
  return reference.scope === null ? reference.name : `${reference.scope}.${reference.name}`;
}

function readBare(reference: FieldReference, scope: ExpressionScope): CheckResult {
  const { name } = reference;
  switch (scope.policy.bare) {
    case 'none':
      return unavailable(reference, scope);
    case 'input':
      return readRow('input', name, scope);
    case 'working':
      return readWorking(name, scope);
    case 'finished_output':
      return readRow('output', name, scope);
    case 'set_output':
      return readAssigned('output', name, scope);
    case 'built_branch':
      return readAssigned('branch', name, scope);
    case 'error_record':
      if (scope.assigned.has(name)) return readRow('output', name, scope);
      return readRow('error', name, scope);
    default:
      return unreachable(scope.policy.bare);
  }
}

/** The present output field, else the input field that it would inherit. */
function readWorking(name: string, scope: ExpressionScope): CheckResult {
  if (scope.assigned.has(name)) return readRow('output', name, scope);
  const output = scope.rows.output?.get(name);
  const input = scope.rows.input?.get(name);
  if (input === undefined && output === undefined) return unknownField('input', name);
  const isReadable = input !== undefined && (output === undefined || isInheritable(input, output));
  return isReadable ? column('input', input) : `working message field '${name}' is uninitialized`;
}

/** Fields are copied from input to output only when nothing about their values can differ. */
export function isInheritable(input: SchemaField, output: SchemaField): boolean {
  return input.optional === output.optional && equalTypes(input.type, output.type);
}

function readAssigned(row: 'output' | 'branch', name: string, scope: ExpressionScope): CheckResult {
  const field = scope.rows[row]?.get(name);
  if (field === undefined) return unknownField(row, name);
  return scope.assigned.has(name)
    ? column(row, field)
    : `${row} field '${name}' is not initialized`;
}

function readRow(row: RowSource, name: string, scope: ExpressionScope): CheckResult {
  const field = (scope.rows[row] ?? NONE).get(name);
  return field === undefined ? unknownField(row, name) : column(row, field);
}

function column(row: RowSource, field: SchemaField): Checked {
  const expression: TypedColumn = {
    kind: 'column',
    row,
    field: field.name,
    type: field.type,
    optional: field.optional,
  };
  return { expression, isSensitive: field.sensitive };
}

function unknownField(row: RowSource, name: string): string {
  return `unknown ${row} field '${name}'`;
}

function unavailable(reference: FieldReference, scope: ExpressionScope): string {
  return `reference '${printReference(reference)}' is not available in ${scope.policy.context}`;
}
