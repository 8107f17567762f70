import {
  type ConflictAction,
  type EmitterBatch,
  type EmitterSink,
  type IcebergCommit,
  type OtelSignal,
  type OtelSink,
  type SinkMode,
  type SqsSink,
  unreachable,
  type ValueMapping,
} from '@nervix/model';
import { printExpression } from '../expression.js';
import { block, type Lines } from '../layout.js';
import { externalName, queueToSend, stringLiteral } from '../lexical.js';
import { printPatience, printRetry, printWindow } from './acknowledgement.js';

/** What follows TO in an emitter, its mode included, on one line. */
export function printSink(sink: EmitterSink): string {
  const values = hasRows(sink) ? [`VALUES ${printValues(sink.values)}`] : [];
  return [printSinkHead(sink), ...values, ...destinationClauses(sink)].join(' ');
}

/** The clauses of a sink behind {@link printSinkHead}, its mode the last. */
export function sinkClauses(sink: EmitterSink): Lines {
  const values = hasRows(sink) ? block('VALUES', sink.values.map(printMapping)) : [];
  return [...values, ...destinationClauses(sink)];
}

/** Where a sink writes, without what and how. Telemetry has both on its one line. */
export function printSinkHead(sink: EmitterSink): string {
  switch (sink.kind) {
    case 'kafka':
    case 'pulsar':
    case 'mqtt':
      return `${sink.kind.toUpperCase()} ${sink.client} TOPIC ${externalName(sink.topic)}`;
    case 'rabbitmq':
      return `RABBITMQ ${sink.client} QUEUE ${externalName(sink.queue)}`;
    case 'redis_pubsub':
      return `REDIS PUBSUB ${sink.client} CHANNEL ${externalName(sink.channel)}`;
    case 'nats':
      return `NATS ${sink.client} SUBJECT ${externalName(sink.subject)}`;
    case 'zeromq':
    case 'syslog':
    case 'sentry':
      return `${sink.kind.toUpperCase()} ${sink.client}`;
    case 'sqs':
      return printSqsHead(sink);
    case 'http': {
      const { client, method, path } = sink;
      return `HTTP ${client} METHOD ${printExpression(method)} PATH ${printExpression(path)}`;
    }
    case 'consumers':
      return `CLIENT SCHEMA ${sink.schema}`;
    case 'clickhouse':
    case 'postgres':
    case 'mysql':
      return `${sink.kind.toUpperCase()} ${sink.client} INSERT TO TABLE ${externalName(sink.table)}`;
    case 'mongodb':
      return `MONGODB ${sink.client} INSERT TO COLLECTION ${externalName(sink.collection)}`;
    case 'iceberg':
      return `ICEBERG ON ${sink.store} ${sink.client} TABLE ${externalName(sink.table)}`;
    case 'otel':
      return printOtelHead(sink);
    default:
      return unreachable(sink);
  }
}

/** What follows MODE in a sink. */
export function printSinkMode(mode: SinkMode): string {
  switch (mode.kind) {
    case 'no_ack':
      return `NO_ACK ${printRetry(mode.retry)}`;
    case 'ack':
      return `ACK ${printRetry(mode.retry)}`;
    case 'windowed_ack':
      return `ACK ${printWindow(mode.window)} ${printPatience(mode)}`;
    case 'qos_0':
      return `QOS 0 ${printRetry(mode.retry)}`;
    case 'qos_ack':
      return `QOS ${mode.qos} ACK ${printWindow(mode.window)} ${printPatience(mode)}`;
    case 'jetstream_ack':
      return `JETSTREAM ACK ${printWindow(mode.window)} ${printPatience(mode)}`;
    case 'sqs_single':
      return `SINGLE ${printRetry(mode.retry)}`;
    case 'sqs_batch':
      return `BATCH ${printRetry(mode.retry)}`;
    default:
      return unreachable(mode);
  }
}

/** `COMMIT EACH … MAX SIZE …`. */
export function printCommit({ interval, maxSize }: IcebergCommit): string {
  return `COMMIT EACH ${interval} MAX SIZE ${maxSize}`;
}

/** `BATCH MAX MESSAGES … MAX SIZE …`. */
export function printBatch({ maxMessages, maxSize }: EmitterBatch): string {
  return `BATCH MAX MESSAGES ${maxMessages} MAX SIZE ${maxSize}`;
}

type RowsSink = Exclude<Extract<EmitterSink, { readonly values: unknown }>, OtelSink>;

/** Whether the values are rows, which have lines of their own. */
function hasRows(sink: EmitterSink): sink is RowsSink {
  return 'values' in sink && sink.kind !== 'otel';
}

/** The clauses between the values and what makes a payload. */
function destinationClauses(sink: EmitterSink): Lines {
  const mode = `MODE ${printSinkMode(sink.mode)}`;
  if (sink.kind === 'iceberg') {
    const location = `LOCATION ${stringLiteral(sink.location)}`;
    return [location, `CATALOG ${sink.catalog}`, printCommit(sink.commit), mode];
  }
  if (!('onConflict' in sink) || sink.onConflict === null) return [mode];
  return [printConflict(sink.onConflict), mode];
}

function printConflict({ target, action }: ConflictAction): string {
  const columns = target.length === 0 ? '' : ` (${target.map(stringLiteral).join(', ')})`;
  return `ON CONFLICT${columns} DO ${action}`;
}

function printMapping({ column, value }: ValueMapping): string {
  return `${stringLiteral(column)} = ${printExpression(value)}`;
}

function printValues(values: readonly ValueMapping[]): string {
  return `{${values.map(printMapping).join(', ')}}`;
}

function printSqsHead({ client, queue, fifoGroup }: SqsSink): string {
  const head = `SQS ${client} QUEUE ${queueToSend(queue)}`;
  if (fifoGroup === null) return head;
  const group = fifoGroup.kind === 'branch' ? 'FROM BRANCH' : printExpression(fifoGroup.value);
  return `${head} FIFO GROUP ${group}`;
}

function printOtelHead({ client, signal, values, attributes, resource, scope }: OtelSink): string {
  const version = scope?.version == null ? '' : ` VERSION ${stringLiteral(scope.version)}`;
  return [
    `OTEL ${client} ${printSignal(signal)} VALUES ${printValues(values)}`,
    ...(attributes === null ? [] : [`ATTRIBUTES ${printValues(attributes)}`]),
    ...(resource === null ? [] : [`RESOURCE ${printValues(resource)}`]),
    ...(scope === null ? [] : [`SCOPE ${stringLiteral(scope.name)}${version}`]),
  ].join(' ');
}

function printSignal(signal: OtelSignal): string {
  if (signal.kind !== 'metric') return signal.kind.toUpperCase();
  const { name, unit, description, instrument } = signal;
  const about = description === null ? '' : ` DESCRIPTION ${stringLiteral(description)}`;
  const head = `METRIC ${stringLiteral(name)} UNIT ${stringLiteral(unit)}${about}`;
  switch (instrument.kind) {
    case 'gauge':
      return `${head} GAUGE`;
    case 'sum':
      return `${head} SUM ${instrument.monotonic ? 'MONOTONIC ' : ''}${instrument.temporality}`;
    default:
      return `${head} HISTOGRAM ${instrument.temporality}`;
  }
}
