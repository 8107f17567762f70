/** One thing that etcd's Raft can do, or that this one does beside it. */
export interface ParityRow {
  readonly feature: string;
  /** The requirements that say how. */
  readonly cites: string;
  /** Whether golden traces show it; the rest lies outside of the core. */
  readonly hasScripts: boolean;
  /** Tests elsewhere, by file and a part of their titles. */
  readonly proofs?: readonly (readonly [file: string, title: string])[];
}

/** Everything that the package keeps of etcd's Raft, what it leaves out, and what it adds. */
export const PARITY_ROWS: readonly ParityRow[] = [
  {
    feature: 'Leader election, log replication, compaction',
    cites: 'CS-20, CS-23, CS-26, CS-31, CS-356',
    hasScripts: true,
    proofs: [['node/replica-snapshots.test.ts', 'nothing before a snapshot is complete']],
  },
  {
    feature: 'Pre-vote; check-quorum; leader lease against disruption',
    cites: 'CS-22, CS-23, CS-24, CS-25',
    hasScripts: true,
  },
  {
    feature: 'Single-step and joint membership, learners, auto-leave',
    cites: 'CS-120, CS-121, CS-122',
    hasScripts: true,
  },
  {
    feature: 'One pending config change; leader steps down on removal',
    cites: 'CS-121, CS-122',
    hasScripts: true,
  },
  { feature: 'Leadership transfer', cites: 'CS-60', hasScripts: true },
  {
    feature: 'ReadIndex on leader and followers, batched',
    cites: 'CS-50, CS-51',
    hasScripts: true,
  },
  { feature: 'Lease-based reads', cites: 'CS-52', hasScripts: true },
  {
    feature: 'Optimistic pipelining; in-flight messages and bytes',
    cites: 'CS-33, CS-41',
    hasScripts: true,
  },
  {
    feature: 'Probe/replicate/snapshot progress, fast backtracking hints',
    cites: 'CS-30, CS-33',
    hasScripts: true,
  },
  {
    feature: 'Max message size, max committed size per ready',
    cites: 'CS-40, CS-88',
    hasScripts: true,
    proofs: [['raft/parity.test.ts', 'CS-88 one entry writes at most 8 MiB']],
  },
  { feature: 'Uncommitted-entries size limit', cites: 'CS-46', hasScripts: true },
  {
    feature: 'Batched fsync, parallel leader write, async storage writes',
    cites: 'CS-12, CS-13, CS-74',
    hasScripts: true,
    proofs: [['node/store-queue.prop.test.ts', 'CS-13 CS-74 merged jobs']],
  },
  { feature: 'Proposal forwarding', cites: 'CS-47', hasScripts: true },
  {
    feature: 'Deterministic core, ticks, no I/O',
    cites: 'CS-10, CS-28',
    hasScripts: false,
    proofs: [['raft/core-model.prop.test.ts', 'CS-10 the same inputs give the same outputs']],
  },
  {
    feature: 'Trace events for model validation',
    cites: 'CS-300',
    hasScripts: false,
    proofs: [['raft/parity.test.ts', 'CS-300 the course of a run is a trace']],
  },
  {
    feature: 'Async snapshot by application, pinned generations',
    cites: 'CS-110, CS-112, CS-114, CS-116',
    hasScripts: true,
    proofs: [['support/snapshot-suite.ts', 'CS-112 the newest snapshot and one pinned']],
  },
  {
    feature: 'State divergence detection',
    cites: 'CS-82',
    hasScripts: false,
    proofs: [['node/replica-divergence.test.ts', 'CS-82 members compare their records']],
  },
  {
    feature: 'Storage corruption detection',
    cites: 'CS-75, CS-76, CS-82, CS-350, CS-360',
    hasScripts: true,
    proofs: [
      ['storage/level-corruption.test.ts', 'CS-75 CS-82 CS-350 a record that went back'],
      ['storage/level-corruption.test.ts', 'CS-76 a write-ahead file without its tail'],
    ],
  },
  {
    feature: 'Cluster, member and process identity on every message',
    cites: 'CS-28, CS-348, CS-355',
    hasScripts: true,
    proofs: [
      ['transport/introduction.test.ts', 'CS-28 another store than the one addressed'],
      ['transport/introduction.test.ts', 'CS-348 another foundation of the same cluster'],
    ],
  },
  {
    feature: 'A refuser with the newest log can stand',
    cites: 'CS-354',
    hasScripts: true,
  },
];
