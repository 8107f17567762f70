import type { DomainRecord } from '../../replicated-state/records.js';
import type { DescribeSubject } from './describe-subject.js';
import { domainMetricsBlock } from './metrics-block.js';

/** Text of DESCRIBE DOMAIN. */
export function describeDomain(domain: DomainRecord, subject: DescribeSubject): string {
  return [
    `domain: ${domain.name}`,
    `status: ${domain.status}`,
    ...domainMetricsBlock(subject.status.metrics),
    'placement:',
    `  default policy: ${domain.placement}`,
    '  rule count: 0',
  ].join('\n');
}
