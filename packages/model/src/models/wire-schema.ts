export const JSON_WIRE_TYPES = [
  'STRING',
  'NUMBER',
  'INTEGER',
  'OBJECT',
  'ARRAY',
  'BOOLEAN',
  'NULL',
  'BYTES',
] as const;
export type JsonWireType = (typeof JSON_WIRE_TYPES)[number];

export interface JsonWireField {
  readonly name: string;
  readonly type: JsonWireType;
  readonly optional: boolean;
}

export interface JsonWireSchemaModel {
  readonly kind: 'wire_json_schema';
  readonly name: string;
  /** STRICT refuses payload fields that are not declared; LOOSE drops them. */
  readonly mode: 'STRICT' | 'LOOSE';
  readonly fields: readonly JsonWireField[];
}
