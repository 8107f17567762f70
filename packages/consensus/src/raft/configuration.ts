import type { FeatureLevels } from './feature-levels.ts';
import type { MemberId } from './member-id.ts';

/** A member with what the others need to reach it. */
export interface Member extends MemberId {
  /** Process run of the node that was admitted; only ever grows for one node. */
  readonly incarnation: bigint;
  /** `host:port` at which other members reach it. */
  readonly endpoint: string;
  /** What the release supports that ran it, with its present store, when it was last recorded. */
  readonly levels: FeatureLevels;
}

/**
 * Who takes part. The newest configuration in a member's log is in force there, committed or not.
 * It is joint while `outgoing` is not empty: then every decision needs a majority of `voters` and
 * a majority of `outgoing`.
 */
export interface Configuration {
  /** Drawn when the cluster was founded: 16 bytes as 32 lower-case hexadecimal digits. */
  readonly clusterUid: string;
  /** The activated feature level: what is applied behind this configuration has its shape. */
  readonly level: number;
  /** Voters of the configuration that is, or is being, moved to. */
  readonly voters: readonly Member[];
  /** Voters of the configuration that is being left; empty unless joint. */
  readonly outgoing: readonly Member[];
  /** Members that receive the log and do not count. */
  readonly learners: readonly Member[];
}

/** One step of a change. Steps are carried out in order on the newest configuration. */
export type MemberChange =
  /** Adds a member without a vote. */
  | { readonly kind: 'addLearner'; readonly member: Member }
  /** Gives a learner a vote. */
  | { readonly kind: 'promote'; readonly member: MemberId }
  /** Takes the vote of a voter, who remains as a learner. */
  | { readonly kind: 'demote'; readonly member: MemberId }
  /** Removes a voter or learner. */
  | { readonly kind: 'remove'; readonly member: MemberId }
  /** Replaces endpoint, incarnation and levels of a member, who keeps its role. */
  | { readonly kind: 'update'; readonly member: Member }
  /** Activates the next feature level, for ever. Every member must support it. */
  | { readonly kind: 'activate'; readonly level: number };
