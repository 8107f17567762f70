export { infeasibilityOf } from './feasibility/destination.js';
export { schedule } from './schedule.js';
export type { Assignment, ScheduleInput, ScheduleNode, ScheduleUnit } from './schedule-input.js';
export type {
  InfeasibilityReason,
  NodeRefusal,
  Relocation,
  ScheduleResult,
  UnitRefusal,
} from './schedule-result.js';
