import type { RuntimeMember } from './runtime-member.js';

export type RelocationStrategy = 'FOLLOW PREFERENCES' | 'IGNORE PREFERENCES';

/** What moves: the members named, or everything on the paths between two sets of them. */
export type RelocationSelection =
  | { readonly kind: 'members'; readonly members: readonly RuntimeMember[] }
  | {
      readonly kind: 'paths';
      readonly from: readonly RuntimeMember[];
      readonly to: readonly RuntimeMember[];
    };
export interface StrategyOverride {
  readonly member: RuntimeMember;
  readonly strategy: RelocationStrategy;
}
export interface RelocationStatement {
  readonly kind: 'relocate' | 'describe_relocation';
  readonly selection: RelocationSelection;
  readonly node: string;
  readonly strategy: RelocationStrategy;
  readonly overrides: readonly StrategyOverride[];
}
export interface RebalanceStatement {
  readonly kind: 'rebalance' | 'describe_rebalance';
  /** null for every domain. */
  readonly domain: string | null;
  /** Decimal text above zero, or null without a bound. */
  readonly maxMoves: string | null;
}

export type MovementStatement = RelocationStatement | RebalanceStatement;
