import { equalData, type Model } from '@nervix/model';
import type { ScheduleEntry } from '@nervix/scheduler';
import {
  assignmentKey,
  domainKey,
  leaseKey,
  modelRecordKey,
  scheduleKey,
} from '../replicated-state/record-keys.js';
import type { DomainRecord, StateRecord } from '../replicated-state/records.js';
import type { ReplicatedState } from '../replicated-state/replicated-state.js';
import type { Fence } from '../replicated-state/write-command.js';
import { declarationRecords } from '../resources/resource-catalog.js';
import type { ControlContext } from './control-context.js';
import type { Capture } from './planning/capture.js';

/** The records of one atomic change of a domain. */
export interface DomainWrite {
  readonly fences: readonly Fence[];
  readonly put: readonly StateRecord[];
  readonly remove: readonly string[];
}

/** A model before and after a change; null where it is not there. */
export interface ModelTransition {
  readonly before: Model | null;
  readonly after: Model | null;
}

/** What a domain becomes. */
export interface DomainTarget {
  /** The record as it is to be; it is written whatever changes. */
  readonly domain: DomainRecord;
  readonly transitions: readonly ModelTransition[];
  /** The schedule of the result; null leaves the one in force. */
  readonly schedule: readonly ScheduleEntry[] | null;
  /** A resource that is declared with it. */
  readonly declares?: string;
}

type WriteContext = Pick<ControlContext, 'log' | 'nodeId'>;

/**
 * The write that takes a domain from the state of a capture to its target, and that fails if
 * anything captured was written since. It rewrites the domain record too, whose revision therefore
 * moves with every change and fences the next one.
 */
export function domainWrite(
  context: WriteContext,
  base: Capture,
  { domain, transitions, schedule, declares }: DomainTarget,
): DomainWrite {
  const put: StateRecord[] = [domain];
  // What was captured says that it is not declared yet.
  if (declares !== undefined) put.push(...declarationRecords(domain.name, declares));
  const remove: string[] = [];
  for (const { before, after } of transitions) {
    if (after !== null) put.push({ kind: 'model', domain: domain.name, model: after });
    else if (before !== null) remove.push(modelRecordKey(domain.name, before.kind, before.name));
  }
  const placed = scheduleWrite(context, base, schedule);
  return {
    fences: base.fences,
    put: [...put, ...placed.put],
    remove: [...remove, ...placed.remove],
  };
}

/** The records in which two schedules differ; with any goes what the new one was decided from. */
function scheduleWrite(
  { log, nodeId }: WriteContext,
  { snapshot }: Capture,
  schedule: readonly ScheduleEntry[] | null,
): Pick<DomainWrite, 'put' | 'remove'> {
  const { domain, revision } = snapshot;
  if (schedule === null || schedule === snapshot.schedule) return { put: [], remove: [] };
  const put: StateRecord[] = [];
  const former = new Map(
    snapshot.schedule.map((entry) => [assignmentKey(domain, entry), entry] as const),
  );
  for (const entry of schedule) {
    const key = assignmentKey(domain, entry);
    const before = former.get(key);
    former.delete(key);
    if (before === undefined || !equalData(before, entry)) {
      put.push({ kind: 'assignment', domain, entry });
    }
  }
  if (put.length + former.size === 0) return { put: [], remove: [] };
  const basis = { leader: nodeId, term: String(log.status().term), revision };
  return { put: [...put, { kind: 'schedule', domain, basis }], remove: [...former.keys()] };
}

/**
 * Holds as long as nothing of the domain, its schedule or the right to change it changed since the
 * state was read.
 */
export function domainFence(state: ReplicatedState, domain: string): readonly Fence[] {
  return [domainKey(domain), scheduleKey(domain), leaseKey(domain)].map((key) => ({
    key,
    revision: state.revisionOf(key),
  }));
}
