import type { Model, PlacementModel } from '@nervix/model';
import { compareText } from './graph-key.js';
import { isEligible, type ModelsByName } from './member-binding.js';

/** A member that a change takes away from rules, though they name it. */
export interface PinnedMember {
  readonly name: string;
  readonly change: 'dropped' | 'ineligible';
  /** All rules that name it, ascending. */
  readonly rules: readonly string[];
}

/**
 * Members of rules that a change dropped or made ineligible, in the order of names. Rules and
 * models are those after the whole change; a rule pins its members even where it covers nothing.
 *
 * @param before models before the change, to tell a member that was never there
 */
export function pinnedMembers(
  rules: readonly PlacementModel[],
  before: ModelsByName,
  after: ModelsByName,
): readonly PinnedMember[] {
  const names = new Set(rules.flatMap(({ from, to }) => [...from, ...to]));
  return [...names].sort(compareText).flatMap((name): readonly PinnedMember[] => {
    const lost = (before.get(name) ?? []).find(isEligible);
    if (lost === undefined || after.get(name)?.some(isEligible) === true) return [];
    const isThere = after.get(name)?.some(({ kind }: Model) => kind === lost.kind) === true;
    const naming = rules.filter(({ from, to }) => from.includes(name) || to.includes(name));
    return [
      {
        name,
        change: isThere ? 'ineligible' : 'dropped',
        rules: naming.map((rule) => rule.name).sort(compareText),
      },
    ];
  });
}

/** Why a model may not be altered into a form that rules cannot name. */
export function pinnedAlteration(domain: string, { name, rules }: PinnedMember): string {
  return (
    `cannot alter model '${name}' in domain '${domain}' into a non-placement-eligible shape ` +
    `because it is pinned by placements ${rules.join(', ')}`
  );
}
