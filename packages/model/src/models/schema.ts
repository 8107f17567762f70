import type { DataType } from '../data-type.js';

export interface SchemaField {
  readonly name: string;
  readonly type: DataType;
  /** Nullable. */
  readonly optional: boolean;
  readonly sensitive: boolean;
}

export interface SchemaModel {
  readonly kind: 'schema';
  readonly name: string;
  readonly fields: readonly SchemaField[];
}
