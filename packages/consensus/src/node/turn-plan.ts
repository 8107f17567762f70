import type { MemberId } from '../raft/member-id.ts';
import type { AppliedPosition, StoreJob } from '../storage/log-storage.ts';
import { appliableIndex, storedCut } from './appliable-index.ts';
import type { Application } from './application.ts';
import type { ClusterIdentity } from './cluster-identity.ts';
import type { ConfigurationHistory } from './configuration-history.ts';
import type { ReplicaPorts, StoreTurn } from './replica-ports.ts';
import type { Retention } from './retention.ts';
import type { SnapshotSchedule } from './snapshot-schedule.ts';
import type { MergedJob, StoreQueue } from './store-queue.ts';

/** A turn of the store, and what follows for the replica once it has ended. */
export interface PlannedTurn {
  readonly turn: StoreTurn;
  readonly merged?: MergedJob | undefined;
  readonly applied?: AppliedPosition | undefined;
  readonly purgeThrough?: bigint | undefined;
  readonly clusterUid?: string | undefined;
}

/** What the plan looks at and takes from. */
export interface TurnPlanParts {
  readonly self: MemberId;
  readonly ports: ReplicaPorts;
  readonly jobs: StoreQueue;
  readonly application: Application;
  readonly configurations: ConfigurationHistory;
  readonly snapshots: SnapshotSchedule;
  readonly retention: Retention;
  readonly cluster: ClusterIdentity;
}

/** How far the replica is: the commit index, and the newest index whose effects are durable. */
export interface TurnPosition {
  readonly commit: bigint;
  readonly applied: bigint;
  /** Whether effects are due even when they have a write to themselves. */
  readonly isApplyDue: boolean;
  /** Index behind which other members need the log until they have caught up. */
  readonly heldIndex: bigint | undefined;
  /** Whether jobs are left in their queue until the other voters have committed them. */
  readonly isDeferring: boolean;
  /** Index of the entry that activated the feature level of the durable records; 0 for none. */
  readonly levelIndex: bigint;
}

/** Decides what the store does next. Jobs and everything else take turns. */
export class TurnPlan {
  readonly #parts: TurnPlanParts;

  constructor(parts: TurnPlanParts) {
    this.#parts = parts;
  }

  /**
   * Takes what is due out of the queues; `undefined` when nothing is. Throws `RAFT_APPLY_FAILED`
   * when the state machine does.
   */
  next(position: TurnPosition): PlannedTurn | undefined {
    const { snapshots } = this.#parts;
    if (position.isDeferring) return this.#other(position);
    // One that is due counts as well: with commands always waiting, it would never be begun.
    const isOtherDue = snapshots.isStepDue || this.#isSnapshotDue(position);
    if (isOtherDue && snapshots.takesTurns) return this.#other(position) ?? this.#job(position);
    return this.#job(position) ?? this.#other(position);
  }

  /** Whatever is not a job. */
  #other(position: TurnPosition): PlannedTurn | undefined {
    const { snapshots } = this.#parts;
    const { installing } = snapshots;
    snapshots.otherStarts();
    if (installing !== undefined) {
      const turn: StoreTurn = { kind: 'installStep', snapshot: installing };
      return snapshots.isInstallReady ? { turn } : undefined;
    }
    if (snapshots.sectionsWaiting > 0) return { turn: { kind: 'receiveStep' } };
    return this.#snapshotStep(position);
  }

  #snapshotStep(position: TurnPosition): PlannedTurn | undefined {
    const { ports, configurations, snapshots } = this.#parts;
    if (!(snapshots.isBuilding || this.#isSnapshotDue(position))) return undefined;
    const begun = snapshots.begin(configurations.at(position.applied));
    if (begun === undefined) return undefined;
    if (begun.isNew) ports.event({ kind: 'snapshot', phase: 'begun' });
    return { turn: { kind: 'snapshotStep', configuration: begun.record } };
  }

  /** Whether a snapshot is to be begun; a sole member makes none. */
  #isSnapshotDue({ applied, levelIndex }: TurnPosition): boolean {
    const { self, ports, configurations, snapshots } = this.#parts;
    if (configurations.isSoleMember(self)) return false;
    return snapshots.isDue(applied, ports.store.bounds.purged.index, levelIndex);
  }

  #job({ commit, applied: durable, isApplyDue, heldIndex }: TurnPosition): PlannedTurn | undefined {
    const { ports, jobs, application, cluster } = this.#parts;
    const { last } = ports.store.bounds;
    const merged = jobs.take();
    const isApplying = isApplyDue || merged !== undefined;
    const through = isApplying ? appliableIndex(commit, last.index, merged) : durable;
    const position = this.#apply(through, merged);
    const applied = position.index > durable ? position : undefined;
    const purgeThrough = this.#purge(durable, heldIndex);
    const clusterUid = cluster.unstored;
    const isIdle = merged === undefined && applied === undefined && purgeThrough === undefined;
    if (isIdle && clusterUid === undefined) return undefined;
    const job: StoreJob = {
      clusterUid,
      truncateFrom: storedCut(merged, last.index),
      entries: merged?.entries ?? [],
      configurations: merged?.configurations,
      hardState: merged?.hardState,
      applied,
      writes: application.takeWrites(),
      purgeThrough,
    };
    return { turn: { kind: 'job', job }, merged, applied, purgeThrough, clusterUid };
  }

  #apply(through: bigint, merged: MergedJob | undefined): AppliedPosition {
    const { application, snapshots } = this.#parts;
    if (snapshots.installing !== undefined) return application.position;
    const { operations, bytes } = merged ?? { operations: 0, bytes: 0 };
    return application.applyTo(through, { operations, bytes });
  }

  /** A sole member needs no snapshot: its records are durable, and nobody needs its log. */
  #purge(applied: bigint, heldIndex: bigint | undefined): bigint | undefined {
    const { self, ports, configurations, snapshots, retention } = this.#parts;
    if (snapshots.installing !== undefined) return undefined;
    if (configurations.isSoleMember(self)) return retention.next(ports.store, applied, 0);
    const { covered } = snapshots;
    if (covered === undefined) return undefined;
    return retention.next(ports.store, covered, snapshots.bytesSince, heldIndex);
  }
}
