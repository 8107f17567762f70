import type { JaqFormat, JaqTransformations } from './models/codec.js';

interface CodecPlanBase {
  readonly name: string;
  /** Schema of the records; its field types say how values stand in payloads. */
  readonly schema: string;
}

/** JSON texts or CBOR items: objects whose members are the fields. */
export interface WireCodecPlan extends CodecPlanBase {
  readonly format: 'JSON' | 'CBOR';
  /** STRICT refuses undeclared fields. */
  readonly strict: boolean;
}

/** Raw Avro datums of one record. */
export interface AvroCodecPlan extends CodecPlanBase {
  readonly format: 'AVRO';
  /** Names of all fields, in the order in which the wire schema declares them. */
  readonly fieldOrder: readonly string[];
}

/** Documents of separated values, one record a line. */
export interface CsvCodecPlan extends CodecPlanBase {
  readonly format: 'CSV';
  readonly header: 'NAMES' | 'SKIP' | 'NONE';
  /** One ASCII character. */
  readonly delimiter: string;
  /** One ASCII character, or null when nothing is quoted. */
  readonly quote: string | null;
  /** Text of a null value, or null without one. */
  readonly nullToken: string | null;
  readonly strict: boolean;
}

/** Syslog messages. */
export interface SyslogCodecPlan extends CodecPlanBase {
  readonly format: 'SYSLOG';
}

/** Values of a self-describing format, shaped by programs. */
export interface JaqCodecPlan extends CodecPlanBase {
  readonly format: 'JAQ';
  readonly payload: JaqFormat;
  readonly transformations: JaqTransformations;
}

/** A file of a resource, read. */
export interface ProtoFile {
  /** Below the resource's root, its parts divided by `/`. */
  readonly path: string;
  readonly text: string;
}

/** The `.proto` files that define the messages of a codec. */
export interface ProtobufDescriptors {
  readonly resource: { readonly name: string; readonly version: number };
  /** Paths of the files that the config names; empty for all. */
  readonly roots: readonly string[];
  /** Directories below which imports are looked up. */
  readonly includes: readonly string[];
  readonly files: readonly ProtoFile[];
}

/** Messages of compiled descriptors, shaped by programs. */
export interface ProtobufCodecPlan extends CodecPlanBase {
  readonly format: 'PROTOBUF';
  readonly transformations: JaqTransformations;
  readonly descriptors: ProtobufDescriptors;
  /** Name of the message, with its package. */
  readonly message: string;
  readonly batchMessage: string | null;
}

/** How payloads become records and back. */
export type CodecPlan =
  | WireCodecPlan
  | AvroCodecPlan
  | CsvCodecPlan
  | SyslogCodecPlan
  | JaqCodecPlan
  | ProtobufCodecPlan;
