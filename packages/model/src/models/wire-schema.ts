export const WIRE_FORMATS = ['JSON', 'CBOR', 'AVRO'] as const;
export type WireFormat = (typeof WIRE_FORMATS)[number];

/** Field types of JSON and CBOR wire schemas. */
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

export const AVRO_WIRE_TYPES = [
  'NULL',
  'BOOLEAN',
  'INT',
  'LONG',
  'FLOAT',
  'DOUBLE',
  'BYTES',
  'STRING',
  'RECORD',
  'ENUM',
  'ARRAY',
  'MAP',
  'FIXED',
] as const;
export type AvroWireType = (typeof AVRO_WIRE_TYPES)[number];

export interface WireField<Type extends string> {
  readonly name: string;
  readonly type: Type;
  readonly optional: boolean;
}
export type JsonWireField = WireField<JsonWireType>;

interface WireSchema<Kind extends string, Type extends string> {
  readonly kind: Kind;
  readonly name: string;
  /** STRICT refuses payload fields that are not declared; LOOSE drops them. */
  readonly mode: 'STRICT' | 'LOOSE';
  readonly fields: readonly WireField<Type>[];
}
export type JsonWireSchemaModel = WireSchema<'wire_json_schema', JsonWireType>;
export type CborWireSchemaModel = WireSchema<'wire_cbor_schema', JsonWireType>;
export type AvroWireSchemaModel = WireSchema<'wire_avro_schema', AvroWireType>;
export type WireSchemaModel = JsonWireSchemaModel | CborWireSchemaModel | AvroWireSchemaModel;
export type WireSchemaKind = WireSchemaModel['kind'];

const KINDS: Readonly<Record<WireFormat, WireSchemaKind>> = {
  JSON: 'wire_json_schema',
  CBOR: 'wire_cbor_schema',
  AVRO: 'wire_avro_schema',
};

/** Kind of the wire schemas of a format. */
export function wireSchemaKind<Format extends WireFormat>(format: Format): WireSchemaKind {
  return KINDS[format];
}
