import type { SchemaField } from '@nervix/model';

/** Fields of one row by name, in schema order. */
export type FieldTable = ReadonlyMap<string, SchemaField>;

export function fieldTable(fields: readonly SchemaField[]): FieldTable {
  return new Map(fields.map((field) => [field.name, field]));
}

/** The same fields, each of which may be absent. */
export function allOptional(fields: FieldTable): FieldTable {
  return fieldTable([...fields.values()].map((field) => ({ ...field, optional: true })));
}
