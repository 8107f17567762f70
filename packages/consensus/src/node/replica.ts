import { assert } from '../assert.ts';
import { isRaftError, RaftError } from '../errors.ts';
import { greater, lesser } from '../raft/big-order.ts';
import type { MemberChange } from '../raft/configuration.ts';
import type { ConfigurationRecord, Entry } from '../raft/entry.ts';
import type { Input } from '../raft/input.ts';
import { isSameMember, type MemberId } from '../raft/member-id.ts';
import type { CoreStoreJob, GatedMessage, Output, ProposalOutcome } from '../raft/output.ts';
import { Raft } from '../raft/raft.ts';
import type { AppliedPosition, SnapshotManifest, StoreJob } from '../storage/log-storage.ts';
import { Applier } from './applier.ts';
import { CommittedLog } from './committed-log.ts';
import { ConfigurationHistory } from './configuration-history.ts';
import { LogAdmission } from './log-admission.ts';
import { type Proposal, ProposalQueue } from './proposal-queue.ts';
import { refusalError } from './proposal-refusal.ts';
import { type Read, ReadQueue } from './read-queue.ts';
import type { ReplicaOptions, ReplicaState } from './replica-options.ts';
import type { Envelope, ReplicaPorts, StoreTurn, StoreTurnResult } from './replica-ports.ts';
import { Retention } from './retention.ts';
import { SnapshotSchedule } from './snapshot-schedule.ts';
import { type ComparisonContext, StateComparison } from './state-comparison.ts';
import { type MergedJob, StoreQueue } from './store-queue.ts';
import { Waiters, type Waiting } from './waiters.ts';

/** How many ticks apart members repeat how their disks are. */
const STATUS_TICKS = 400;

/** The turn that the store is taking. */
interface RunningTurn {
  readonly kind: StoreTurn['kind'];
  readonly merged?: MergedJob | undefined;
  readonly applied?: AppliedPosition | undefined;
  readonly purgeThrough?: bigint | undefined;
  readonly isStoringClusterUid?: boolean;
}

/**
 * One member without its clocks, sockets and files: the core, the order of its durable work, the
 * application of what is committed, and everyone who waits for an outcome. All calls are
 * synchronous; what it wants done goes through {@link ReplicaPorts}, whose results come back as
 * calls. The callbacks of proposals and reads must not call the replica.
 */
export class Replica {
  readonly #options: ReplicaOptions;
  readonly #ports: ReplicaPorts;
  readonly #core: Raft;
  readonly #queue: ProposalQueue;
  readonly #waiters: Waiters;
  readonly #reads = new ReadQueue();
  readonly #jobs: StoreQueue;
  readonly #committed = new CommittedLog();
  readonly #configurations: ConfigurationHistory;
  readonly #snapshots: SnapshotSchedule;
  readonly #retention: Retention;
  readonly #comparison: StateComparison;
  readonly #admission: LogAdmission;
  #applier: Applier;
  #applied: AppliedPosition;
  #clusterUid: string | undefined;
  #isClusterUidStored: boolean;
  #persistedSeq = 0n;
  #gated: GatedMessage[] = [];
  #turn: RunningTurn | undefined;
  #readingCommitted: bigint | undefined;
  #failure: Error | undefined;
  #isStopped = false;

  constructor(options: ReplicaOptions, state: ReplicaState, ports: ReplicaPorts) {
    this.#options = options;
    this.#ports = ports;
    this.#queue = new ProposalQueue(options.limits);
    this.#waiters = new Waiters((waiting) => {
      if ('payload' in waiting) this.#queue.release(waiting as Proposal);
    });
    this.#jobs = new StoreQueue({
      operationsMax: options.limits.groupOperationsMax,
      bytesMax: options.limits.groupBytesMax,
    });
    this.#configurations = new ConfigurationHistory(state.configurations);
    this.#retention = new Retention(options.retention);
    this.#snapshots = new SnapshotSchedule(options.retention, state.snapshot);
    this.#comparison = new StateComparison(this.#comparisonContext());
    this.#admission = new LogAdmission(
      options.retention.retainedBytesMax,
      options.retention.admissionTicks,
    );
    this.#applied = state.applied;
    this.#applier = new Applier(options.stateMachine, state.applied);
    this.#clusterUid = state.clusterUid;
    this.#isClusterUidStored = state.clusterUid !== undefined;
    const headers = this.#snapshots.counting(state.headers);
    this.#core = new Raft(options.core, { ...state, headers, applied: state.applied.index });
  }

  /** The core, to be looked at only. */
  get core(): Raft {
    return this.#core;
  }

  /** The durable applied position. */
  get applied(): AppliedPosition {
    return this.#applied;
  }

  /** Identity of the cluster, once known. */
  get clusterUid(): string | undefined {
    return this.#clusterUid;
  }

  get snapshot(): SnapshotManifest | undefined {
    return this.#snapshots.newest;
  }

  /** Why the replica has stopped for good; `undefined` while it works. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Commands without an outcome. */
  get proposals(): { readonly count: number; readonly bytes: number } {
    return { count: this.#queue.count, bytes: this.#queue.bytes };
  }

  /** Whether this member decides alone. */
  get isSoleVoter(): boolean {
    return this.#configurations.isSoleVoter(this.#options.core.self);
  }

  /** Whether the records are being replaced; reads of this node's own state must wait. */
  get isInstalling(): boolean {
    return this.#snapshots.installing !== undefined;
  }

  /** Whether anything is under way that a closing node waits for. */
  get isBusy(): boolean {
    return this.#turn !== undefined || this.#queue.count > 0 || !this.#jobs.isEmpty;
  }

  /** The newest configuration that is in force, with its index. */
  get configuration(): ConfigurationRecord | undefined {
    return this.#configurations.newest;
  }

  tick(): void {
    this.#step({ kind: 'tick' });
    this.#admission.tick();
    this.#expireQueued();
    if (this.#admission.now % STATUS_TICKS === 0) this.#tellStorageStatus();
    this.flush();
  }

  /** Takes a message after checking that it is meant for this store in this cluster. */
  receive(envelope: Envelope): void {
    if (!isSameMember(envelope.to, this.#options.core.self)) {
      this.#ports.event({ kind: 'storeMismatch', from: envelope.from });
      return;
    }
    if (!this.#isSameCluster(envelope)) {
      this.#ports.event({ kind: 'clusterMismatch', from: envelope.from });
      return;
    }
    const { from, message } = envelope;
    if (message.kind === 'stateDigest') {
      this.#comparison.reported(from, message.index, message.digest);
    } else if (message.kind === 'storageStatus') this.#admission.peerIsLow(from, message.isLow);
    else this.#step({ kind: 'message', from, message });
    this.#continue();
  }

  /**
   * Queues a command; {@link flush} proposes it. Settles the proposal with `RAFT_*` errors of
   * `RaftNode.propose`. The payload is not copied.
   */
  propose(proposal: Proposal): void {
    try {
      const refusal = this.#refusal();
      if (refusal !== undefined) throw refusal;
      const bytes = proposal.payload.length;
      const bytesMax = this.#options.limits.payloadBytesMax;
      if (bytes > bytesMax) throw new RaftError('RAFT_ENTRY_TOO_LARGE', { bytes, bytesMax });
      this.#queue.add(proposal, this.#admission.now);
    } catch (error) {
      proposal.reject(error);
    }
  }

  /** Proposes the queued commands. Those that arrived together share appends and writes. */
  flush(): void {
    if (this.#failure === undefined && !this.#isStopped) this.#proposeQueued();
    this.#continue();
  }

  /** Asks for a linearizable read, on any member. */
  read(read: Read): void {
    const refusal = this.#refusal();
    if (refusal !== undefined) {
      read.reject(refusal);
      return;
    }
    this.#step({ kind: 'readIndex', context: this.#reads.add(read) });
    this.#continue();
  }

  /** Proposes a change of members; the call settles like that of a command. */
  changeMembers(changes: readonly MemberChange[], call: Waiting): void {
    const refusal = this.#refusal();
    if (refusal !== undefined) {
      call.reject(refusal);
      return;
    }
    const outcome = this.#step({ kind: 'proposeConfiguration', changes }).proposals[0];
    assert(outcome !== undefined, 'a change has an outcome');
    if (outcome.kind === 'dropped') call.reject(refusalError(outcome));
    else this.#waiters.add(outcome.index, outcome.term, call);
    this.#continue();
  }

  /** Hands leadership over; `undefined` when the transfer began. */
  transferLeader(target: MemberId): Error | undefined {
    const refusal = this.#refusal();
    if (refusal !== undefined) return refusal;
    const outcome = this.#step({ kind: 'transferLeader', target }).proposals[0];
    this.#continue();
    return outcome?.kind === 'dropped' ? refusalError(outcome) : undefined;
  }

  /** Begins an election now. */
  campaign(): void {
    this.#step({ kind: 'campaign' });
    this.#continue();
  }

  /** The store has ended the turn it was given. */
  turnEnded(result: StoreTurnResult): void {
    const turn = this.#turn;
    this.#turn = undefined;
    if (this.#failure !== undefined) return;
    assert(turn !== undefined, 'a turn was running');
    if (result.kind === 'failed') {
      this.#fail(asError(result.error));
      return;
    }
    if (turn.kind === 'job') this.#jobEnded(turn);
    if (result.kind === 'snapshotComplete') this.#snapshotCompleted(result.manifest);
    if (result.kind === 'installed') this.#installed(result.applied, result.manifest);
    if (turn.kind === 'receiveStep') this.#snapshots.sectionsWaiting -= 1;
    this.#continue();
  }

  /** Answer to `ReplicaPorts.readEntries`. */
  entriesRead(request: bigint, entries: readonly Entry[]): void {
    this.#step({ kind: 'entriesLoaded', request, entries });
    this.#continue();
  }

  /** Answer to `ReplicaPorts.readCommitted`; these are applied next. */
  committedRead(entries: readonly Entry[]): void {
    this.#readingCommitted = undefined;
    const next = this.#applier.position.index + 1n;
    if (entries[0]?.index === next) this.#committed.prepend(entries);
    this.#continue();
  }

  /** Answer to `ReplicaPorts.sendSnapshot`. */
  snapshotSent(peer: MemberId, ok: boolean): void {
    this.#step({ kind: 'snapshotResult', peer, ok });
    this.#continue();
  }

  /** A section of an incoming snapshot waits to be made durable. */
  sectionArrived(): void {
    this.#snapshots.sectionsWaiting += 1;
    this.#continue();
  }

  /** A snapshot is in the staging area, complete and verified. */
  snapshotArrived(from: MemberId, term: bigint, manifest: SnapshotManifest): void {
    this.#step({ kind: 'message', from, message: { kind: 'snapshot', term, snapshot: manifest } });
    this.#continue();
  }

  /** The append stream to this member ended, or nothing reaches it. */
  peerUnreachable(peer: MemberId): void {
    this.#step({ kind: 'peerUnreachable', peer });
    this.#continue();
  }

  /** Says how much space the disk has left while that is too little for commands. */
  diskIsLow(free: string | undefined): void {
    this.#admission.lowSpace = free;
    this.#tellStorageStatus();
  }

  /** Fails the replica for a reason outside of it, such as records that could not be read. */
  fail(error: unknown): void {
    this.#fail(asError(error));
  }

  /** Ends participation; whatever waits learns that its outcome is unknown. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#step({ kind: 'stop' });
    const closed = new RaftError('RAFT_CLOSED', {});
    this.#waiters.rejectAll(new RaftError('RAFT_LEADERSHIP_LOST', {}));
    this.#rejectQueued(closed);
    this.#reads.rejectAll(closed);
  }

  /** The leader must know how many voters can still store. */
  #tellStorageStatus(): void {
    const { leader } = this.#core;
    if (leader === undefined || isSameMember(leader, this.#options.core.self)) return;
    const isLow = this.#admission.lowSpace !== undefined;
    this.#ports.send(leader, { kind: 'storageStatus', isLow });
  }

  #comparisonContext(): ComparisonContext {
    const replica = this;
    return {
      self: replica.#options.core.self,
      get leader() {
        return replica.#core.leader;
      },
      get configuration() {
        return replica.#core.configuration;
      },
      send: (to, message) => replica.#ports.send(to, message),
      event: (event) => replica.#ports.event(event),
      fail: (error) => replica.#fail(error),
    };
  }

  #refusal(): Error | undefined {
    if (this.#failure !== undefined) return refusalAfter(this.#failure);
    return this.#isStopped ? new RaftError('RAFT_CLOSED', {}) : undefined;
  }

  #isSameCluster(envelope: Envelope): boolean {
    const { clusterUid, message } = envelope;
    if (clusterUid === this.#clusterUid || clusterUid === undefined) return true;
    if (this.#clusterUid !== undefined) return false;
    // A store without a cluster belongs to the first leader that addresses it.
    const isLeader = message.kind === 'append' || message.kind === 'heartbeat';
    if (isLeader) this.#clusterUid = clusterUid;
    return true;
  }

  #step(input: Input): Output {
    const output = this.#core.step(input);
    if (output.storeJob !== undefined) this.#enqueue(output.storeJob);
    for (const { to, message } of output.messagesNow) this.#ports.send(to, message);
    for (const gated of output.messagesAfter) this.#sendAfter(gated);
    for (const { to, snapshot } of output.snapshotsTo) {
      this.#ports.sendSnapshot(to, this.#core.term, snapshot);
    }
    for (const request of output.entriesRequests) this.#ports.readEntries(request);
    for (const { context, index } of output.readStates) this.#reads.confirmed(context, index);
    if (output.readStates.length > 0) this.#serveReads();
    this.#report(output);
    return output;
  }

  #report(output: Output): void {
    if (output.readsRejected.length > 0) {
      const error = new RaftError('RAFT_NOT_LEADER', { leader: this.#core.leader });
      for (const context of output.readsRejected) this.#reads.reject(context, error);
    }
    const { softState } = output;
    if (softState !== undefined) {
      this.#ports.event({ kind: 'softState', softState });
      this.#ports.changed();
    }
    for (const event of output.events) {
      this.#ports.event(event);
      if (event.kind === 'invariantViolated') {
        this.#fail(new RaftError('RAFT_LOG_CONTRADICTED', { problem: event.text }));
      }
    }
  }

  #enqueue(job: CoreStoreJob): void {
    this.#jobs.push(job);
    const { truncateFrom, entries, configurations, installSnapshot } = job;
    if (truncateFrom !== undefined) {
      this.#waiters.truncated(truncateFrom);
      this.#configurations.truncate(truncateFrom);
    }
    this.#committed.append(truncateFrom, entries);
    this.#snapshots.appended(entries);
    for (const record of configurations) this.#configurations.append(record);
    if (configurations.length > 0 || truncateFrom !== undefined) this.#ports.changed();
    if (installSnapshot !== undefined) this.#snapshots.install(installSnapshot);
  }

  #sendAfter(gated: GatedMessage): void {
    if (gated.seq <= this.#persistedSeq) this.#ports.send(gated.to, gated.message);
    else this.#gated.push(gated);
  }

  #releaseGated(): void {
    let released = 0;
    for (const { seq, to, message } of this.#gated) {
      if (seq > this.#persistedSeq) break;
      this.#ports.send(to, message);
      released += 1;
    }
    if (released > 0) this.#gated = this.#gated.slice(released);
  }

  /**
   * Proposes what waits. The only voter commits by its own write, so it lets commands gather while
   * one is under way; others send what they have at once.
   */
  #proposeQueued(): void {
    const { retainedBytes } = this.#ports.store.bounds;
    while (this.#queue.waiting > 0) {
      if (this.isSoleVoter && this.#turn?.kind === 'job') return;
      const refusal = this.#admission.refusal(this.#core.configuration, this.#options.core.self);
      if (refusal !== undefined && this.#core.role === 'leader') {
        this.#rejectQueued(refusal);
        return;
      }
      if (this.#core.role === 'leader' && this.#admission.isLogFull(retainedBytes)) return;
      this.#proposeGroup(this.#takeGroup());
    }
  }

  /** Refuses commands that have waited too long for the log to shrink. */
  #expireQueued(): void {
    const { retainedBytes } = this.#ports.store.bounds;
    if (!this.#admission.isLogFull(retainedBytes)) return;
    const error = this.#admission.logFullError(retainedBytes);
    for (const proposal of this.#queue.takeOlder(this.#admission.deadline)) {
      this.#queue.release(proposal);
      proposal.reject(error);
    }
  }

  #takeGroup(): readonly Proposal[] {
    const { groupOperationsMax, groupBytesMax } = this.#options.limits;
    const group: Proposal[] = [];
    let bytes = 0;
    this.#queue.takeWhile((proposal) => {
      bytes += proposal.payload.length;
      const isFull = group.length >= groupOperationsMax || bytes > groupBytesMax;
      if (isFull && group.length > 0) return false;
      group.push(proposal);
      return true;
    });
    return group;
  }

  #proposeGroup(group: readonly Proposal[]): void {
    const payloads = group.map(({ payload }) => payload);
    const { proposals } = this.#step({ kind: 'propose', payloads });
    group.forEach((proposal, i) => {
      const outcome: ProposalOutcome | undefined = proposals[i];
      assert(outcome !== undefined, 'every command has an outcome');
      if (outcome.kind === 'accepted') {
        this.#waiters.add(outcome.index, outcome.term, proposal);
        return;
      }
      this.#queue.release(proposal);
      proposal.reject(this.#refusal() ?? refusalError(outcome));
    });
  }

  #rejectQueued(error: Error): void {
    for (const proposal of this.#queue.takeAll()) {
      this.#queue.release(proposal);
      proposal.reject(error);
    }
  }

  /** Starts the next turn of the store unless one is running. */
  #continue(): void {
    if (this.#turn !== undefined || this.#failure !== undefined || this.#isStopped) return;
    try {
      if (this.#queue.waiting > 0 && this.isSoleVoter) this.#proposeQueued();
      if (this.#failure === undefined) this.#startTurn();
    } catch (error) {
      this.#fail(asError(error));
    }
  }

  #startTurn(): void {
    const isOtherDue = this.#snapshots.isStepDue && this.#snapshots.takesTurns;
    if (!isOtherDue && this.#startJob()) return;
    if (this.#startOther()) return;
    if (isOtherDue) this.#startJob();
  }

  /** Whatever is not a job; jobs and these take turns. */
  #startOther(): boolean {
    const { installing } = this.#snapshots;
    this.#snapshots.otherStarts();
    if (installing !== undefined && this.#snapshots.isInstallReady) {
      return this.#start({ kind: 'installStep' }, { kind: 'installStep', snapshot: installing });
    }
    if (installing !== undefined) return false;
    if (this.#snapshots.sectionsWaiting > 0) {
      return this.#start({ kind: 'receiveStep' }, { kind: 'receiveStep' });
    }
    if (!this.#snapshots.isBuilding && !this.#isSnapshotDue()) return false;
    const begun = this.#snapshots.begin(this.#configurations.at(this.#applied.index));
    if (begun === undefined) return false;
    if (begun.isNew) this.#ports.event({ kind: 'snapshot', phase: 'begun' });
    const turn: StoreTurn = { kind: 'snapshotStep', configuration: begun.record };
    return this.#start({ kind: 'snapshotStep' }, turn);
  }

  #start(running: RunningTurn, turn: StoreTurn): boolean {
    this.#turn = running;
    this.#ports.startTurn(turn);
    return true;
  }

  #isSnapshotDue(): boolean {
    if (this.#configurations.isSoleMember(this.#options.core.self)) return false;
    return this.#snapshots.isDue(this.#applied.index, this.#ports.store.bounds.purged.index);
  }

  #startJob(): boolean {
    const { store } = this.#ports;
    const merged = this.#jobs.take();
    const applied = this.#applyCommitted(merged);
    const purgeThrough = this.#nextPurge();
    const isStoringClusterUid = !this.#isClusterUidStored && this.#clusterUid !== undefined;
    const isApplying = applied.index > this.#applied.index;
    if (merged === undefined && !isApplying && purgeThrough === undefined) {
      if (!isStoringClusterUid) return false;
    }
    const job: StoreJob = {
      clusterUid: isStoringClusterUid ? this.#clusterUid : undefined,
      truncateFrom: belowOrAt(merged?.truncateFrom, store.bounds.last.index),
      entries: merged?.entries ?? [],
      configurations: merged?.configurations,
      hardState: merged?.hardState,
      applied: isApplying ? applied : undefined,
      writes: this.#applier.take(),
      purgeThrough,
    };
    const position = isApplying ? applied : undefined;
    return this.#start(
      { kind: 'job', merged, applied: position, purgeThrough, isStoringClusterUid },
      { kind: 'job', job },
    );
  }

  #nextPurge(): bigint | undefined {
    if (this.isInstalling) return undefined;
    const covered = this.#configurations.isSoleMember(this.#options.core.self)
      ? this.#applied.index
      : this.#snapshots.newest?.index;
    if (covered === undefined) return undefined;
    const above = this.#configurations.isSoleMember(this.#options.core.self)
      ? 0
      : this.#snapshots.bytesSince;
    return this.#retention.next(this.#ports.store, covered, above);
  }

  /**
   * Runs committed entries through the state machine, as many as share one write. Those that this
   * write makes durable may be among them. A range ends at every index at which members compare
   * their records.
   */
  #applyCommitted(merged: MergedJob | undefined): AppliedPosition {
    const applier = this.#applier;
    if (this.isInstalling) return applier.position;
    const through = this.#appliable(merged);
    const { groupOperationsMax, groupBytesMax } = this.#options.limits;
    const operations = merged?.operations ?? 0;
    const bytes = merged?.bytes ?? 0;
    while (applier.position.index < through) {
      const index = applier.position.index + 1n;
      const entry = this.#committed.peek(index);
      if (entry === undefined) {
        this.#readCommitted(index, through);
        break;
      }
      this.#committed.take(index);
      const { result, revision } = applier.apply(entry);
      this.#waiters.applied({ index, term: entry.term, revision, result });
      if (StateComparison.isDue(index)) break;
      const isFull =
        operations + applier.operations >= groupOperationsMax ||
        bytes + applier.bytes > groupBytesMax;
      if (isFull) break;
    }
    return applier.position;
  }

  /** Newest index that is committed, or becomes so by this write, and stored with this write. */
  #appliable(merged: MergedJob | undefined): bigint {
    const commit = greater(this.#core.commit, merged?.commitOnPersist ?? 0n);
    const { last } = this.#ports.store.bounds;
    let stored = merged?.entries.at(-1)?.index;
    stored ??= belowOrAt(merged?.truncateFrom, last.index) === undefined ? last.index : undefined;
    stored ??= (merged?.truncateFrom ?? 1n) - 1n;
    return lesser(commit, stored);
  }

  #readCommitted(from: bigint, through: bigint): void {
    if (this.#readingCommitted !== undefined) return;
    const { last } = this.#ports.store.bounds;
    const next = this.#committed.firstIndex;
    const end = next === undefined ? last.index : next - 1n;
    if (from > last.index) return;
    this.#readingCommitted = from;
    this.#ports.readCommitted(from, lesser(end, through));
  }

  #jobEnded(turn: RunningTurn): void {
    const { merged, applied, purgeThrough } = turn;
    this.#snapshots.jobEnded();
    if (turn.isStoringClusterUid === true) this.#isClusterUidStored = true;
    if (merged !== undefined) {
      this.#persistedSeq = merged.seq;
      this.#releaseGated();
      this.#step({ kind: 'persisted', seq: merged.seq });
      if (merged.installSnapshot !== undefined) this.#snapshots.isInstallReady = true;
    }
    if (applied !== undefined) this.#publish(applied);
    if (purgeThrough !== undefined) this.#purged();
    if (applied !== undefined || merged !== undefined) this.#ports.changed();
  }

  #publish(applied: AppliedPosition): void {
    const from = this.#applied.index + 1n;
    this.#applied = applied;
    this.#step({ kind: 'applied', index: applied.index });
    this.#options.stateMachine.publish?.(applied);
    this.#waiters.settle(from, applied.index);
    this.#serveReads();
    if (StateComparison.isDue(applied.index)) {
      this.#comparison.applied(applied.index, this.#ports.store.stateDigest());
    }
  }

  #serveReads(): void {
    const { index, revision } = this.#applied;
    this.#reads.appliedTo(index, revision);
  }

  #purged(): void {
    const { purged } = this.#ports.store.bounds;
    this.#ports.event({ kind: 'purged', through: purged.index });
    this.#step({ kind: 'purged', through: purged });
  }

  #snapshotCompleted(manifest: SnapshotManifest): void {
    this.#snapshots.completed(manifest);
    this.#ports.event({ kind: 'snapshot', phase: 'complete' });
    this.#step({ kind: 'snapshotAvailable', snapshot: manifest });
  }

  #installed(applied: AppliedPosition, manifest: SnapshotManifest): void {
    this.#applied = applied;
    this.#applier = new Applier(this.#options.stateMachine, applied);
    this.#committed.clear();
    this.#readingCommitted = undefined;
    this.#snapshots.installed(manifest);
    this.#ports.event({ kind: 'snapshot', phase: 'installed' });
    this.#step({ kind: 'installed', snapshot: manifest });
    this.#configurations.replaced(manifest, this.#core.lastIndex);
    this.#waiters.replaced(manifest.index);
    this.#serveReads();
    this.#ports.changed();
  }

  /** Stops for good: nothing that was not answered yet is ever acknowledged. */
  #fail(failure: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = failure;
    this.#gated = [];
    this.#jobs.clear();
    this.#step({ kind: 'storeFailed' });
    this.#waiters.rejectAll(failure);
    const refusal = refusalAfter(failure);
    this.#rejectQueued(refusal);
    this.#reads.rejectAll(refusal);
    this.#ports.changed();
  }
}

/** The error of a call that the failed replica has not begun to carry out. */
function refusalAfter(failure: Error): Error {
  if (!isRaftError(failure, 'RAFT_STORAGE_FAILED')) return failure;
  return new RaftError('RAFT_STORAGE_FAILED', { isUncertain: false }, { cause: failure });
}

/** A cut that begins behind the stored log cuts nothing there. */
function belowOrAt(truncateFrom: bigint | undefined, last: bigint): bigint | undefined {
  return truncateFrom !== undefined && truncateFrom <= last ? truncateFrom : undefined;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
