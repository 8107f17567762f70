import { RandomSource } from './random-source.ts';

/** Kinds of runs; each looks where the others hardly get. */
export type SeedClass =
  /** A bit of everything, with lost disks. */
  | 'general'
  /** Slow disks and many changes of members. */
  | 'late'
  /** One entry in an append, and faults several times as often. */
  | 'churn'
  /** Many messages arrive a second time, long after. */
  | 'stale'
  /** Changes of several members at once, all the time. */
  | 'joint'
  /** Voters added and removed directly, by leaders that rival. */
  | 'voters'
  /** One register that nearly everybody reads, with late messages. */
  | 'reads'
  /** Members are removed for good and others take their place. */
  | 'drop'
  /** Some clocks run at a seventh of the speed of the others. */
  | 'skew'
  /** Few faults, then the trials of a healthy leader. */
  | 'stability'
  /** Bits of what is stored change. */
  | 'damage'
  /** Releases come and go, and feature levels are activated. */
  | 'levels';

/** All of them, in the order in which a mixed set of seeds takes turns. */
export const SEED_CLASSES: readonly SeedClass[] = [
  'general',
  'late',
  'churn',
  'stale',
  'joint',
  'voters',
  'reads',
  'drop',
  'skew',
  'stability',
  'damage',
  'levels',
];

/**
 * Everything that a run depends on. Times are units, of which a usual clock counts
 * {@link TICK_UNITS} between two ticks; what happens `every` so often happens never for 0; shares
 * are probabilities.
 */
export interface FaultPlan {
  readonly seedClass: SeedClass;
  readonly seed: number;
  /** Events before the faults end. */
  readonly steps: number;
  readonly voters: number;
  readonly spares: number;
  readonly keys: number;
  readonly clients: number;
  readonly readShare: number;
  readonly thinkMax: number;
  readonly clientPatience: number;
  readonly delayMax: number;
  readonly lossShare: number;
  readonly duplicateShare: number;
  readonly lateShare: number;
  readonly lateMax: number;
  /** Whether appends between two processes keep their order. */
  readonly ordersStreams: boolean;
  /** Whether messages of and to former processes are dropped on arrival. */
  readonly fencesProcesses: boolean;
  readonly partitionEvery: number;
  readonly partitionMax: number;
  readonly writeMax: number;
  readonly writeStallShare: number;
  readonly writeFailShare: number;
  readonly crashEvery: number;
  readonly crashAtWriteShare: number;
  readonly downMax: number;
  /** Share of crashes that also lose the disk, if that is survivable. */
  readonly wipeShare: number;
  /** Changed bits of what is stored. Whoever finds one loses its disk, if that is survivable. */
  readonly flipEvery: number;
  readonly pauseEvery: number;
  readonly pauseMax: number;
  readonly changeEvery: number;
  readonly jointShare: number;
  readonly transferEvery: number;
  /** Another release on some node; reports of what nodes support and activations come as often. */
  readonly releaseEvery: number;
  /** Least and greatest rate of clocks, and the share of them that has the least one. */
  readonly rateLeast: number;
  readonly rateMost: number;
  readonly slowShare: number;
  readonly appendEntriesMax: number;
  /** How many ticks leaders leave entries to the other voters. */
  readonly deferTicksMax: number;
  /** Whether they give that up while voters are slow; where all are, it would hardly happen. */
  readonly measuresVoters: boolean;
  /** Whether leaders keep commands back for those that follow answers. */
  readonly gathers: boolean;
  readonly snapshotEvery: number;
  readonly entriesKept: number;
  readonly readMode: 'round' | 'lease';
  readonly hasStabilityTrials: boolean;
  /** A single fault of a write, at an exact place; for enumerations. */
  readonly writeFault: WriteFault | undefined;
}

/** What becomes of the n-th write, from 1, of one node. */
export interface WriteFault {
  readonly node: number;
  readonly write: number;
  readonly outcome: 'crashBefore' | 'crashAfter' | 'failBefore' | 'failAfter';
}

/** Units between two ticks of a clock that is right. */
export const TICK_UNITS = 20;

/** The plan of a seed: its class says how much of what, the seed says the rest. */
export function planOf(seedClass: SeedClass, seed: number, steps: number): FaultPlan {
  const random = new RandomSource(seed).fork(SEED_CLASSES.indexOf(seedClass) + 1);
  return { ...generalPlan(random, seed, steps), seedClass, ...classPlan(seedClass, random) };
}

/** A plan without any fault. */
export function calmPlan(seed: number, steps: number): FaultPlan {
  return {
    ...generalPlan(new RandomSource(seed), seed, steps),
    lossShare: 0,
    duplicateShare: 0,
    lateShare: 0,
    partitionEvery: 0,
    writeStallShare: 0,
    writeFailShare: 0,
    crashEvery: 0,
    crashAtWriteShare: 0,
    wipeShare: 0,
    pauseEvery: 0,
    transferEvery: 0,
    rateLeast: 1,
    rateMost: 1,
    slowShare: 0,
  };
}

function generalPlan(random: RandomSource, seed: number, steps: number): FaultPlan {
  return {
    seedClass: 'general',
    seed,
    steps,
    voters: random.between(3, 5),
    spares: random.between(1, 2),
    keys: random.between(1, 4),
    clients: random.between(3, 8),
    readShare: 0.3,
    thinkMax: random.between(10, 80),
    clientPatience: 900,
    delayMax: random.between(1, 60),
    lossShare: random.below(21) / 100,
    duplicateShare: random.below(11) / 100,
    lateShare: 0.01,
    lateMax: 800,
    ordersStreams: random.chance(0.5),
    fencesProcesses: random.chance(0.5),
    partitionEvery: random.between(400, 2_000),
    partitionMax: random.between(100, 1_500),
    writeMax: random.between(1, 40),
    writeStallShare: 0.001,
    writeFailShare: 0.001,
    crashEvery: random.between(300, 2_000),
    crashAtWriteShare: 0.003,
    downMax: random.between(50, 1_000),
    wipeShare: 0.15,
    flipEvery: 0,
    pauseEvery: random.between(500, 3_000),
    pauseMax: random.between(100, 1_200),
    changeEvery: random.between(300, 2_000),
    jointShare: 0.4,
    transferEvery: random.between(1_000, 4_000),
    releaseEvery: 0,
    rateLeast: 0.5,
    rateMost: 2,
    slowShare: 0,
    appendEntriesMax: random.between(1, 8),
    deferTicksMax: 4 * (seed % 4),
    measuresVoters: seed % 8 < 4,
    gathers: seed % 16 < 8,
    snapshotEvery: random.between(4, 40),
    entriesKept: random.between(0, 6),
    readMode: 'round',
    hasStabilityTrials: false,
    writeFault: undefined,
  };
}

function classPlan(seedClass: SeedClass, random: RandomSource): Partial<FaultPlan> {
  switch (seedClass) {
    case 'general':
      return {};
    case 'late':
      return { writeMax: random.between(60, 250), changeEvery: random.between(100, 400) };
    case 'churn':
      return {
        appendEntriesMax: 1,
        crashEvery: random.between(100, 500),
        partitionEvery: random.between(100, 400),
        partitionMax: random.between(50, 500),
        pauseEvery: random.between(200, 800),
        writeFailShare: 0.004,
        downMax: 300,
      };
    case 'stale':
      return { lateShare: 0.3, lateMax: 2_500, writeMax: random.between(40, 160) };
    case 'joint':
      return { changeEvery: 60, jointShare: 1, spares: 2 };
    case 'voters':
      return {
        voters: 3,
        spares: 1,
        changeEvery: random.between(60, 200),
        jointShare: 0,
        partitionEvery: random.between(100, 500),
        crashEvery: random.between(200, 800),
      };
    case 'reads':
      return { keys: 1, readShare: 0.7, clients: 30, lateShare: 0.1, lateMax: 2_000 };
    case 'drop':
      return { changeEvery: random.between(80, 300), wipeShare: 0.6, spares: 2 };
    case 'skew':
      return { rateLeast: 0.15, rateMost: 1, slowShare: 0.4 };
    case 'stability':
      return {
        crashEvery: random.between(1_500, 4_000),
        partitionEvery: random.between(1_500, 4_000),
        hasStabilityTrials: true,
      };
    case 'damage':
      return {
        flipEvery: random.between(30, 200),
        changeEvery: random.between(100, 400),
        wipeShare: 0,
        spares: 2,
        entriesKept: random.between(0, 20),
        snapshotEvery: random.between(4, 12),
      };
    case 'levels':
      return {
        voters: 3,
        spares: 2,
        changeEvery: random.between(100, 500),
        releaseEvery: random.between(150, 600),
        snapshotEvery: random.between(4, 150),
        entriesKept: random.between(0, 60),
      };
  }
}
