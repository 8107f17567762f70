import type { RuntimeMember } from './runtime-member.js';

/** Whether preferences of placement are followed. */
export type RelocationStrategy = 'FOLLOW PREFERENCES' | 'IGNORE PREFERENCES';

/** What moves: the members named, or everything on the paths between two sets of them. */
export type RelocationSelection =
  | { readonly kind: 'members'; readonly members: readonly RuntimeMember[] }
  | {
      readonly kind: 'paths';
      readonly from: readonly RuntimeMember[];
      readonly to: readonly RuntimeMember[];
    };
/** A strategy for one member and what must stay with it. */
export interface StrategyOverride {
  readonly member: RuntimeMember;
  readonly strategy: RelocationStrategy;
}
/** `RELOCATE` and `DESCRIBE RELOCATION`. */
export interface RelocationStatement {
  readonly kind: 'relocate' | 'describe_relocation';
  readonly selection: RelocationSelection;
  readonly node: string;
  readonly strategy: RelocationStrategy;
  readonly overrides: readonly StrategyOverride[];
}
/** `REBALANCE` and `DESCRIBE REBALANCE`. */
export interface RebalanceStatement {
  readonly kind: 'rebalance' | 'describe_rebalance';
  /** null for every domain. */
  readonly domain: string | null;
  /** Decimal text above zero, or null without a bound. */
  readonly maxMoves: string | null;
}

/** Statements that move work between cluster nodes. */
export type MovementStatement = RelocationStatement | RebalanceStatement;
