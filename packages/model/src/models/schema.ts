import type { DataType } from '../data-type.js';

/** Fields that a schema or a wire schema has at most: each costs a column in every batch. */
export const SCHEMA_FIELDS_MAX = 16_384;

/** A field of a schema. */
export interface SchemaField {
  readonly name: string;
  readonly type: DataType;
  /** Nullable. */
  readonly optional: boolean;
  readonly sensitive: boolean;
}

/** What `CREATE SCHEMA` defines. */
export interface SchemaModel {
  readonly kind: 'schema';
  readonly name: string;
  readonly fields: readonly SchemaField[];
}
