import type { PlannedStep } from '@nervix/planner';
import type { DomainRecord } from '../../replicated-state/records.js';
import type { ControlContext } from '../control-context.js';

/**
 * Models that a batch leaves as they are have to be usable all the same: the committed graph of a
 * running domain is brought up again wherever it is not in force.
 *
 * @returns why they are not usable, or undefined
 * @throws RaftError when the node does not lead, or not any more
 */
export async function unusableModels(
  { effects }: Pick<ControlContext, 'effects'>,
  { name, status }: DomainRecord,
  { decision }: Pick<PlannedStep, 'decision'>,
): Promise<string | undefined> {
  if (decision.kind !== 'models' || status !== 'running') return undefined;
  const cause = await effects.activate(name);
  if (cause === undefined) return undefined;
  return `the existing models in domain '${name}' are not usable everywhere: ${cause}`;
}
