/** What runs are expected to reach, counted. A set of runs that never does one proves little. */
export interface Coverage {
  elections: number;
  stepDowns: number;
  truncations: number;
  snapshotsBuilt: number;
  snapshotsInstalled: number;
  purges: number;
  configurations: number;
  jointConfigurations: number;
  transfers: number;
  crashes: number;
  crashesAtWrites: number;
  failedWrites: number;
  fullDisks: number;
  stalledWrites: number;
  deferredWrites: number;
  lostDisks: number;
  flippedBits: number;
  damagedReads: number;
  refusedStores: number;
  damagedSnapshots: number;
  pauses: number;
  partitions: number;
  lostMessages: number;
  duplicates: number;
  lateMessages: number;
  commands: number;
  unknownOutcomes: number;
  reads: number;
  followerReads: number;
  readRetries: number;
  storedReads: number;
  releases: number;
  activations: number;
  refusedReleases: number;
  refusedLevels: number;
}

/** All counters at zero. */
export function emptyCoverage(): Coverage {
  return {
    elections: 0,
    stepDowns: 0,
    truncations: 0,
    snapshotsBuilt: 0,
    snapshotsInstalled: 0,
    purges: 0,
    configurations: 0,
    jointConfigurations: 0,
    transfers: 0,
    crashes: 0,
    crashesAtWrites: 0,
    failedWrites: 0,
    fullDisks: 0,
    stalledWrites: 0,
    deferredWrites: 0,
    lostDisks: 0,
    flippedBits: 0,
    damagedReads: 0,
    refusedStores: 0,
    damagedSnapshots: 0,
    pauses: 0,
    partitions: 0,
    lostMessages: 0,
    duplicates: 0,
    lateMessages: 0,
    commands: 0,
    unknownOutcomes: 0,
    reads: 0,
    followerReads: 0,
    readRetries: 0,
    storedReads: 0,
    releases: 0,
    activations: 0,
    refusedReleases: 0,
    refusedLevels: 0,
  };
}

/** Adds the counters of one run to a sum. */
export function addCoverage(sum: Coverage, run: Coverage): void {
  for (const name of coverageNames()) sum[name] += run[name];
}

/** Names of the counters that are zero. */
export function missingCoverage(sum: Coverage): readonly string[] {
  return coverageNames().filter((name) => sum[name] === 0);
}

function coverageNames(): readonly (keyof Coverage)[] {
  return Object.keys(emptyCoverage()) as (keyof Coverage)[];
}
