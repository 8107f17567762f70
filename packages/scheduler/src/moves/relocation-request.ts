import type { RelocationStatement, RelocationStrategy, RuntimeMember } from '@nervix/model';
import type { GraphKey } from '../placement/graph-key.js';

/** Whether a group takes along what it prefers to be close to. */
export type PreferenceStrategy = 'follow' | 'ignore';

/** Graph nodes to move: named ones, or everything on the paths between two lists. */
export type RelocationChoice =
  | { readonly kind: 'members'; readonly members: readonly GraphKey[] }
  | {
      readonly kind: 'paths';
      readonly from: readonly GraphKey[];
      readonly to: readonly GraphKey[];
    };

/** What a relocation asks for. */
export interface RelocationRequest {
  readonly choice: RelocationChoice;
  /** Name of the destination. */
  readonly node: string;
  readonly strategy: PreferenceStrategy;
  /** Strategies of single members, which hold for their whole groups. */
  readonly overrides: readonly {
    readonly member: GraphKey;
    readonly strategy: PreferenceStrategy;
  }[];
}

/** The request that a statement makes, with kinds spelled as schedules spell them. */
export function relocationRequest(statement: RelocationStatement): RelocationRequest {
  const { selection, node, strategy, overrides } = statement;
  const choice: RelocationChoice =
    selection.kind === 'members'
      ? { kind: 'members', members: selection.members.map(graphKey) }
      : { kind: 'paths', from: selection.from.map(graphKey), to: selection.to.map(graphKey) };
  return {
    choice,
    node,
    strategy: preferenceStrategy(strategy),
    overrides: overrides.map((entry) => ({
      member: graphKey(entry.member),
      strategy: preferenceStrategy(entry.strategy),
    })),
  };
}

function graphKey({ kind, name }: RuntimeMember): GraphKey {
  return { kind: kind === 'hash_map' ? 'lookup' : kind, name };
}

function preferenceStrategy(strategy: RelocationStrategy): PreferenceStrategy {
  return strategy === 'FOLLOW PREFERENCES' ? 'follow' : 'ignore';
}
