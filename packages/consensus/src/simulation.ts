export {
  addCoverage,
  type Coverage,
  emptyCoverage,
  missingCoverage,
} from './simulation/coverage.ts';
export { EventQueue, type SimulatedEvent } from './simulation/event-queue.ts';
export {
  calmPlan,
  type FaultPlan,
  planOf,
  SEED_CLASSES,
  type SeedClass,
  TICK_UNITS,
  type WriteFault,
} from './simulation/fault-plan.ts';
export {
  checkLinearizability,
  LINEARIZABILITY_STEPS,
  type LinearizabilityVerdict,
  type RegisterOperation,
} from './simulation/linearizability.ts';
export { RandomSource } from './simulation/random-source.ts';
export type { NamedWrite } from './simulation/simulated-disk.ts';
export { type RunOptions, type RunResult, runSimulation } from './simulation/simulation.ts';
export type { ViolatedRule, Violation } from './simulation/violation.ts';
