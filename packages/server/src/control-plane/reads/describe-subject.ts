import type { DomainStatus } from '@nervix/runtime/data-plane';
import type { DomainRecord } from '../../replicated-state/records.js';

/** What a description is made from, beside the model itself. */
export interface DescribeSubject {
  readonly domain: DomainRecord;
  readonly status: DomainStatus;
  /** Node that runs the domain. */
  readonly owner: string;
  /** Why a domain that should run does not, or undefined. */
  readonly failure: string | undefined;
}
