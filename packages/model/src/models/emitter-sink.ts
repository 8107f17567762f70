import type { Expression } from '../expression.js';
import type { RetryPolicy } from '../route.js';
import type { AckWindow } from './ingest-source.js';

export interface NoAckMode {
  readonly kind: 'no_ack';
  readonly retry: RetryPolicy;
}
/** One attempt at a time, retried until confirmed. */
export interface AckMode {
  readonly kind: 'ack';
  readonly retry: RetryPolicy;
}
/** Sends within a window and waits for each confirmation. */
export interface WindowedAckMode {
  readonly kind: 'windowed_ack';
  readonly window: AckWindow;
  readonly ackTimeout: string;
  readonly retry: RetryPolicy;
}
export type BrokerMode = NoAckMode | WindowedAckMode;
export type MqttSinkMode =
  | { readonly kind: 'qos_0'; readonly retry: RetryPolicy }
  | {
      readonly kind: 'qos_ack';
      readonly qos: 1 | 2;
      readonly window: AckWindow;
      readonly ackTimeout: string;
      readonly retry: RetryPolicy;
    };
export type NatsSinkMode =
  | NoAckMode
  | {
      readonly kind: 'jetstream_ack';
      readonly window: AckWindow;
      readonly ackTimeout: string;
      readonly retry: RetryPolicy;
    };
export interface SqsSinkMode {
  readonly kind: 'sqs_single' | 'sqs_batch';
  readonly retry: RetryPolicy;
}
/** Any publishing mode, as `SET MODE` of an emitter takes it. */
export type SinkMode = BrokerMode | AckMode | MqttSinkMode | NatsSinkMode | SqsSinkMode;

/** What a record is sent to, without how its payload is made. */
interface ClientSink<Kind extends string, Mode> {
  readonly kind: Kind;
  readonly client: string;
  readonly mode: Mode;
}
export interface KafkaSink extends ClientSink<'kafka', BrokerMode> {
  readonly topic: string;
}
export interface PulsarSink extends ClientSink<'pulsar', BrokerMode> {
  readonly topic: string;
}
export interface RabbitmqSink extends ClientSink<'rabbitmq', BrokerMode> {
  readonly queue: string;
}
export interface RedisPubsubSink extends ClientSink<'redis_pubsub', NoAckMode> {
  readonly channel: string;
}
export interface MqttSink extends ClientSink<'mqtt', MqttSinkMode> {
  readonly topic: string;
}
export interface NatsSink extends ClientSink<'nats', NatsSinkMode> {
  readonly subject: string;
}
export type ZeromqSink = ClientSink<'zeromq', NoAckMode>;
export type SyslogSink = ClientSink<'syslog', NoAckMode>;
export type FifoGroup =
  | { readonly kind: 'branch' }
  | { readonly kind: 'expression'; readonly value: Expression };
export interface SqsSink extends ClientSink<'sqs', SqsSinkMode> {
  readonly queue: string;
  readonly fifoGroup: FifoGroup | null;
}
export type SentrySink = ClientSink<'sentry', AckMode>;
export interface HttpSink extends ClientSink<'http', AckMode> {
  readonly method: Expression;
  readonly path: Expression;
}
/** Consumers that speak this system's own session protocol. */
export interface ConsumerSink {
  readonly kind: 'consumers';
  readonly schema: string;
  readonly mode: WindowedAckMode;
}

/** `'column' = expression`. */
export interface ValueMapping {
  readonly column: string;
  readonly value: Expression;
}
export interface ConflictAction {
  /** Columns of the conflict target; empty where none is named. */
  readonly target: readonly string[];
  readonly action: 'NOTHING' | 'UPDATE';
}

interface ValuesSink<Kind extends string> extends ClientSink<Kind, AckMode> {
  readonly values: readonly ValueMapping[];
}
export interface ClickhouseSink extends ValuesSink<'clickhouse'> {
  readonly table: string;
}
export interface PostgresSink extends ValuesSink<'postgres'> {
  readonly table: string;
  readonly onConflict: ConflictAction | null;
}
export interface MysqlSink extends ValuesSink<'mysql'> {
  readonly table: string;
  /** Its target is always empty. */
  readonly onConflict: ConflictAction | null;
}
export interface MongodbSink extends ValuesSink<'mongodb'> {
  readonly collection: string;
  /** Its target is never empty. */
  readonly onConflict: ConflictAction | null;
}
export const ICEBERG_STORES = ['S3', 'GCS', 'AZURE_BLOB'] as const;
/** `client` is the object store's. */
export interface IcebergSink extends ValuesSink<'iceberg'> {
  readonly store: (typeof ICEBERG_STORES)[number];
  readonly table: string;
  readonly location: string;
  readonly catalog: string;
  readonly commit: IcebergCommit;
}
export interface IcebergCommit {
  readonly interval: string;
  readonly maxSize: string;
}

export type OtelTemporality = 'DELTA' | 'CUMULATIVE';
export type OtelInstrument =
  | { readonly kind: 'gauge' }
  | { readonly kind: 'sum'; readonly monotonic: boolean; readonly temporality: OtelTemporality }
  | { readonly kind: 'histogram'; readonly temporality: OtelTemporality };
export type OtelSignal =
  | { readonly kind: 'logs' }
  | { readonly kind: 'traces' }
  | {
      readonly kind: 'metric';
      readonly name: string;
      readonly unit: string;
      readonly description: string | null;
      readonly instrument: OtelInstrument;
    };
export interface OtelScope {
  readonly name: string;
  readonly version: string | null;
}
export interface OtelSink extends ValuesSink<'otel'> {
  readonly signal: OtelSignal;
  /** null without the clause, as for `resource` and `scope`. */
  readonly attributes: readonly ValueMapping[] | null;
  readonly resource: readonly ValueMapping[] | null;
  readonly scope: OtelScope | null;
}

/** Sinks of payloads that a codec makes, HTTP apart, whose requests may have no body. */
export type PayloadSink =
  | KafkaSink
  | PulsarSink
  | RabbitmqSink
  | RedisPubsubSink
  | MqttSink
  | NatsSink
  | ZeromqSink
  | SyslogSink
  | SqsSink
  | SentrySink;
/** Sinks that insert values as rows, in batches only. */
export type RowSink = ClickhouseSink | PostgresSink | MysqlSink | MongodbSink;
/** Sinks of values that are sent on their own or in batches. */
export type BulkSink = IcebergSink | OtelSink;
export type EmitterSink = PayloadSink | HttpSink | ConsumerSink | RowSink | BulkSink;
export type EmitterSinkKind = EmitterSink['kind'];
