// What is read off a graph and its rules.

export { availableCapacity, type CapacityAccount } from './capacity/available-capacity.js';
export {
  type CapacitySnapshot,
  type ReservationOutcome,
  type ReservationRequest,
  reserveCapacity,
} from './capacity/reservation.js';
// What is known of the cluster.
export type { NodeIncarnation, ScheduleNode } from './cluster/schedule-node.js';
// Schedules.
export { computeSchedule, scheduleSteps } from './computation/compute-schedule.js';
export type {
  DomainSchedule,
  FailoverOutcome,
  Relocation,
  StateReset,
  UnitStall,
} from './computation/domain-schedule.js';
export type { DomainScheduleInput } from './computation/domain-schedule-input.js';
export { type MemberForm, type MemberTraits, memberTraits } from './computation/member-traits.js';
export {
  boundRules,
  type DefinitionOutcome,
  type DomainFlow,
  type DomainModels,
  defineDomain,
  domainFlow,
  type FlowMember,
  flowMemberOf,
  isSameFlow,
  type RulesOutcome,
} from './domain/define-domain.js';
export type {
  DomainDefinition,
  MemberDefinition,
  RuleDefinition,
} from './domain/domain-definition.js';
export { DomainResolver, resolveDomain } from './domain/domain-resolver.js';
export type { DomainOutcome, ResolvedDomain } from './domain/resolved-domain.js';
// Errors.
export {
  SCHEDULE_ERROR_CODES,
  ScheduleError,
  type ScheduleErrorCode,
  type ScheduleErrorDetails,
  type ScheduleRefusal,
} from './errors.js';
// Explanations, as data and as text.
export { canonicalForm } from './explanation/canonical-form.js';
export { describeDomainPlacement } from './explanation/describe-domain.js';
export { describePlacement } from './explanation/describe-placement.js';
export type { Description } from './explanation/description.js';
export { placementBlock } from './explanation/placement-block.js';
export {
  type PlacementReport,
  placementReport,
  type ReportedBond,
  type ReportedClusterNode,
  type ReportedGraphNode,
  type ReportedRule,
  type ReportedUnit,
  type ReportOptions,
  reportSteps,
} from './explanation/placement-report.js';
export { reportJsonSteps } from './explanation/report-json.js';
export {
  type BondExplanation,
  type ClaimExplanation,
  type EndpointExplanation,
  type Explained,
  explainGroups,
  explainRule,
  type GroupExplanation,
  type RuleExplanation,
} from './explanation/rule-explanation.js';
export { showPlacements } from './explanation/show-placements.js';
export {
  type ExplanationOptions,
  explainPlacements,
  explanationSteps,
  type PlacementCause,
  type UnitExplanation,
} from './explanation/unit-explanation.js';
export type { Witness } from './explanation/witness.js';
export type { ConstraintCheck, NodeRejection } from './feasibility/constraint-check.js';
export { infeasibilityOf } from './feasibility/destination.js';
export type { InfeasibilityReason } from './feasibility/infeasibility.js';
export type { Capacity, NodeFacts, Observed, Platform } from './feasibility/node-facts.js';
export type {
  AvailabilityRequirement,
  Requirements,
  SpreadRequirement,
} from './feasibility/requirements.js';
// Planned moves.
export {
  type DrainPlan,
  type DrainRefusal,
  type DrainStep,
  drainStep,
  planDrain,
} from './moves/drain-plan.js';
export {
  type DrainOutcome,
  type DrainReport,
  type DrainRun,
  drainReport,
} from './moves/drain-report.js';
export { isPrimaryMove, type MovedMember } from './moves/moved-member.js';
export type { MoveLevel } from './moves/quiesce-level.js';
export {
  applyRebalanceMove,
  type NodeLoad,
  planRebalance,
  type RebalanceMove,
  type RebalancePlan,
  type RebalanceRequest,
} from './moves/rebalance-plan.js';
export { type RebalanceReport, rebalanceBlock, rebalanceReport } from './moves/rebalance-report.js';
export {
  planRelocation,
  type RelocationMember,
  type RelocationPlan,
  type RelocationRequest,
} from './moves/relocation-plan.js';
export type { RelocationRefusal } from './moves/relocation-refusal.js';
export { relocationBlock, relocationResult } from './moves/relocation-report.js';
export type { PairCoverage } from './moves/relocation-selection.js';
export type { MembershipReason } from './moves/relocation-unit.js';
export type { UnsatisfiedPreference } from './moves/unsatisfied-preferences.js';
export {
  decidePartitions,
  type PartitionDecision,
  type PartitionedIngestor,
  type PartitionObservation,
  type PartitionSchedule,
  partitionLines,
} from './partitions/partition-schedule.js';
export { alteredRule } from './placement/altered-rule.js';
export type { FlowEdge } from './placement/build-placement-graph.js';
export { idOf } from './placement/build-placement-graph.js';
export { compareKeys, type GraphKey } from './placement/graph-key.js';
export {
  type Bound,
  bindRule,
  type ModelsByName,
} from './placement/member-binding.js';
export { graphKeyOf } from './placement/model-flow.js';
export { type PinnedMember, pinnedMembers } from './placement/pinned-member.js';
export type { PlacementGraph } from './placement/placement-graph.js';
export type { PlacementRule } from './placement/placement-rule.js';
export { type FlowKind, type RelayUse, relayUses } from './placement/relay-use.js';
export type {
  CoverageState,
  HardGroup,
  PlacementConflict,
  ResolvedPlacement,
  RuleCoverage,
} from './placement/resolved-placement.js';
// Publication.
export {
  FAILOVER_SHARE,
  FAILOVER_WINDOW_MS,
  type FailoverHistory,
  failoverAllowance,
} from './publication/failover-allowance.js';
export {
  maySchedule,
  OBSERVATION_GRACE_MS,
  type ObservationHistory,
} from './publication/observation-grace.js';
export {
  type CandidateVerdict,
  type DecisionBasis,
  judgeCandidate,
  type ScheduleCandidate,
} from './publication/schedule-candidate.js';
export {
  type DeltaContext,
  type EntryChange,
  type EntryDelta,
  type ScheduleDelta,
  scheduleDelta,
} from './publication/schedule-delta.js';
export { type PublishedSchedule, scheduleLines } from './publication/schedule-lines.js';
export type { RankedCandidate } from './ranking/ranking.js';
export type { RankingPolicy } from './ranking/ranking-policy.js';
export {
  FIRST_GENERATION,
  type GuestGenerations,
  nextGuestGeneration,
  type ScheduleEntry,
} from './schedule-entry.js';
// Work in slices.
export { finish, runSliced, type SliceEnd, type SliceHost, type Steps } from './steps.js';
