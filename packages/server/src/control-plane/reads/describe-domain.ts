import type { DomainRecord } from '../../replicated-state/records.js';
import type { DescribeSubject } from './describe-subject.js';
import { domainStatus } from './domain-status.js';
import { domainMetricsBlock } from './metrics-block.js';

/**
 * Text of DESCRIBE DOMAIN.
 *
 * @param placement its lines about placement
 */
export function describeDomain(
  domain: DomainRecord,
  subject: DescribeSubject,
  placement: string,
): string {
  return [
    `domain: ${domain.name}`,
    `status: ${domainStatus(domain).toLowerCase()}`,
    ...domainMetricsBlock(subject.status.metrics),
    placement,
  ].join('\n');
}
