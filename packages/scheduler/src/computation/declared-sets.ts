import type { MemberTraits } from './member-traits.js';

/** Graph nodes that name one set in what they require, by the name of the set. */
export interface DeclaredSets {
  readonly spread: ReadonlyMap<string, readonly number[]>;
  readonly availability: ReadonlyMap<string, readonly number[]>;
}

/** @param traits one per graph node */
export function declaredSets(traits: readonly MemberTraits[]): DeclaredSets {
  return {
    spread: idsBySet(traits, ({ requirements }) => requirements?.spread?.set),
    availability: idsBySet(traits, ({ requirements }) => requirements?.availability?.set),
  };
}

function idsBySet(
  traits: readonly MemberTraits[],
  setOf: (member: MemberTraits) => string | undefined,
): ReadonlyMap<string, readonly number[]> {
  const sets = new Map<string, number[]>();
  for (const [id, member] of traits.entries()) {
    const set = setOf(member);
    if (set === undefined) continue;
    const ids = sets.get(set);
    if (ids === undefined) sets.set(set, [id]);
    else ids.push(id);
  }
  return sets;
}
