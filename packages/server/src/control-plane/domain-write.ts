import { equalData, modelKey } from '@nervix/model';
import type { DomainModels, ModelDifference } from '@nervix/planner';
import type { ScheduleEntry } from '@nervix/scheduler';
import {
  assignmentKey,
  domainKey,
  modelRecordKey,
  scheduleKey,
} from '../replicated-state/record-keys.js';
import type { DomainRecord, StateRecord } from '../replicated-state/records.js';
import type { ReplicatedState } from '../replicated-state/replicated-state.js';
import type { Fence, WriteCommand, WriteResult } from '../replicated-state/write-command.js';
import type { ControlContext } from './control-context.js';

/** The records of one atomic change of a domain. */
export interface DomainWrite {
  readonly fences: readonly Fence[];
  readonly put: readonly StateRecord[];
  readonly remove: readonly string[];
}

/** What a domain becomes. */
export interface DomainTarget {
  /** The record as it is to be; it is written whatever changes. */
  readonly domain: DomainRecord;
  readonly models: DomainModels;
  /** How the models differ from the committed ones. */
  readonly differences: readonly ModelDifference[];
  /** The schedule of the result; null leaves the one in force. */
  readonly schedule: readonly ScheduleEntry[] | null;
}

/**
 * The write that takes a domain from its committed state to its target. It rewrites the domain
 * record too, whose revision therefore moves with every change and fences the next one.
 */
export function domainWrite(context: ControlContext, target: DomainTarget): DomainWrite {
  const { domain, models, differences, schedule } = target;
  const put: StateRecord[] = [domain];
  const remove: string[] = [];
  for (const { kind, name } of differences) {
    const model = models.get(modelKey(kind, name));
    if (model === undefined) remove.push(modelRecordKey(domain.name, kind, name));
    else put.push({ kind: 'model', domain: domain.name, model });
  }
  const placed = scheduleWrite(context, domain.name, schedule);
  return {
    fences: domainFence(context.state, domain.name),
    put: [...put, ...placed.put],
    remove: [...remove, ...placed.remove],
  };
}

/** The records in which two schedules differ; with any goes what the new one was decided from. */
function scheduleWrite(
  { state, log, nodeId }: Pick<ControlContext, 'state' | 'log' | 'nodeId'>,
  domain: string,
  schedule: readonly ScheduleEntry[] | null,
): Pick<DomainWrite, 'put' | 'remove'> {
  const put: StateRecord[] = [];
  const former = new Map(
    state.schedule(domain).map((entry) => [assignmentKey(domain, entry), entry]),
  );
  for (const entry of schedule ?? []) {
    const key = assignmentKey(domain, entry);
    const before = former.get(key);
    former.delete(key);
    if (before === undefined || !equalData(before, entry)) {
      put.push({ kind: 'assignment', domain, entry });
    }
  }
  if (schedule === null || put.length + former.size === 0) return { put: [], remove: [] };
  const term = String(log.status().term);
  const basis = { leader: nodeId, term, revision: state.revisionOf(domainKey(domain)) };
  return { put: [...put, { kind: 'schedule', domain, basis }], remove: [...former.keys()] };
}

/** Holds as long as nothing of the domain or its schedule changed since the state was read. */
export function domainFence(state: ReplicatedState, domain: string): readonly Fence[] {
  return [domainKey(domain), scheduleKey(domain)].map((key) => ({
    key,
    revision: state.revisionOf(key),
  }));
}

/**
 * Writes what a domain was prepared for; a write that does not take effect lets its graph go on.
 *
 * @throws RaftError when the store failed
 */
export async function writePrepared(
  context: Pick<ControlContext, 'log' | 'activation'>,
  domain: string,
  command: Partial<WriteCommand>,
): Promise<WriteResult> {
  let isApplied = false;
  try {
    const result = await context.log.write(command);
    isApplied = result.kind === 'applied';
    return result;
  } finally {
    if (!isApplied) await context.activation.release(domain);
  }
}
