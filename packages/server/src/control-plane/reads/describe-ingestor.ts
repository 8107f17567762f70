import type { IngestorModel } from '@nervix/model';
import { printQuiesce } from '@nervix/nspl-parser';
import type { DomainStatus } from '@nervix/runtime/data-plane';
import type { DescribeSubject } from './describe-subject.js';
import { nodeMetricsBlock } from './metrics-block.js';
import { routeBlock } from './route-block.js';

type IngestorFigures = DomainStatus['ingestors'][number];

/** Lines of DESCRIBE INGESTOR. */
export function describeIngestor(
  model: IngestorModel,
  subject: DescribeSubject,
): readonly string[] {
  const figures = figuresOf(model.name, subject);
  const causes = figures?.quiesceCauses ?? [];
  const status = ingestorStatus(model.name, subject);
  return [
    `ingestor: ${model.name}`,
    'kind: INGESTOR',
    `source: ${model.source.kind.toUpperCase()}`,
    `streams: ${model.routes.map(({ relay }) => relay).join(', ')}`,
    `codec: ${model.decodeUsing ?? 'none'}`,
    `owner: ${subject.assignmentOf('ingestor', model.name).owner}`,
    `timestamp: ${timestampText(model)}`,
    `status: ${status}`,
    `ready: ${status === 'running'}`,
    `quiesce: ${printQuiesce(model.source.quiesce)}`,
    `quiesce state: ${causes.length === 0 ? 'none' : causes.join(', ')}`,
    `nervix_ingestor_quiesce_buffered_records: ${figures?.bufferedRecords ?? 0}`,
    `nervix_ingestor_quiesce_buffered_bytes: ${figures?.bufferedBytes ?? 0}`,
    `nervix_ingestor_quiesce_dropped_total: ${figures?.dropped ?? 0}`,
    `nervix_ingestor_quiesce_rejected_total: ${figures?.rejected ?? 0}`,
    ...routeBlock(model.routes),
    `memory-backpressure: ${causes.includes('memory pressure') ? 'active' : 'inactive'}`,
    `transient error: ${subject.failure ?? '-'}`,
    'reconnect backoff: -',
    'reconnect wait: -',
    ...(model.decodeError === null
      ? []
      : [`decode errors: ${decodePolicyText(model)} count=${figures?.decodeErrors ?? 0}`]),
    ...nodeMetricsBlock(subject.status.metrics, 'INGESTOR', model.name),
  ];
}

/** `running`, `quiesced` while intake is held, or `stopped`. */
export function ingestorStatus(name: string, subject: DescribeSubject): string {
  if (subject.domain.status !== 'running') return 'stopped';
  const figures = figuresOf(name, subject);
  if (figures === undefined) return 'stopped';
  return figures.state === 'held' ? 'quiesced' : 'running';
}

function figuresOf(name: string, subject: DescribeSubject): IngestorFigures | undefined {
  return subject.status.ingestors.find((figures) => figures.name === name);
}

function timestampText({ timestamp }: IngestorModel): string {
  if (timestamp === null) return '-';
  return timestamp.kind === 'now' ? 'NOW' : 'AT';
}

function decodePolicyText({ decodeError }: IngestorModel): string {
  if (decodeError?.kind === 'send_to') return `SEND TO ${decodeError.relay}`;
  return decodeError?.kind === 'retry' ? 'RETRY' : 'LOG';
}
