import type { ConfigEntry } from './config.js';
import type { ResourceBinding } from './resource-binding.js';
import type { WireFormat } from './wire-schema.js';

/** Payloads of a declared wire schema. */
export interface WireCodecSource {
  readonly kind: 'wire';
  readonly format: WireFormat;
  readonly wireSchema: string;
}

/** Formats whose values programs turn into records. */
export const JAQ_FORMATS = ['JSON', 'YAML', 'TOML', 'XML', 'CBOR'] as const;
/** A format whose values programs turn into records. */
export type JaqFormat = (typeof JAQ_FORMATS)[number];

/** JAQ programs of a codec; at least one direction is present. */
export interface JaqTransformations {
  readonly onIngestion: string | null;
  readonly onEmitting: string | null;
  /** Only beside `onEmitting`. */
  readonly onEmittingBatch: string | null;
}

/** Payloads of a self-describing format, shaped by JAQ programs. */
export interface JaqCodecSource {
  readonly kind: 'jaq';
  readonly format: JaqFormat;
  readonly transformations: JaqTransformations;
}

/** Payloads that are messages of compiled descriptors. */
export interface ProtobufCodecSource {
  readonly kind: 'protobuf';
  readonly descriptors: ResourceBinding;
  readonly config: readonly ConfigEntry[];
  readonly message: string;
  readonly batchMessage: string | null;
  readonly transformations: JaqTransformations;
}

/** Payloads that are syslog messages. */
export interface SyslogCodecSource {
  readonly kind: 'syslog';
}

/** Payloads that are lines of separated values. */
export interface CsvCodecSource {
  readonly kind: 'csv';
  readonly header: 'NAMES' | 'SKIP' | 'NONE';
  /** One ASCII character. */
  readonly delimiter: string;
  /** One ASCII character, or null for QUOTE NONE. */
  readonly quote: string | null;
  /** Text of a null value, or null without one. */
  readonly nullToken: string | null;
  readonly mode: 'STRICT' | 'LOOSE';
}

/** What the payloads of a codec are. */
export type CodecSource =
  | WireCodecSource
  | JaqCodecSource
  | ProtobufCodecSource
  | SyslogCodecSource
  | CsvCodecSource;

/** A field that payloads hold in another form. */
export interface EncodingRule {
  readonly field: string;
  readonly as: 'RFC3339';
}

/** What `CREATE CODEC` defines. */
export interface CodecModel {
  readonly kind: 'codec';
  readonly name: string;
  readonly source: CodecSource;
  readonly schema: string;
  /** Empty for SYSLOG. */
  readonly encode: readonly EncodingRule[];
}
