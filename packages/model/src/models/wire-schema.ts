/** Encodings that wire schemas describe. */
export const WIRE_FORMATS = ['JSON', 'CBOR', 'AVRO'] as const;
/** An encoding that wire schemas describe. */
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
/** Types of fields in JSON and CBOR. */
export type JsonWireType = (typeof JSON_WIRE_TYPES)[number];

/** Types of fields in Avro. */
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
/** Types of fields in Avro. */
export type AvroWireType = (typeof AVRO_WIRE_TYPES)[number];

/** A field of a wire schema. */
export interface WireField<Type extends string> {
  readonly name: string;
  readonly type: Type;
  readonly optional: boolean;
}
/** A field in JSON or CBOR. */
export type JsonWireField = WireField<JsonWireType>;

interface WireSchema<Kind extends string, Type extends string> {
  readonly kind: Kind;
  readonly name: string;
  /** STRICT refuses payload fields that are not declared; LOOSE drops them. */
  readonly mode: 'STRICT' | 'LOOSE';
  readonly fields: readonly WireField<Type>[];
}
/** What `CREATE WIRE JSON SCHEMA` defines. */
export type JsonWireSchemaModel = WireSchema<'wire_json_schema', JsonWireType>;
/** What `CREATE WIRE CBOR SCHEMA` defines. */
export type CborWireSchemaModel = WireSchema<'wire_cbor_schema', JsonWireType>;
/** What `CREATE WIRE AVRO SCHEMA` defines. */
export type AvroWireSchemaModel = WireSchema<'wire_avro_schema', AvroWireType>;
/** What `CREATE WIRE … SCHEMA` defines. */
export type WireSchemaModel = JsonWireSchemaModel | CborWireSchemaModel | AvroWireSchemaModel;
/** Kinds of wire schemas. */
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
