import { type DomainModels, modelsOfKind } from '@nervix/planner';
import { ingestorStatus } from './describe-ingestor.js';
import type { DescribeSubject } from './describe-subject.js';

/** One line per ingestor, by name. */
export function showIngestors(models: DomainModels, subject: DescribeSubject): string {
  const lines = modelsOfKind(models, 'ingestor').map(
    ({ name, decodeUsing }) =>
      `${name} source=ENDPOINT codec=${decodeUsing} ` +
      `owner=${subject.assignmentOf('ingestor', name).owner} ` +
      `status=${ingestorStatus(name, subject)}`,
  );
  return lines.length === 0 ? 'no ingestors' : lines.join('\n');
}
