import {
  type IngestSource,
  type KafkaOffsets,
  type MqttSource,
  printClockDuration,
  type QuiesceMode,
} from '@nervix/model';
import { externalName, stringLiteral } from '../lexical.js';
import { printPatience, printWindow } from './acknowledgement.js';

/** What follows FROM in an ingestor, its mode and ON QUIESCE included. */
export function printSource(source: IngestSource): string {
  const words = [
    printHead(source),
    printPace(source),
    `ON QUIESCE ${printQuiesce(source.quiesce)}`,
  ];
  return words.join(' ');
}

/** What a source reads, without how. */
function printHead(source: IngestSource): string {
  switch (source.kind) {
    case 'kafka': {
      const { client, topic, offsets, instances } = source;
      const place = `TOPIC ${externalName(topic)} OFFSET BY ${printOffsets(offsets)}`;
      return `KAFKA ${client} ${place}${printInstances(instances)}`;
    }
    case 'pulsar': {
      const { client, topic, subscription, instances } = source;
      const place = `TOPIC ${externalName(topic)} SUBSCRIPTION ${externalName(subscription)}`;
      return `PULSAR ${client} ${place}${printInstances(instances)}`;
    }
    case 'rabbitmq':
    case 'sqs': {
      const { kind, client, queue, instances } = source;
      const place = `QUEUE ${externalName(queue)}${printInstances(instances)}`;
      return `${kind.toUpperCase()} ${client} ${place}`;
    }
    case 'mqtt':
      return printMqtt(source);
    case 'nats': {
      const { client, subject, queueGroup, instances } = source;
      const group = `QUEUE GROUP ${externalName(queueGroup)} INSTANCES ${instances}`;
      return `NATS ${client} SUBJECT ${externalName(subject)} ${group}`;
    }
    case 'redis_pubsub':
      return `REDIS PUBSUB ${source.client} CHANNEL ${externalName(source.channel)}`;
    case 'prometheus':
      return `PROMETHEUS ${source.client} QUERY ${stringLiteral(source.query)}`;
    case 'endpoint':
      return `ENDPOINT ${source.endpoint}`;
    case 'producers':
      return `CLIENT SCHEMA ${source.schema}`;
    default:
      return `${source.kind.toUpperCase()} ${source.client}`;
  }
}

function printOffsets(offsets: KafkaOffsets): string {
  return offsets.kind === 'domain' ? 'DOMAIN' : `CONSUMER GROUP ${externalName(offsets.group)}`;
}

function printInstances(instances: string): string {
  return instances === '1' ? '' : ` INSTANCES ${instances}`;
}

function printMqtt({ client, topicFilter, instances, session, qos, mode }: MqttSource): string {
  const isUsual = session === 'CLEAN' && qos === 0 && mode.kind.startsWith('no_ack');
  const delivery = isUsual ? '' : ` SESSION ${session} QOS ${qos}`;
  return `MQTT ${client} TOPIC ${externalName(topicFilter)}${printInstances(instances)}${delivery}`;
}

/** How often or how a source is read. */
function printPace(source: IngestSource): string {
  switch (source.kind) {
    case 'http':
    case 'prometheus':
      return `EVERY ${printClockDuration(BigInt(source.everyNanos))}`;
    case 'producers':
      return `MODE ACK ${printWindow(source.window)} ${printPatience(source)}`;
    default:
      return `MODE ${printSourceMode(source.mode)}`;
  }
}

type SourceMode = Extract<IngestSource, { readonly mode: unknown }>['mode'];

/** What follows MODE in a source. */
function printSourceMode(mode: SourceMode): string {
  switch (mode.kind) {
    case 'ack_sequential':
      return `ACK SEQUENTIAL ${printPatience(mode)}`;
    case 'ack_parallel_batch': {
      const batch = `MAX ${mode.max} BATCH TIMEOUT ${mode.batchTimeout}`;
      return `ACK PARALLEL ${batch} ${printPatience(mode)}`;
    }
    case 'ack_parallel':
      return `ACK PARALLEL MAX ${mode.max} ACK TIMEOUT ${mode.ackTimeout}`;
    case 'no_ack_parallel':
      return 'NO_ACK PARALLEL';
    default:
      return 'NO_ACK SEQUENTIAL';
  }
}

/** What follows ON QUIESCE. */
export function printQuiesce(quiesce: QuiesceMode): string {
  switch (quiesce.kind) {
    case 'reject':
      return `REJECT RETRY AFTER ${quiesce.retryAfter}`;
    case 'buffer': {
      const overflow = quiesce.overflow === null ? '' : ` ON OVERFLOW DROP ${quiesce.overflow}`;
      return `BUFFER MAX SIZE ${quiesce.maxSize}${overflow}`;
    }
    default:
      return quiesce.kind.toUpperCase();
  }
}
