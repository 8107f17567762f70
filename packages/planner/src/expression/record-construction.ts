import {
  type Assignment,
  columnTypeName,
  equalTypes,
  type Inherit,
  type InheritedField,
  isScalarType,
  type SchemaField,
  type TypedAssignment,
  type TypedExpression,
} from '@nervix/model';
import { checkExpression } from './check-expression.js';
import { type CheckedValue, EMPTY_VEC_PLACEMENT, isUntyped, NULL_PLACEMENT } from './checked.js';
import type { ExpressionFaults } from './expression-fault.js';
import type { FieldTable } from './field-table.js';
import { type ExpressionScope, isInheritable } from './scope.js';

/**
 * Why a record cannot be built. `invalid` failures are about the form of a clause, `compile`
 * failures about fields and types.
 */
export interface ConstructionFailure {
  readonly phase: 'invalid' | 'compile';
  readonly faults: ExpressionFaults;
}

/** Which record is built and which spellings of a target field SET takes there. */
export interface RecordTarget {
  readonly row: 'output' | 'branch';
  readonly fields: FieldTable;
  readonly operation: 'set' | 'branch_set';
  /** Scopes a target may carry; a bare name is always taken. */
  readonly targetScopes: readonly ('message' | 'output' | 'branch')[];
}

/** Types the assignments of one record in order; each may read the fields assigned before it. */
export class RecordConstruction {
  readonly #target: RecordTarget;
  readonly #scope: ExpressionScope;
  readonly #assigned = new Set<string>();
  readonly #assignments: TypedAssignment[] = [];

  /** @param scope what assignments read; its `assigned` set is replaced by this record's own */
  constructor(target: RecordTarget, scope: ExpressionScope) {
    this.#target = target;
    this.#scope = { ...scope, assigned: this.#assigned };
  }

  get assignments(): readonly TypedAssignment[] {
    return this.#assignments;
  }

  /** Copies same-named fields of the input. */
  inherit(inherit: Inherit, input: FieldTable): ConstructionFailure | undefined {
    return inherit.kind === 'all'
      ? this.#inheritAll(inherit, input)
      : this.#inheritFields(inherit.fields, input);
  }

  set(assignments: readonly Assignment[]): ConstructionFailure | undefined {
    for (const assignment of assignments) {
      const failure = this.#set(assignment);
      if (failure !== undefined) return failure;
    }
    return undefined;
  }

  /**
   * Checks that every field that needs a value has one.
   *
   * @param subject node to blame for a missing field
   */
  finish(subject: object): ConstructionFailure | undefined {
    const { fields, row } = this.#target;
    for (const field of fields.values()) {
      if (this.#assigned.has(field.name) || (field.optional && row === 'output')) continue;
      const reason = `required ${row} field '${field.name}' remains uninitialized`;
      return compileFailure(reason, subject);
    }
    return undefined;
  }

  #inheritAll(
    inherit: Extract<Inherit, { kind: 'all' }>,
    input: FieldTable,
  ): ConstructionFailure | undefined {
    const excluded = new Set(inherit.except);
    for (const name of inherit.except) {
      if (input.has(name)) continue;
      const reason = `INHERIT ALL EXCEPT names unknown input field '${name}'`;
      return compileFailure(reason, inherit);
    }
    for (const field of this.#target.fields.values()) {
      const source = input.get(field.name);
      if (source === undefined || excluded.has(field.name)) continue;
      if (!isInheritable(source, field)) continue;
      if (source.sensitive && !field.sensitive) return sensitiveLeak(field.name, inherit);
      this.#copy(source);
    }
    return undefined;
  }

  #inheritFields(
    fields: readonly InheritedField[],
    input: FieldTable,
  ): ConstructionFailure | undefined {
    for (const inherited of fields) {
      const { name, leakSensitive } = inherited;
      const source = input.get(name);
      const field = this.#target.fields.get(name);
      if (source === undefined) {
        return compileFailure(`INHERIT names unknown input field '${name}'`, inherited);
      }
      if (field === undefined) {
        return compileFailure(`INHERIT has no same-named output field '${name}'`, inherited);
      }
      if (!isInheritable(source, field)) {
        const rule = 'requires identical input and output type and nullability';
        return compileFailure(`INHERIT field '${name}' ${rule}`, inherited);
      }
      if (source.sensitive && !field.sensitive && !leakSensitive) {
        return sensitiveLeak(name, inherited);
      }
      this.#copy(source);
    }
    return undefined;
  }

  #copy({ name, type, optional, sensitive }: SchemaField): void {
    const column = { kind: 'column', row: 'input', field: name } as const;
    const value: TypedExpression = { ...column, type, optional, sensitive };
    this.#add('inherit', name, value, new Set([`input.${name}`]));
  }

  #set(assignment: Assignment): ConstructionFailure | undefined {
    const { target, value } = assignment;
    const { row, fields, operation, targetScopes } = this.#target;
    if (target.scope !== null && !targetScopes.includes(target.scope)) {
      return { ...compileFailure(this.#targetDefect(target), target), phase: 'invalid' };
    }
    const field = fields.get(target.field);
    if (field === undefined) {
      return compileFailure(`SET targets unknown ${row} field '${target.field}'`, target);
    }
    const reads = new Set<string>();
    const outcome = checkExpression(value, this.#scope, reads);
    if (outcome.kind === 'refused') return { phase: 'compile', faults: outcome.faults };
    const isRequired = !field.optional || row === 'branch';
    const defect = storeDefect(field, isRequired, outcome.value);
    if (defect !== undefined) return compileFailure(defect, value);
    const [lack, ...others] = outcome.unsupported;
    if (lack !== undefined) return { phase: 'compile', faults: [lack, ...others] };
    this.#add(operation, field.name, storedValue(field, outcome.value), reads);
    return undefined;
  }

  #targetDefect(target: Assignment['target']): string {
    if (this.#scope.policy.aggregates === 'calls') {
      return 'window SET targets must be bare or output.<field>';
    }
    const written = `${target.scope}.${target.field}`;
    return `SET target '${written}' is not available in ${this.#scope.policy.context}`;
  }

  #add(
    operation: TypedAssignment['operation'],
    field: string,
    value: TypedExpression,
    reads: ReadonlySet<string>,
  ): void {
    const paths = [...new Set([`${this.#target.row}.${field}`, ...reads])].sort();
    const index = this.#assignments.length;
    this.#assignments.push({ field, operation, index, value, paths });
    this.#assigned.add(field);
  }
}

function storeDefect(
  field: SchemaField,
  isRequired: boolean,
  value: CheckedValue,
): string | undefined {
  if (value.kind === 'null') return isRequired ? NULL_PLACEMENT : undefined;
  if (isUntyped(value)) {
    return !isScalarType(field.type) && field.type.kind === 'vec' ? undefined : EMPTY_VEC_PLACEMENT;
  }
  const { type, optional, sensitive } = value;
  if (!equalTypes(type, field.type)) {
    return (
      `SET field '${field.name}' has expression type ${columnTypeName(type)}, ` +
      `expected declared output type ${columnTypeName(field.type)}`
    );
  }
  if (isRequired && optional) {
    return `SET field '${field.name}' may be null but the output field is required`;
  }
  return sensitive && !field.sensitive ? leakReason(field.name) : undefined;
}

/** What is stored: a value without a type takes that of the field. */
function storedValue({ type }: SchemaField, value: CheckedValue): TypedExpression {
  if (!isUntyped(value)) return value;
  return value.kind === 'null'
    ? { kind: 'literal', value: null, type, optional: true, sensitive: false }
    : { kind: 'list', elements: [], type, optional: false, sensitive: false };
}

function leakReason(name: string): string {
  return (
    `SET field '${name}' would store sensitive data in a non-sensitive output field; ` +
    'use leak_sensitive(...) to explicitly remove sensitivity'
  );
}

function sensitiveLeak(name: string, subject: object): ConstructionFailure {
  return compileFailure(leakReason(name), subject);
}

function compileFailure(reason: string, subject: object): ConstructionFailure {
  return { phase: 'compile', faults: [{ reason, subject }] };
}
