import {
  equalTypes,
  type FieldReference,
  type RelayStateReference,
  type RowSource,
  type SchemaField,
  type SpanLookup,
  type TypedAggregate,
  type TypedColumn,
  type UdfModel,
  unreachable,
} from '@nervix/model';
import type { CheckResult } from './checked.js';
import type { FieldTable } from './field-table.js';
import { nearestName } from './nearest-name.js';
import type { ScopePolicy } from './scope-policy.js';

/** What expressions of a domain may name beside fields, and where they stand in the text. */
export interface Surroundings {
  readonly spans: SpanLookup;
  udf(name: string): UdfModel | undefined;
  /** Fields of the entries of a hash map. */
  hashMap(name: string): FieldTable | undefined;
}

/** Rows by the scope that reads them. */
export type ScopeRows = Readonly<Partial<Record<RowSource, FieldTable>>>;

/** A policy with the rows of one node. */
export interface ExpressionScope {
  readonly policy: ScopePolicy;
  /** Rows that exist here; an unbranched node has no `branch`. */
  readonly rows: ScopeRows;
  /** Fields of the materialized relays that the node declares it reads. */
  readonly states: ReadonlyMap<string, FieldTable>;
  /** Fields of the record under construction that are assigned already. */
  readonly assigned: ReadonlySet<string>;
  /** Receives the aggregates of a window route, in order of their indexes. */
  readonly aggregates: TypedAggregate[] | null;
  /** Name of the connector of an ingestor whose payloads have no headers. */
  readonly headerless: string | null;
  readonly surroundings: Surroundings;
}

const NONE: FieldTable = new Map();
const NOTHING_ASSIGNED: ReadonlySet<string> = new Set();
const NO_STATES: ExpressionScope['states'] = new Map();

/** A scope in which no record is under construction and no state is read. */
export function readingScope(
  policy: ScopePolicy,
  rows: ScopeRows,
  surroundings: Surroundings,
): ExpressionScope {
  return {
    policy,
    rows,
    states: NO_STATES,
    assigned: NOTHING_ASSIGNED,
    aggregates: null,
    headerless: null,
    surroundings,
  };
}

/** Finds the column a reference reads, or why it reads none. */
export function resolveField(reference: FieldReference, scope: ExpressionScope): CheckResult {
  const { policy } = scope;
  const { name } = reference;
  if (policy.isConstant) {
    return `must be constant; field reference '${printReference(reference)}' is not allowed`;
  }
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
      if (!policy.metadata || scope.rows.metadata === undefined) {
        return unavailable(reference, scope);
      }
      return readRow('metadata', name, scope);
    case 'left':
    case 'right': {
      const isThere = policy.sides === 'both' || policy.sides === reference.scope;
      return isThere ? readRow(reference.scope, name, scope) : unavailable(reference, scope);
    }
    default:
      return unreachable(reference.scope);
  }
}

/** Finds the field of a materialized relay that a reference reads, or why it reads none. */
export function resolveState(reference: RelayStateReference, scope: ExpressionScope): CheckResult {
  const { relay, name } = reference;
  const written = `relay_state.${relay}.${name}`;
  if (scope.policy.isConstant) {
    return `must be constant; field reference '${written}' is not allowed`;
  }
  if (scope.policy.aggregates === 'arguments') {
    return `window aggregate arguments may read only input fields, found '${written}'`;
  }
  if (!scope.policy.states) {
    return `reference '${written}' is not available in ${scope.policy.context}`;
  }
  const fields = scope.states.get(relay);
  if (fields === undefined) {
    return (
      `materialized-state reference 'relay_state.${relay}' ` +
      'has no matching USING MATERIALIZED STATE declaration'
    );
  }
  const field = fields.get(name);
  if (field === undefined) return `unknown relay_state.${relay} field '${name}'`;
  const { type, optional, sensitive } = field;
  return { kind: 'state', relay, field: name, type, optional, sensitive };
}

/** The names among which one that is unknown was probably meant. */
function namesBeside(
  reference: FieldReference | RelayStateReference,
  scope: ExpressionScope,
): Iterable<string> {
  if (reference.kind === 'relay_state') {
    return scope.states.get(reference.relay)?.keys() ?? [];
  }
  if (reference.scope !== null && reference.scope !== 'message') {
    return scope.rows[reference.scope]?.keys() ?? [];
  }
  const { input, output, branch, error, generated } = scope.rows;
  switch (scope.policy.bare) {
    case 'built_branch':
      return reference.scope === null ? (branch?.keys() ?? []) : (output?.keys() ?? []);
    case 'error_record':
      return error?.keys() ?? [];
    case 'generated':
    case 'set_output_or_generated':
      return generated?.keys() ?? [];
    case 'working':
      return [...(input?.keys() ?? []), ...(output?.keys() ?? [])];
    case 'input':
      return input?.keys() ?? [];
    default:
      return output?.keys() ?? [];
  }
}

/** The field that was probably meant by a name that no row has. */
export function nearestField(
  reference: FieldReference | RelayStateReference,
  scope: ExpressionScope,
): string | undefined {
  return nearestName(reference.name, new Set(namesBeside(reference, scope)));
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
    case 'generated':
      return readRow('generated', name, scope);
    case 'set_output_or_generated':
      if (scope.assigned.has(name)) return readRow('output', name, scope);
      return readRow('generated', name, scope);
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

function column(row: RowSource, field: SchemaField): TypedColumn {
  const { name, type, optional, sensitive } = field;
  return { kind: 'column', row, field: name, type, optional, sensitive };
}

function unknownField(row: RowSource, name: string): string {
  return `unknown ${row} field '${name}'`;
}

function unavailable(reference: FieldReference, scope: ExpressionScope): string {
  return `reference '${printReference(reference)}' is not available in ${scope.policy.context}`;
}
