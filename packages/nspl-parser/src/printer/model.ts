import {
  type ClientModel,
  type CodecModel,
  type DeduplicatorModel,
  type EmitterModel,
  type EndpointModel,
  type IngestorModel,
  type JsonWireSchemaModel,
  type JunctionModel,
  type Model,
  printDataType,
  type RelayModel,
  type ResourceBinding,
  type SchemaModel,
  statementWords,
  unreachable,
  type VhostModel,
  type WindowBound,
  type WindowProcessorModel,
} from '@nervix/model';
import { printExpression } from './expression.js';
import { block, blockStatement, clauseStatement, group, type Lines } from './layout.js';
import { stringLiteral } from './lexical.js';
import {
  constructionLines,
  printBranching,
  printDependency,
  printFlush,
  printInputs,
  printMessageError,
  printPolicy,
  routeLines,
} from './route.js';

/** Canonical CREATE statement of a model, as SHOW CREATE prints it. */
export function printModel(model: Model): string {
  return printCreate(model, 'CREATE');
}

/** As {@link printModel}, after the given words. */
export function printCreate(model: Model, create: string): string {
  switch (model.kind) {
    case 'schema':
      return printSchema(model, create);
    case 'wire_json_schema':
      return printWireSchema(model, create);
    case 'codec':
      return printCodec(model, create);
    case 'branch': {
      const { name, schema, ttl, maxInstances } = model;
      const bound = maxInstances === null ? '' : ` MAX INSTANCES ${maxInstances} EVICT LRU`;
      return `${create} BRANCH ${name} SCHEMA ${schema} TTL ${ttl}${bound};`;
    }
    case 'relay':
      return printRelay(model, create);
    case 'vhost':
      return printVhost(model, create);
    case 'endpoint':
      return printEndpoint(model, create);
    case 'client':
      return printClient(model, create);
    case 'ingestor':
      return printIngestor(model, create);
    case 'junction':
    case 'deduplicator':
    case 'window_processor':
      return printProcessor(model, create);
    case 'emitter':
      return printEmitter(model, create);
    default:
      return unreachable(model);
  }
}

function printSchema(model: SchemaModel, create: string): string {
  const fields = model.fields.map(({ name, type, optional, sensitive }) => {
    const modifiers = (optional ? ' OPTIONAL' : '') + (sensitive ? ' SENSITIVE' : '');
    return `${name} ${printDataType(type)}${modifiers}`;
  });
  return blockStatement(`${create} SCHEMA ${model.name}`, fields);
}

function printWireSchema(model: JsonWireSchemaModel, create: string): string {
  const fields = model.fields.map(
    ({ name, type, optional }) => `${name} ${type}${optional ? ' OPTIONAL' : ''}`,
  );
  return blockStatement(`${create} WIRE JSON SCHEMA ${model.name} MODE ${model.mode}`, fields);
}

function printCodec(model: CodecModel, create: string): string {
  const rules = model.encode.map(({ field, as }) => `${field} AS ${as}`).join(', ');
  return clauseStatement(`${create} CODEC ${model.name}`, [
    `FROM WIRE ${model.source.format} SCHEMA ${model.source.wireSchema}`,
    `TO SCHEMA ${model.schema}`,
    ...(rules === '' ? [] : [`ENCODE ${rules}`]),
  ]);
}

function printRelay(model: RelayModel, create: string): string {
  const { name, schema, branching, capacity, materialized } = model;
  const state = materialized ? ' WITH MATERIALIZED STATE LAST BY TIMESTAMP' : '';
  const head = `${create} RELAY ${name} SCHEMA ${schema}`;
  return `${head} ${printBranching(branching)} CAPACITY ${capacity}${state};`;
}

function printBinding(words: string, binding: ResourceBinding | null): string {
  return binding === null ? '' : ` ${words} ${binding.resource} VERSION ${binding.version}`;
}

function printVhost(model: VhostModel, create: string): string {
  const tls = printBinding('WITH TLS', model.tls);
  return `${create} VHOST ${model.name} ${model.hostnames.join(', ')}${tls};`;
}

function printEndpoint(model: EndpointModel, create: string): string {
  const { name, vhost, path, type, signaling } = model;
  const protocol = signaling === null ? '' : ` WITH SIGNALING PROTOCOL ${signaling}`;
  const place = `ON ${vhost} PATH ${stringLiteral(path)}`;
  return `${create} ENDPOINT ${name} ${place} TYPE ${type}${protocol};`;
}

function printClient(model: ClientModel, create: string): string {
  const entries = model.config.map(
    ({ key, value }) => `${stringLiteral(key)} = ${stringLiteral(value)}`,
  );
  return clauseStatement(`${create} CLIENT ${model.name}`, [
    `TYPE ${model.type}${printBinding('MOUNT', model.mount)}`,
    ...block('CONFIG', entries),
  ]);
}

function printSource({ endpoint, mode, quiesce }: IngestorModel['source']): string {
  const modeText =
    mode.kind === 'no_ack_sequential'
      ? 'NO_ACK SEQUENTIAL'
      : `ACK PARALLEL MAX ${mode.max} ACK TIMEOUT ${mode.ackTimeout}`;
  const quiesceText =
    quiesce.kind === 'reject'
      ? `REJECT RETRY AFTER ${quiesce.retryAfter}`
      : `BUFFER MAX SIZE ${quiesce.maxSize}`;
  return `ENDPOINT ${endpoint} MODE ${modeText} ON QUIESCE ${quiesceText}`;
}

function printIngestor(model: IngestorModel, create: string): string {
  const { timestamp, filter, decodeError } = model;
  const stamp = timestamp?.kind === 'at' ? `AT ${timestamp.field}` : 'NOW';
  return clauseStatement(`${create} INGESTOR ${model.name}`, [
    `FROM ${printSource(model.source)}`,
    `DECODE USING ${model.decodeUsing}`,
    ...(timestamp === null ? [] : [`TIMESTAMP ${stamp}`]),
    ...(filter === null ? [] : [`FILTER WHERE ${printExpression(filter)}`]),
    ...model.routes.flatMap(routeLines),
    ...(decodeError === null ? [] : [`ON DECODE ERROR ${printPolicy(decodeError)}`]),
    `ON GENERAL ERROR ${model.generalError}`,
  ]);
}

function printBound({ messages, duration }: WindowBound): string {
  return [
    ...(messages === null ? [] : [`${messages} MESSAGES`]),
    ...(duration === null ? [] : [`${duration} DURATION`]),
  ].join(' ');
}

type ProcessorModel = JunctionModel | DeduplicatorModel | WindowProcessorModel;

/** Clauses that only one kind of processor has. */
function kindClauses(model: ProcessorModel): Lines {
  switch (model.kind) {
    case 'junction':
      return [];
    case 'deduplicator':
      return [
        `DEDUPLICATE ON ${model.deduplicateOn.map(printExpression).join(', ')}`,
        `MAX TIME ${model.maxTime}`,
      ];
    default:
      return [
        `WIDTH ${printBound(model.width)}`,
        `STEP ${printBound(model.step)}`,
        ...(model.maxStateSize === null ? [] : [`MAX STATE SIZE ${model.maxStateSize}B`]),
      ];
  }
}

function printProcessor(model: ProcessorModel, create: string): string {
  const kind = statementWords(model.kind);
  return clauseStatement(`${create} ${model.acknowledgement} ${kind} ${model.name}`, [
    `FROM ${printInputs(model.inputs)}`,
    ...(model.filter === null ? [] : [`FILTER WHERE ${printExpression(model.filter)}`]),
    ...kindClauses(model),
    printBranching(model.branching),
    ...model.dependencies.map(printDependency),
    ...model.routes.flatMap(routeLines),
  ]);
}

function printEmitter(model: EmitterModel, create: string): string {
  const { client, method, path, mode, body } = model.sink;
  const sink = `HTTP ${client} METHOD ${printExpression(method)} PATH ${printExpression(path)}`;
  const { backoff, max } = mode.retry;
  return clauseStatement(`${create} ${model.acknowledgement} EMITTER ${model.name}`, [
    `FROM ${printInputs(model.inputs)}`,
    ...model.dependencies.map(printDependency),
    ...group(`TO ${sink}`, [
      `MODE ACK RETRY POLICY BACKOFF ${backoff} MAX ${max}`,
      body.kind === 'encode' ? `ENCODE USING ${body.codec}` : 'WITHOUT BODY',
    ]),
    ...constructionLines(model.construction),
    printFlush(model.flush),
    printMessageError(model.messageError),
    `ON GENERAL ERROR ${model.generalError}`,
  ]);
}
