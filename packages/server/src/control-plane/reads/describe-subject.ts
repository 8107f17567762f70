import type { ModelKind } from '@nervix/model';
import type { DomainStatus } from '@nervix/runtime/data-plane';
import { graphKeyOf, type ScheduleEntry } from '@nervix/scheduler';
import type { DomainRecord } from '../../replicated-state/records.js';

/** Where a model runs, as it is printed. */
export interface PrintedAssignment {
  /** Name of the owner; `-` while there is none. */
  readonly owner: string;
  /** Names in order, or `-`. */
  readonly replicas: string;
}

/** What a description is made from, beside the model itself. */
export interface DescribeSubject {
  readonly domain: DomainRecord;
  readonly status: DomainStatus;
  /** Where the schedule in force runs a model. */
  readonly assignmentOf: (kind: ModelKind, name: string) => PrintedAssignment;
  /** Why a domain that should run does not, or undefined. */
  readonly failure: string | undefined;
}

/** Looks a model up in a schedule. */
export function assignmentIn(
  entries: readonly ScheduleEntry[],
  modelKind: ModelKind,
  modelName: string,
): PrintedAssignment {
  const key = graphKeyOf({ kind: modelKind, name: modelName });
  const entry = entries.find(({ kind, name }) => kind === key?.kind && name === key.name);
  const [owner = '-', ...replicas] = entry?.nodes ?? [];
  return { owner, replicas: replicas.join(', ') || '-' };
}
