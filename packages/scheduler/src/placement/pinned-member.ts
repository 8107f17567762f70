import type { Model, PlacementModel } from '@nervix/model';
import { refusal, type ScheduleRefusal } from '../errors.js';
import { compareText } from './graph-key.js';
import { isEligible, type ModelsByName } from './member-binding.js';

/** A member that a change takes away from rules, though they name it. */
export type PinnedMember = ScheduleRefusal<'SCHED_PINNED_MEMBER'>;

/**
 * Members of rules that a change dropped or made ineligible, in the order of names. Rules and
 * models are those after the whole change; a rule pins its members even where it covers nothing.
 *
 * @param domain name of the domain, for messages
 * @param before models before the change, to tell a member that was never there
 */
export function pinnedMembers(
  domain: string,
  rules: readonly PlacementModel[],
  before: ModelsByName,
  after: ModelsByName,
): readonly PinnedMember[] {
  const names = new Set(rules.flatMap(({ from, to }) => [...from, ...to]));
  return [...names].sort(compareText).flatMap((member): readonly PinnedMember[] => {
    const lost = (before.get(member) ?? []).find(isEligible);
    if (lost === undefined || after.get(member)?.some(isEligible) === true) return [];
    const isThere = after.get(member)?.some(({ kind }: Model) => kind === lost.kind) === true;
    const naming = rules.filter(({ from, to }) => from.includes(member) || to.includes(member));
    return [
      refusal('SCHED_PINNED_MEMBER', {
        domain,
        member,
        change: isThere ? 'ineligible' : 'dropped',
        placements: naming.map(({ name }) => name).sort(compareText),
      }),
    ];
  });
}
