import type { RetryPolicy } from '../route.js';

/** Where a Kafka source keeps its position. */
export type KafkaOffsets =
  | { readonly kind: 'consumer_group'; readonly group: string }
  | { readonly kind: 'domain' };

/** Payloads are taken one after the other, and not waited for. */
export interface NoAckSequential {
  readonly kind: 'no_ack_sequential';
}
/** One message in flight. */
export interface AckSequential {
  readonly kind: 'ack_sequential';
  readonly ackTimeout: string;
  readonly retry: RetryPolicy;
}
/** Up to `max` messages in flight, acknowledged in batches. */
export interface AckParallelBatch {
  readonly kind: 'ack_parallel_batch';
  readonly max: string;
  readonly batchTimeout: string;
  readonly ackTimeout: string;
  readonly retry: RetryPolicy;
}
/** Payloads are taken several at a time, and not waited for. */
export interface NoAckParallel {
  readonly kind: 'no_ack_parallel';
}
/** Up to `max` requests in flight, each answered after its records' acknowledgement. */
export interface EndpointAckParallel {
  readonly kind: 'ack_parallel';
  readonly max: string;
  readonly ackTimeout: string;
}
/** Modes of endpoints. */
export type EndpointMode = NoAckSequential | EndpointAckParallel;
/** Modes of Kafka and Pulsar. */
export type LogMode = AckSequential | AckParallelBatch | NoAckParallel;
/** Modes of MQTT sources. */
export type MqttMode = LogMode | NoAckSequential;

/** What a producer of this system is told before it may send more. */
export type AckWindow =
  | { readonly kind: 'sequential' }
  | { readonly kind: 'parallel'; readonly max: string };

/** What the external source experiences while intake is held. */
export type QuiesceMode =
  | { readonly kind: 'suspend' }
  | { readonly kind: 'drop' }
  /** Endpoints refuse what does not fit; `overflow` says what other sources drop. */
  | {
      readonly kind: 'buffer';
      readonly maxSize: string;
      readonly overflow: 'OLDEST' | 'NEWEST' | null;
    }
  | { readonly kind: 'reject'; readonly retryAfter: string };

interface Source<Kind extends string> {
  readonly kind: Kind;
  readonly quiesce: QuiesceMode;
}
interface ClientSource<Kind extends string, Mode> extends Source<Kind> {
  readonly client: string;
  readonly mode: Mode;
}

/** A topic of Kafka. */
export interface KafkaSource extends ClientSource<'kafka', LogMode> {
  readonly topic: string;
  readonly offsets: KafkaOffsets;
  /** Decimal text; 1 when not declared. */
  readonly instances: string;
}
/** A subscription of Pulsar. */
export interface PulsarSource extends ClientSource<'pulsar', LogMode> {
  readonly topic: string;
  readonly subscription: string;
  readonly instances: string;
}
/** A queue of RabbitMQ. */
export interface RabbitmqSource extends ClientSource<'rabbitmq', AckSequential> {
  readonly queue: string;
  readonly instances: string;
}
/** A queue of SQS. */
export interface SqsSource extends ClientSource<'sqs', AckSequential> {
  readonly queue: string;
  readonly instances: string;
}
/** Topics of MQTT. */
export interface MqttSource extends ClientSource<'mqtt', MqttMode> {
  readonly topicFilter: string;
  readonly instances: string;
  readonly session: 'CLEAN' | 'PERSISTENT';
  readonly qos: 0 | 1;
}
/** A queue group of NATS. */
export interface NatsSource extends ClientSource<'nats', NoAckSequential> {
  readonly subject: string;
  readonly queueGroup: string;
  readonly instances: string;
}
/** A channel of Redis. */
export interface RedisPubsubSource extends ClientSource<'redis_pubsub', NoAckSequential> {
  readonly channel: string;
}
/** A WebSocket connection that the node opens. */
export type WebsocketsSource = ClientSource<'websockets', NoAckSequential>;
/** A PULL socket. */
export type ZeromqSource = ClientSource<'zeromq', NoAckSequential>;
/** A listener for syslog messages. */
export type SyslogSource = ClientSource<'syslog', NoAckSequential>;
/** Polls; `everyNanos` is a clock duration in decimal nanoseconds. */
export interface HttpSource extends Source<'http'> {
  readonly client: string;
  readonly everyNanos: string;
}
/** A query that is repeated. */
export interface PrometheusSource extends Source<'prometheus'> {
  readonly client: string;
  readonly query: string;
  readonly everyNanos: string;
}
/** What arrives at an endpoint. */
export interface EndpointSource extends Source<'endpoint'> {
  readonly endpoint: string;
  readonly mode: EndpointMode;
}
/** Producers that speak this system's own session protocol; records need no codec. */
export interface ProducerSource extends Source<'producers'> {
  readonly schema: string;
  readonly window: AckWindow;
  readonly ackTimeout: string;
  readonly retry: RetryPolicy;
}

/** Sources whose payloads a codec decodes. */
export type PayloadSource =
  | KafkaSource
  | PulsarSource
  | RabbitmqSource
  | SqsSource
  | MqttSource
  | NatsSource
  | RedisPubsubSource
  | WebsocketsSource
  | ZeromqSource
  | SyslogSource
  | HttpSource
  | PrometheusSource
  | EndpointSource;
/** Where an ingestor takes payloads from. */
export type IngestSource = PayloadSource | ProducerSource;
