import type { DataType } from '../data-type.js';

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
