import type { EngagementCounts } from './record-invariants.ts';
import type { DataPlaneCounts } from './simulated-data-plane.ts';

/** What a run came to. */
export interface ClusterResult {
  /** Requests that got an answer. */
  readonly answered: number;
  /** Answers that were asked for again and had stayed. */
  readonly repeated: number;
  /** Leaders that took over. */
  readonly leaders: number;
  readonly crashes: number;
  readonly cuts: number;
  /** Transactions that a new leader found in the middle of their commit. */
  readonly resumed: number;
  /** Commits that were refused because what they were previewed from had changed. */
  readonly stale: number;
  /** Commits whose plan was read before and behind them. */
  readonly inspected: number;
  /** Graphs that nodes started, each after everyone was prepared. */
  readonly starts: number;
  /** Commands that found their revision in force everywhere. */
  readonly activations: number;
  /** Schedules that leaders published by themselves, and those that came too late. */
  readonly moved: number;
  readonly outrun: number;
  /** Replicas that died for good. */
  readonly buried: number;
  /** Effects that were not proposed because too little of a lease was left. */
  readonly late: number;
  /** Effects that were proposed while their gates were closed for long enough. */
  readonly margins: number;
  /** Graphs that were held for their successors, and what befell holds and starts. */
  readonly holds: Readonly<DataPlaneCounts>;
  /** How often each pause had each outcome. */
  readonly engagements: Readonly<EngagementCounts>;
  /** Answers of single statements by the pause that they tell. */
  readonly levels: Readonly<Record<string, number>>;
  /** How often statements of each kind were granted, and refused. */
  readonly kinds: Readonly<Record<string, number>>;
  readonly events: number;
}
