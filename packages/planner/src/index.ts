export type { PlanDomainInput, PlanDomainOutcome } from './build-execution-plan.js';
export { planDomain } from './build-execution-plan.js';
export { calledModels } from './called-models.js';
export type {
  AlterModelChange,
  ModelChange,
  ModelDifference,
} from './candidate-state.js';
export { differences } from './candidate-state.js';
export { protobufCodecPlan } from './checks/codec/protobuf-codec.js';
export type { DomainModels } from './domain-models.js';
export { domainModels, findModel, modelsOfKind, sortedModels } from './domain-models.js';
export { unsupportedDomain } from './domain-support.js';
export type { ModelIdentity, PlanCode, PlanRefusal, PlanWarning } from './errors.js';
export { PLAN_CODES } from './errors.js';
export type { ExpressionContext } from './expression/expression-context.js';
export { EXPRESSION_CONTEXTS } from './expression/expression-context.js';
export type { ExpressionFault, ExpressionFaults } from './expression/expression-fault.js';
export type { TypeExpressionInput, TypeExpressionOutcome } from './expression/type-expression.js';
export { typeExpression } from './expression/type-expression.js';
export type { ModelReference } from './model-references.js';
export { referencesOf } from './model-references.js';
export type { DomainPlacementInput, DomainPlacementOutcome } from './placement/domain-placement.js';
export { domainPlacement, domainPlacementSteps } from './placement/domain-placement.js';
export type {
  PlannedSchedule,
  ScheduleOutcome,
  SchedulingInput,
} from './placement/plan-schedule.js';
export { planScheduleSteps } from './placement/plan-schedule.js';
export type { QuiesceLevel } from './quiesce-level.js';
export { isExecutable, widerLevel } from './quiesce-level.js';
export { ModelRegistry } from './registry/model-registry.js';
export { ModelSet } from './registry/model-set.js';
export { PlanRegistry, type RegisteredDomain } from './registry/plan-registry.js';
export type { SubscriptionFilterInput, SubscriptionFilterOutcome } from './subscription-filter.js';
export { planSubscriptionFilter } from './subscription-filter.js';
export type { Aspect, StateReset } from './transaction-plan/aspects/aspect.js';
export { modelAspects } from './transaction-plan/aspects/model-aspects.js';
export { pauseLevel } from './transaction-plan/impact/pause-plan.js';
export {
  type PlannedStep,
  type PreviewIdentity,
  planTransaction,
  planTransactionSteps,
  type RefusedTransaction,
  type StepDecision,
  type TransactionPlan,
  type TransactionPlanOptions,
} from './transaction-plan/plan-transaction.js';
export {
  type PlanningInputs,
  type PlanningSnapshot,
  planningBasis,
  planningInputs,
  type SnapshotResource,
  snapshotOf,
} from './transaction-plan/planning-snapshot.js';
export type * from './transaction-plan/report.js';
export { NO_EFFECTS } from './transaction-plan/report.js';
export {
  type TransactionDocument,
  type TransactionStanding,
  transactionDocument,
} from './transaction-plan/report-document.js';
export { actualLevel, reportText, transactionText } from './transaction-plan/report-text.js';
export { bindingOf } from './transaction-plan/resource-bindings.js';
export {
  type ResolvedSecret,
  resolveSecret,
  type SnapshotSecret,
  secretReferencesOf,
} from './transaction-plan/secret-references.js';
export {
  isQueueable,
  notQueueable,
  type QueueableStatement,
} from './transaction-plan/statement-steps.js';
export {
  preflightText,
  TRANSACTION_PLAN_CODES,
  type TransactionPlanCode,
  type TransactionRefusal,
} from './transaction-plan/transaction-refusal.js';
