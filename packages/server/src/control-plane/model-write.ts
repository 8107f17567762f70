import { modelKey } from '@nervix/model';
import type { DomainModels, ModelDifference } from '@nervix/planner';
import { domainKey, modelRecordKey } from '../replicated-state/record-keys.js';
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

/**
 * The write that takes a domain from its committed models to `next`. It rewrites the domain record
 * too, whose revision therefore moves with every change and fences the next one.
 */
export function modelWrite(
  state: ReplicatedState,
  domain: DomainRecord,
  next: DomainModels,
  differences: readonly ModelDifference[],
): DomainWrite {
  const put: StateRecord[] = [domain];
  const remove: string[] = [];
  for (const { kind, name } of differences) {
    const model = next.get(modelKey(kind, name));
    if (model === undefined) remove.push(modelRecordKey(domain.name, kind, name));
    else put.push({ kind: 'model', domain: domain.name, model });
  }
  return { fences: domainFence(state, domain.name), put, remove };
}

/** Holds as long as nothing of the domain changed since the state was read. */
export function domainFence(state: ReplicatedState, domain: string): readonly Fence[] {
  const key = domainKey(domain);
  return [{ key, revision: state.revisionOf(key) }];
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
