import type { ScheduleState } from '../computation/schedule-state.js';
import type { Unit } from '../computation/unit-table.js';

/** One term of a ranking: gives every cluster node a number for one unit. */
export interface ScoreComponent {
  /** Name under which explanations show the term. */
  readonly name: string;
  /**
   * Adds the unit's score of each cluster node; more is better.
   *
   * @param scores one zero per cluster node, by index
   */
  readonly score: (state: ScheduleState, unit: Unit, scores: Int32Array) => void;
}
