import type { ModelKind } from '../models/model.js';
import type { LiteralBinding, LiteralValue } from './literal.js';
import type { OutputFormat } from './output-format.js';

/** `SHOW CREATE`. */
export interface ShowCreateStatement {
  readonly kind: 'show_create';
  readonly modelKind: ModelKind;
  readonly name: string;
  readonly withSecrets: boolean;
}
/** `SHOW` of one list. */
export interface ShowListStatement {
  readonly kind:
    | 'show_udfs'
    | 'show_ingestors'
    | 'show_placements'
    | 'show_transactions'
    | 'show_cluster_status';
}
/** `SHOW RELAY … MATERIALIZED STATE`. */
export interface ShowMaterializedStateStatement {
  readonly kind: 'show_materialized_state';
  readonly relay: string;
}

/** Kinds whose DESCRIBE is the kind and a name. */
export const DESCRIBABLE_KINDS = [
  'ingestor',
  'junction',
  'deduplicator',
  'reingestor',
  'correlator',
  'reorderer',
  'emitter',
  'window_processor',
  'generator',
  'inferencer',
  'hash_map',
  'endpoint',
  'placement',
  'udf',
] as const;
/** Kinds of models that `DESCRIBE` takes. */
export type DescribableKind = (typeof DESCRIBABLE_KINDS)[number];
/** `DESCRIBE` of a model. */
export interface DescribeModelStatement {
  readonly kind: 'describe_model';
  readonly modelKind: DescribableKind;
  readonly name: string;
}
/** `DESCRIBE WASM PROCESSOR`. */
export interface DescribeWasmProcessorStatement {
  readonly kind: 'describe_wasm_processor';
  readonly name: string;
  readonly format: OutputFormat;
}
/** `DESCRIBE RELAY`. */
export interface DescribeRelayStatement {
  readonly kind: 'describe_relay';
  readonly relay: string;
  /** null without a WHERE clause. */
  readonly bindings: readonly LiteralBinding[] | null;
}
/** `DESCRIBE TRANSACTION`. */
export interface DescribeTransactionStatement {
  readonly kind: 'describe_transaction';
  /** null for the attached transaction. */
  readonly transaction: string | null;
  /** Decimal text counted from 1, or null for all. */
  readonly operation: string | null;
  readonly format: OutputFormat;
}
/** `LOOKUP`. */
export interface LookupStatement {
  readonly kind: 'lookup';
  readonly hashMap: string;
  readonly key: LiteralValue;
}

/** Statements that show something. */
export type ReadStatement =
  | ShowCreateStatement
  | ShowListStatement
  | ShowMaterializedStateStatement
  | DescribeModelStatement
  | DescribeWasmProcessorStatement
  | DescribeRelayStatement
  | DescribeTransactionStatement
  | LookupStatement;
