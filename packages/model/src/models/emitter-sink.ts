import type { Expression } from '../expression.js';
import type { RetryPolicy } from '../route.js';
import type { AckWindow } from './ingest-source.js';

/** A record counts as delivered once it is handed over. */
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
/** Modes of sinks that may confirm. */
export type BrokerMode = NoAckMode | WindowedAckMode;
/** Modes of MQTT sinks. */
export type MqttSinkMode =
  | { readonly kind: 'qos_0'; readonly retry: RetryPolicy }
  | {
      readonly kind: 'qos_ack';
      readonly qos: 1 | 2;
      readonly window: AckWindow;
      readonly ackTimeout: string;
      readonly retry: RetryPolicy;
    };
/** Modes of NATS sinks. */
export type NatsSinkMode =
  | NoAckMode
  | {
      readonly kind: 'jetstream_ack';
      readonly window: AckWindow;
      readonly ackTimeout: string;
      readonly retry: RetryPolicy;
    };
/** Modes of SQS sinks. */
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
/** A topic of Kafka. */
export interface KafkaSink extends ClientSink<'kafka', BrokerMode> {
  readonly topic: string;
}
/** A topic of Pulsar. */
export interface PulsarSink extends ClientSink<'pulsar', BrokerMode> {
  readonly topic: string;
}
/** A queue of RabbitMQ. */
export interface RabbitmqSink extends ClientSink<'rabbitmq', BrokerMode> {
  readonly queue: string;
}
/** A channel of Redis. */
export interface RedisPubsubSink extends ClientSink<'redis_pubsub', NoAckMode> {
  readonly channel: string;
}
/** A topic of MQTT. */
export interface MqttSink extends ClientSink<'mqtt', MqttSinkMode> {
  readonly topic: string;
}
/** A subject of NATS. */
export interface NatsSink extends ClientSink<'nats', NatsSinkMode> {
  readonly subject: string;
}
/** A PUSH socket. */
export type ZeromqSink = ClientSink<'zeromq', NoAckMode>;
/** A receiver of syslog messages. */
export type SyslogSink = ClientSink<'syslog', NoAckMode>;
/** What the records of a FIFO queue are grouped by. */
export type FifoGroup =
  | { readonly kind: 'branch' }
  | { readonly kind: 'expression'; readonly value: Expression };
/** A queue of SQS. */
export interface SqsSink extends ClientSink<'sqs', SqsSinkMode> {
  readonly queue: string;
  readonly fifoGroup: FifoGroup | null;
}
/** A project of Sentry. */
export type SentrySink = ClientSink<'sentry', AckMode>;
/** Requests, one for each record. */
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
/** What is done about a row whose key is there already. */
export interface ConflictAction {
  /** Columns of the conflict target; empty where none is named. */
  readonly target: readonly string[];
  readonly action: 'NOTHING' | 'UPDATE';
}

interface ValuesSink<Kind extends string> extends ClientSink<Kind, AckMode> {
  readonly values: readonly ValueMapping[];
}
/** A table of ClickHouse. */
export interface ClickhouseSink extends ValuesSink<'clickhouse'> {
  readonly table: string;
}
/** A table of Postgres. */
export interface PostgresSink extends ValuesSink<'postgres'> {
  readonly table: string;
  readonly onConflict: ConflictAction | null;
}
/** A table of MySQL. */
export interface MysqlSink extends ValuesSink<'mysql'> {
  readonly table: string;
  /** Its target is always empty. */
  readonly onConflict: ConflictAction | null;
}
/** A collection of MongoDB. */
export interface MongodbSink extends ValuesSink<'mongodb'> {
  readonly collection: string;
  /** Its target is never empty. */
  readonly onConflict: ConflictAction | null;
}
/** Where the files of Iceberg tables may lie. */
export const ICEBERG_STORES = ['S3', 'GCS', 'AZURE_BLOB'] as const;
/** `client` is the object store's. */
export interface IcebergSink extends ValuesSink<'iceberg'> {
  readonly store: (typeof ICEBERG_STORES)[number];
  readonly table: string;
  readonly location: string;
  readonly catalog: string;
  readonly commit: IcebergCommit;
}
/** When staged files enter a table. */
export interface IcebergCommit {
  readonly interval: string;
  readonly maxSize: string;
}

/** Whether a metric tells changes or totals. */
export type OtelTemporality = 'DELTA' | 'CUMULATIVE';
/** What kind of metric it is. */
export type OtelInstrument =
  | { readonly kind: 'gauge' }
  | { readonly kind: 'sum'; readonly monotonic: boolean; readonly temporality: OtelTemporality }
  | { readonly kind: 'histogram'; readonly temporality: OtelTemporality };
/** What kind of OpenTelemetry data it is. */
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
/** The OpenTelemetry scope of what is sent. */
export interface OtelScope {
  readonly name: string;
  readonly version: string | null;
}
/** An OpenTelemetry collector. */
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
/** Where an emitter delivers to. */
export type EmitterSink = PayloadSink | HttpSink | ConsumerSink | RowSink | BulkSink;
/** Kinds of sinks. */
export type EmitterSinkKind = EmitterSink['kind'];
