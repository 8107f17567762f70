import {
  type DeduplicatorModel,
  type EmitterModel,
  type EmitterSink,
  type EndpointModel,
  type Flush,
  kindWords,
  type Model,
  type ProcessorClauses,
  statementWords,
  type WindowBound,
  type WindowProcessorModel,
} from '@nervix/model';
import { printExpression } from '@nervix/nspl-parser';
import { describeIngestor } from './describe-ingestor.js';
import type { DescribeSubject } from './describe-subject.js';
import { nodeMetricsBlock } from './metrics-block.js';
import { emitterHealth } from './node-status.js';
import { routeBlock } from './route-block.js';
import { windowStructures } from './window-structures.js';

/** Text of DESCRIBE for every kind that executes, and for endpoints. */
export function describeModel(model: Model, subject: DescribeSubject): string {
  return descriptionLines(model, subject).join('\n');
}

function descriptionLines(model: Model, subject: DescribeSubject): readonly string[] {
  switch (model.kind) {
    case 'ingestor':
      return describeIngestor(model, subject);
    case 'junction':
      return [
        ...heading(model, subject),
        fromLine(model),
        `branch: ${branchText(model)}`,
        `mode: ${model.acknowledgement}`,
        filterLine(model),
        'branch-local: true',
        ...routeBlock(model.routes),
        ...nodeMetricsBlock(subject.status.metrics, 'JUNCTION', model.name),
      ];
    case 'deduplicator':
      return describeDeduplicator(model, subject);
    case 'window_processor':
      return describeWindow(model, subject);
    case 'emitter':
      return describeEmitter(model, subject);
    case 'endpoint':
      return describeEndpoint(model);
    default:
      return [`${kindWords(model.kind)}: ${model.name}`];
  }
}

function heading(model: Model, subject: DescribeSubject): readonly string[] {
  const { owner, replicas } = subject.assignmentOf(model.kind, model.name);
  return [
    `${kindWords(model.kind)}: ${model.name}`,
    `kind: ${statementWords(model.kind)}`,
    `owner: ${owner}`,
    `replicas: ${replicas}`,
  ];
}

function describeDeduplicator(
  model: DeduplicatorModel,
  subject: DescribeSubject,
): readonly string[] {
  const keys = model.deduplicateOn.map((key) => printExpression(key)).join(', ');
  return [
    ...heading(model, subject),
    fromLine(model),
    `mode: ${model.acknowledgement}`,
    `deduplicate on: ${keys}`,
    `max time: ${model.maxTime}`,
    filterLine(model),
    'branch-local: true',
    'persistent state: true',
    'replicated state: true',
    'state structures: 1',
    'structure 0:',
    '  function: DEDUPLICATE_ON',
    '  storage: recent_key_set',
    `  key expressions: ${keys}`,
    `  max time: ${model.maxTime}`,
    ...routeBlock(model.routes),
    ...nodeMetricsBlock(subject.status.metrics, 'DEDUPLICATOR', model.name),
  ];
}

function describeWindow(model: WindowProcessorModel, subject: DescribeSubject): readonly string[] {
  const structures = windowStructures(model);
  return [
    ...heading(model, subject),
    fromLine(model),
    `mode: ${model.acknowledgement === 'ATTACHED' ? 'Attached' : 'Detached'}`,
    `width: ${boundText(model.width)}`,
    `step: ${boundText(model.step)}`,
    filterLine(model),
    'branch-local: true',
    `aggregate structures: ${structures.length}`,
    ...routeBlock(model.routes),
    ...structures.flat(),
    ...nodeMetricsBlock(subject.status.metrics, 'WINDOW_PROCESSOR', model.name),
  ];
}

function describeEmitter(model: EmitterModel, subject: DescribeSubject): readonly string[] {
  const { status, error, waitMs, detail } = emitterHealth(model, subject.status, subject.failure);
  const { sink, construction, encodeUsing } = model;
  const { retry } = sink.mode;
  const { owner, replicas } = subject.assignmentOf('emitter', model.name);
  const hasFilterMap =
    construction.inherit !== null || construction.set.length > 0 || construction.where !== null;
  return [
    `emitter: ${model.name}`,
    'kind: EMITTER',
    `owner: ${owner}`,
    `replicas: ${replicas}`,
    `status: ${status}`,
    `detail: ${detail ?? '-'}`,
    `transient error: ${error ?? '-'}`,
    `reconnect backoff: ${waitMs === null ? '-' : retry.backoff}`,
    `reconnect wait: ${waitMs === null ? '-' : `${Math.ceil(waitMs)}ms`}`,
    `from: ${model.inputs.relays.map(({ relay }) => relay).join(', ')}`,
    `codec: ${encodeUsing ?? 'none'}`,
    `body: ${encodeUsing === null ? 'without body' : 'codec'}`,
    `sink: ${sinkText(sink)}`,
    'batch: none',
    `flush: ${flushClause(model.flush)}`,
    `publishing mode: MODE ACK RETRY POLICY BACKOFF ${retry.backoff} MAX ${retry.max}`,
    `filter-map: ${hasFilterMap ? 'present' : 'none'}`,
    ...nodeMetricsBlock(subject.status.metrics, 'EMITTER', model.name),
  ];
}

function sinkText(sink: EmitterSink): string {
  if (sink.kind !== 'http') return sink.kind.toUpperCase();
  const { client, method, path } = sink;
  return `HTTP client=${client} method=${printExpression(method)} path=${printExpression(path)}`;
}

function describeEndpoint(model: EndpointModel): readonly string[] {
  return [
    `endpoint: ${model.name}`,
    'kind: ENDPOINT',
    `vhost: ${model.vhost}`,
    `path: ${model.path}`,
    `type: ${model.type}`,
  ];
}

function fromLine({ inputs }: ProcessorClauses): string {
  return `from: ${inputs.relays.map(({ relay }) => relay).join(', ')}`;
}

function filterLine({ filter }: ProcessorClauses): string {
  return `filter-where: ${filter === null ? 'none' : 'present'}`;
}

function branchText({ branching }: ProcessorClauses): string {
  return branching.kind === 'unbranched' ? 'UNBRANCHED' : branching.branch;
}

function boundText({ messages, duration }: WindowBound): string {
  const parts: string[] = [];
  if (messages !== null) parts.push(`${messages} MESSAGES`);
  if (duration !== null) parts.push(`${duration} DURATION`);
  return parts.join(' ');
}

function flushClause(flush: Flush): string {
  return flush.kind === 'immediate'
    ? 'FLUSH IMMEDIATE'
    : `FLUSH EACH ${flush.interval} MAX BATCH SIZE ${flush.maxBatchSize}`;
}
