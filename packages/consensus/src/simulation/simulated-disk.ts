import type { StoreTurnResult } from '../node/replica-ports.ts';
import type { Configuration } from '../raft/configuration.ts';
import type { WritePoint } from '../storage/log-storage.ts';
import type { Coverage } from './coverage.ts';
import type { FaultPlan, WriteFault } from './fault-plan.ts';
import type { InvariantWatch } from './invariants.ts';
import type { RandomSource } from './random-source.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { StoreContent } from './simulated-store.ts';

/** What becomes of a write, and after how long. */
export interface WriteFate {
  readonly delay: number;
  readonly outcome: 'done' | WriteFault['outcome'];
}

/** A write as enumerations name it. */
export interface NamedWrite {
  readonly node: number;
  readonly write: number;
  readonly points: readonly WritePoint[];
}

/** Decides the fate of writes and carries them out, under the eyes of the invariants. */
export class SimulatedDisk {
  readonly #plan: FaultPlan;
  readonly #random: RandomSource;
  readonly #watch: InvariantWatch;
  readonly #coverage: Coverage;
  readonly #counts: number[] = [];
  /** All writes of the run by name; kept only if wanted. */
  readonly writes: NamedWrite[] | undefined;
  isCalm = false;
  /** The node whose writes do not return. */
  hanging: number | undefined;

  constructor(
    plan: FaultPlan,
    random: RandomSource,
    watch: InvariantWatch,
    observed: { readonly coverage: Coverage; readonly writes: NamedWrite[] | undefined },
  ) {
    this.#plan = plan;
    this.#random = random;
    this.#watch = watch;
    this.#coverage = observed.coverage;
    this.writes = observed.writes;
  }

  /** The fate of the turn that the process has just begun. */
  fateOf(process: SimulatedProcess): WriteFate {
    const { node, turn, session } = process;
    const write = (this.#counts[node] ?? 0) + 1;
    this.#counts[node] = write;
    if (turn !== undefined) {
      this.writes?.push({ node, write, points: session.pointsOf(turn) });
    }
    const wanted = this.#plan.writeFault;
    if (wanted?.node === node && wanted.write === write) {
      return { delay: 1, outcome: wanted.outcome };
    }
    if (this.hanging === node) {
      this.#coverage.stalledWrites += 1;
      return { delay: Number.POSITIVE_INFINITY, outcome: 'done' };
    }
    if (this.isCalm) return { delay: this.#random.between(1, 4), outcome: 'done' };
    return this.#drawFate();
  }

  #drawFate(): WriteFate {
    const plan = this.#plan;
    let delay = this.#random.between(1, plan.writeMax);
    if (this.#random.chance(plan.writeStallShare)) {
      this.#coverage.stalledWrites += 1;
      delay += this.#random.below(4_000);
    }
    if (this.#random.chance(plan.writeFailShare)) {
      return { delay, outcome: this.#random.chance(0.5) ? 'failBefore' : 'failAfter' };
    }
    if (this.#random.chance(plan.crashAtWriteShare)) {
      return { delay, outcome: this.#random.chance(0.5) ? 'crashBefore' : 'crashAfter' };
    }
    return { delay, outcome: 'done' };
  }

  /** Whether a write that a crash interrupts has reached the disk. */
  isTornWriteThere(): boolean {
    return this.#random.chance(0.5);
  }

  /** Carries out the turn of the process. */
  run(process: SimulatedProcess): StoreTurnResult {
    const { turn, session } = process;
    if (turn === undefined) return { kind: 'done' };
    const { content } = session;
    if (turn.kind !== 'job') return session.run(turn);
    const { job } = turn;
    const before = content.hardState;
    const { last } = content;
    const newest = newestBelow(content, job.truncateFrom);
    this.#watch.stored(content, job.entries);
    const result = session.run(turn);
    if (job.hardState !== undefined) this.#watch.voted(content, before, job.hardState);
    let former = newest;
    for (const { configuration } of job.configurations ?? []) {
      this.#watch.reconfigured(former, configuration);
      former = configuration;
    }
    const isKept = session.durable === content;
    const isOwnCommit = process.replica.isSoleVoter || process.core.role !== 'leader';
    if (!isOwnCommit && (job.applied?.index ?? 0n) > last.index) {
      this.#coverage.deferredWrites += 1;
    }
    if (job.applied !== undefined && isKept) process.effectsWritten(job.applied.index);
    if (job.purgeThrough !== undefined) this.#watch.purged(content, isAlone(former));
    return result;
  }
}

function newestBelow(content: StoreContent, limit: bigint | undefined): Configuration | undefined {
  const record = content.configurations.findLast(
    ({ index }) => limit === undefined || index < limit,
  );
  return record?.configuration;
}

function isAlone(configuration: Configuration | undefined): boolean {
  if (configuration === undefined) return false;
  const { voters, outgoing, learners } = configuration;
  return voters.length === 1 && outgoing.length === 0 && learners.length === 0;
}
