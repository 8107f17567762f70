import type { Coverage } from './coverage.ts';
import type { FaultPlan } from './fault-plan.ts';
import { FaultSchedule } from './fault-schedule.ts';
import { checkLinearizability } from './linearizability.ts';
import { RandomSource } from './random-source.ts';
import { Recovery } from './recovery.ts';
import { SimulatedCluster } from './simulated-cluster.ts';
import type { NamedWrite } from './simulated-disk.ts';
import { Trace } from './trace.ts';
import type { Violation } from './violation.ts';
import { Workload } from './workload.ts';

/** What a run keeps beside its result. */
export interface RunOptions {
  /** How many of the newest lines of its course are kept in words; none by default. */
  readonly linesMax?: number | undefined;
  /** Receives the name of every write. */
  readonly writes?: NamedWrite[] | undefined;
}

/** What became of a run. Equal plans have equal results. */
export interface RunResult {
  readonly plan: FaultPlan;
  /** What went wrong first; `undefined` when nothing did. */
  readonly violation: Violation | undefined;
  /** Events that happened. */
  readonly events: number;
  /** Digest of the course of the run. */
  readonly digest: string;
  readonly coverage: Coverage;
  /** Operations that the linearizability check looked at. */
  readonly operations: number;
  readonly lines: readonly string[];
}

/** Runs a plan: faults for its number of steps, then the recovery, then the clients' history. */
export function runSimulation(plan: FaultPlan, options: RunOptions = {}): RunResult {
  return new Simulation(plan, options).run();
}

class Simulation {
  readonly #plan: FaultPlan;
  readonly #cluster: SimulatedCluster;
  readonly #workload: Workload;
  readonly #random: RandomSource;
  #events = 0;
  #operations = 0;

  constructor(plan: FaultPlan, options: RunOptions) {
    this.#plan = plan;
    this.#random = new RandomSource(plan.seed);
    this.#cluster = new SimulatedCluster(plan, new Trace(options.linesMax ?? 0), options.writes);
    this.#workload = new Workload(this.#cluster, this.#random.fork(201));
  }

  run(): RunResult {
    const { watch, trace, network, coverage } = this.#cluster;
    try {
      this.#course();
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      watch.violate('assertion', text);
    }
    coverage.lostMessages += network.lost;
    coverage.duplicates += network.duplicates;
    coverage.lateMessages += network.late;
    return {
      plan: this.#plan,
      violation: watch.violation,
      events: this.#events,
      digest: trace.digest,
      coverage,
      operations: this.#operations,
      lines: trace.lines,
    };
  }

  #course(): void {
    const { watch } = this.#cluster;
    new FaultSchedule(this.#cluster, this.#random.fork(202)).start();
    this.#workload.start();
    while (this.#events < this.#plan.steps && this.#step());
    if (watch.violation !== undefined) return;
    this.#workload.stop();
    const recovery = new Recovery(this.#cluster, this.#workload, (isOver, unitsMax) =>
      this.#runUntil(isOver, unitsMax),
    );
    recovery.heal();
    if (watch.violation === undefined && this.#plan.hasStabilityTrials) recovery.stability();
    if (watch.violation === undefined) this.#judgeHistory();
  }

  #judgeHistory(): void {
    const history = this.#workload.history();
    this.#operations = history.length;
    const verdict = checkLinearizability(history);
    if (verdict.kind === 'linearizable') return;
    const text = `register ${verdict.key} after ${history.length} operations: ${verdict.kind}`;
    this.#cluster.watch.violate('linearizability', text);
  }

  #step(): boolean {
    const event = this.#cluster.queue.take();
    if (event === undefined) return false;
    this.#events += 1;
    event();
    return this.#cluster.watch.violation === undefined;
  }

  #runUntil(isOver: () => boolean, unitsMax: number): boolean {
    const { queue } = this.#cluster;
    const end = queue.now + unitsMax;
    while (queue.now < end) {
      if (isOver()) return true;
      if (!this.#step()) return false;
    }
    return isOver();
  }
}
