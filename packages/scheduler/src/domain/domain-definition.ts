import type { PlacementPolicy } from '@nervix/model';
import type { MemberTraits } from '../computation/member-traits.js';
import type { FlowEdge } from '../placement/build-placement-graph.js';
import type { GraphKey } from '../placement/graph-key.js';
import type { PlacementRule } from '../placement/placement-rule.js';

/** A graph node; what is not said follows from its kind. */
export interface MemberDefinition extends GraphKey, Partial<Omit<MemberTraits, 'kind' | 'name'>> {}

/** A rule whose rank may be left out. */
export type RuleDefinition = Omit<PlacementRule, 'rank'> & Partial<Pick<PlacementRule, 'rank'>>;

/** A domain as placement sees it: plain data, its lists in any order. */
export interface DomainDefinition {
  readonly domain: string;
  /** Every graph node once. */
  readonly members: readonly MemberDefinition[];
  /** How records flow between members; repeats collapse. */
  readonly edges: readonly FlowEdge[];
  /** Absent means none. */
  readonly rules?: readonly RuleDefinition[];
  /** For direct pairs that no rule claims; absent means NEUTRAL. */
  readonly defaultPolicy?: PlacementPolicy;
}
