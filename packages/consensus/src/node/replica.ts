import { assert } from '../assert.ts';
import { RaftError } from '../errors.ts';
import type { MemberChange } from '../raft/configuration.ts';
import type { ConfigurationRecord, Entry } from '../raft/entry.ts';
import type { Input } from '../raft/input.ts';
import { isSameMember, type MemberId } from '../raft/member-id.ts';
import { type CoreStoreJob, NO_OUTPUT, type Output, type ProposalOutcome } from '../raft/output.ts';
import { Raft } from '../raft/raft.ts';
import type { AppliedPosition, SnapshotManifest } from '../storage/log-storage.ts';
import { AppendDeferral } from './append-deferral.ts';
import { Application } from './application.ts';
import { ClusterIdentity } from './cluster-identity.ts';
import { CommandGathering } from './command-gathering.ts';
import { ConfigurationHistory } from './configuration-history.ts';
import { asError, outcomeAfter, refusalAfter, violationError } from './failures.ts';
import { GatedMessages } from './gated-messages.ts';
import { LogAdmission } from './log-admission.ts';
import { type Proposal, ProposalQueue } from './proposal-queue.ts';
import { refusalError } from './proposal-refusal.ts';
import { type Read, ReadQueue } from './read-queue.ts';
import type { ReplicaOptions, ReplicaState } from './replica-options.ts';
import type { Envelope, ReplicaPorts, StoreTurnResult } from './replica-ports.ts';
import { Retention } from './retention.ts';
import { SnapshotSchedule } from './snapshot-schedule.ts';
import { StateComparison } from './state-comparison.ts';
import { StoreQueue } from './store-queue.ts';
import { type PlannedTurn, TurnPlan } from './turn-plan.ts';
import { Waiters, type Waiting } from './waiters.ts';
import { WriteWatch } from './write-watch.ts';

/** How many ticks apart members repeat how their disks are. */
const STATUS_TICKS = 400;

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
  readonly #reads: ReadQueue;
  readonly #jobs: StoreQueue;
  readonly #application: Application;
  readonly #gated: GatedMessages;
  readonly #configurations: ConfigurationHistory;
  readonly #snapshots: SnapshotSchedule;
  readonly #plan: TurnPlan;
  readonly #comparison: StateComparison;
  readonly #admission: LogAdmission;
  readonly #cluster: ClusterIdentity;
  readonly #writes: WriteWatch;
  readonly #deferral: AppendDeferral;
  readonly #gathering = new CommandGathering();
  #applied: AppliedPosition;
  #turn: PlannedTurn | undefined;
  #commitSeen: bigint;
  /** Whether effects are made durable even if no entry is there to share the write with. */
  #isApplyDue = true;
  #failure: Error | undefined;
  #isStopped = false;

  constructor(options: ReplicaOptions, state: ReplicaState, ports: ReplicaPorts) {
    this.#options = options;
    this.#ports = ports;
    this.#queue = new ProposalQueue(options.limits);
    this.#reads = new ReadQueue(options.limits.queuedReadsMax);
    this.#waiters = new Waiters((waiting) => {
      if ('payload' in waiting) this.#queue.release(waiting as Proposal);
    });
    this.#jobs = new StoreQueue({
      operationsMax: options.limits.groupOperationsMax,
      bytesMax: options.limits.groupBytesMax,
    });
    this.#configurations = new ConfigurationHistory(state.configurations);
    this.#snapshots = new SnapshotSchedule(options.retention, state.snapshot);
    this.#admission = new LogAdmission(options.retention);
    this.#applied = state.applied;
    this.#commitSeen = state.hardState.commit;
    const { stateMachine, limits } = options;
    const parts = { stateMachine, limits, waiters: this.#waiters, ports };
    const at = { nodeId: options.core.self.nodeId, levels: options.levels, level: state.level };
    this.#application = new Application(parts, state.applied, at);
    this.#gated = new GatedMessages(ports);
    this.#cluster = new ClusterIdentity(state.clusterUid);
    this.#writes = new WriteWatch(options.writeTicksMax);
    this.#plan = new TurnPlan({
      self: options.core.self,
      ports,
      jobs: this.#jobs,
      application: this.#application,
      configurations: this.#configurations,
      snapshots: this.#snapshots,
      retention: new Retention(options.retention),
      cluster: this.#cluster,
    });
    const headers = this.#snapshots.counting(state.headers);
    this.#core = new Raft(options.core, { ...state, headers, applied: state.applied.index });
    const deferralLimits = {
      ticksMax: options.deferTicksMax,
      pauseMax: options.core.electionTicksMax,
    };
    this.#deferral = new AppendDeferral(this.#core, this.#jobs, deferralLimits, ports.nowMs);
    this.#comparison = new StateComparison({
      self: options.core.self,
      core: this.#core,
      send: (to, message) => ports.send(to, message),
      event: (event) => ports.event(event),
      fail: (error) => this.#fail(error),
    });
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
    return this.#cluster.uid;
  }

  get snapshot(): SnapshotManifest | undefined {
    return this.#snapshots.newest;
  }

  /** Why the replica has stopped for good; `undefined` while it works. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Commands without an outcome, and their size in bytes. */
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

  /** Whether a write takes so long that it may never return. */
  get isWriteStalled(): boolean {
    return this.#writes.isStalled;
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
    if (this.#writes.tick()) this.#tellOfWrite('writeStalled', this.#writes.ticks);
    this.#step({ kind: 'tick' });
    this.#admission.tick();
    this.#deferral.tick();
    this.#gathering.end();
    const { retainedBytes } = this.#ports.store.bounds;
    if (this.#admission.expire(this.#queue, retainedBytes)) this.#ports.changed();
    if (this.#admission.now % STATUS_TICKS === 0) this.#tellStorageStatus();
    this.#settleCommit();
    this.flush();
  }

  /** Answer to `ReplicaPorts.wakeSoon`. */
  wake(): void {
    this.#settleCommit();
    this.#continue();
  }

  /** Answer to `ReplicaPorts.gatherSoon`. */
  gathered(): void {
    this.#gathering.end();
    this.#continue();
  }

  /** Takes a message after checking that it is meant for this store in this cluster. */
  receive(envelope: Envelope): void {
    if (!isSameMember(envelope.to, this.#options.core.self)) {
      this.#ports.event({ kind: 'storeMismatch', from: envelope.from });
      return;
    }
    if (!this.#cluster.admits(envelope)) {
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
    this.#gathering.waiting(this.#queue.waiting);
    if (this.#failure === undefined && !this.#isStopped) this.#proposeQueued();
    this.#continue();
  }

  /** Asks for a linearizable read, on any member. */
  read(read: Read): void {
    const refusal = this.#refusal() ?? this.#reads.refusal;
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
    const { isStalled, ticks } = this.#writes;
    this.#writes.ended();
    if (isStalled) this.#tellOfWrite('writeResumed', ticks);
    if (this.#failure !== undefined) return;
    assert(turn !== undefined, 'a turn was running');
    if (result.kind === 'failed') {
      this.#fail(asError(result.error));
      return;
    }
    if (turn.turn.kind === 'job') this.#jobEnded(turn);
    if (result.kind === 'snapshotComplete') this.#snapshotCompleted(result.manifest);
    if (result.kind === 'installed') this.#installed(result.applied, result.manifest);
    if (turn.turn.kind === 'receiveStep') this.#snapshots.sectionsWaiting -= 1;
    this.#continue();
  }

  /** Answer to `ReplicaPorts.readEntries`. */
  entriesRead(request: bigint, entries: readonly Entry[]): void {
    this.#step({ kind: 'entriesLoaded', request, entries });
    this.#continue();
  }

  /** Answer to `ReplicaPorts.readCommitted` of `from`; these are applied next. */
  committedRead(from: bigint, entries: readonly Entry[]): void {
    this.#application.read(from, entries);
    this.#continue();
  }

  /** Answer to `ReplicaPorts.sendSnapshot`; `damaged` is a generation that cannot be sent. */
  snapshotSent(peer: MemberId, ok: boolean, damaged?: bigint): void {
    const isDamaged = damaged !== undefined && this.#snapshots.damaged(damaged);
    if (isDamaged) this.#ports.event({ kind: 'snapshot', phase: 'damaged' });
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
    if (!this.#cluster.isOf(manifest.configuration.clusterUid)) {
      this.#ports.event({ kind: 'clusterMismatch', from });
      return;
    }
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
    const closed = new RaftError('RAFT_CLOSED', {});
    this.#waiters.rejectAll(new RaftError('RAFT_LEADERSHIP_LOST', {}));
    this.#queue.rejectWaiting(closed);
    this.#reads.rejectAll(closed);
    this.#step({ kind: 'stop' });
  }

  /** The leader must know how many voters can still store. */
  #tellStorageStatus(): void {
    const { leader } = this.#core;
    if (leader === undefined || isSameMember(leader, this.#options.core.self)) return;
    const isLow = this.#admission.lowSpace !== undefined;
    this.#ports.send(leader, { kind: 'storageStatus', isLow });
  }

  #refusal(): Error | undefined {
    if (this.#failure !== undefined) return refusalAfter(this.#failure);
    return this.#isStopped ? new RaftError('RAFT_CLOSED', {}) : undefined;
  }

  /** A broken invariant ends everything here, and goes on to whoever called. */
  #step(input: Input): Output {
    try {
      return this.#carryOut(this.#core.step(input));
    } catch (error) {
      this.#fail(asError(error));
      throw error;
    }
  }

  /** What an advance of the commit index asks for and did not come about by itself since. */
  #settleCommit(): void {
    this.#isApplyDue = true;
    this.#step({ kind: 'announceCommit' });
  }

  #carryOut(output: Output): Output {
    if (this.#core.commit > this.#commitSeen) {
      this.#commitSeen = this.#core.commit;
      this.#ports.wakeSoon();
    }
    if (output === NO_OUTPUT) return output;
    if (output.storeJob !== undefined) this.#enqueue(output.storeJob);
    for (const { to, message } of output.messagesNow) this.#ports.send(to, message);
    for (const gated of output.messagesAfter) this.#gated.send(gated);
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
      if (event.kind === 'invariantViolated') this.#fail(violationError(event));
    }
  }

  #enqueue(job: CoreStoreJob): void {
    this.#jobs.push(job);
    const { truncateFrom, entries, configurations, installSnapshot } = job;
    if (truncateFrom !== undefined) {
      this.#waiters.truncated(truncateFrom);
      this.#configurations.truncate(truncateFrom);
    }
    this.#application.appended(truncateFrom, entries);
    this.#snapshots.appended(entries);
    for (const record of configurations) this.#configurations.append(record);
    if (configurations.length > 0 || truncateFrom !== undefined) this.#ports.changed();
    if (installSnapshot !== undefined) this.#snapshots.install(installSnapshot);
  }

  /** Proposes what waits and does not gather. */
  #proposeQueued(): void {
    const { retainedBytes } = this.#ports.store.bounds;
    while (this.#queue.waiting > 0) {
      if (this.#isGathering && this.#core.role === 'leader') return;
      const refusal = this.#admission.refusal(this.#core.configuration, this.#options.core.self);
      if (refusal !== undefined && this.#core.role === 'leader') {
        this.#queue.rejectWaiting(refusal);
        return;
      }
      if (this.#core.role === 'leader' && this.#admission.isLogFull(retainedBytes)) return;
      this.#proposeGroup(this.#queue.takeGroup());
    }
  }

  /**
   * Whether commands gather: while a write is under way none of them can be durable here before the
   * next one, which they then share, like the messages that carry them; and while entries wait for
   * the other voters, the next write is the one that follows their commit. When others have just
   * been answered, those wait a moment for what these ask next.
   */
  get #isGathering(): boolean {
    if (this.#turn?.turn.kind === 'job' || this.#gathering.isOpen) return true;
    return this.#deferral.isWaiting(this.#applied.index);
  }

  #proposeGroup(group: readonly Proposal[]): void {
    const proposals = this.#outcomesOf(group);
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

  #outcomesOf(group: readonly Proposal[]): readonly ProposalOutcome[] {
    try {
      const payloads = group.map(({ payload }) => payload);
      return this.#step({ kind: 'propose', payloads }).proposals;
    } catch (error) {
      // They may have been sent before it broke.
      this.#queue.reject(group, outcomeAfter(asError(error)));
      throw error;
    }
  }

  /** Starts the next turn of the store unless one is running. */
  #continue(): void {
    if (this.#turn !== undefined || this.#failure !== undefined || this.#isStopped) return;
    try {
      if (this.#queue.waiting > 0) this.#proposeQueued();
      if (this.#failure === undefined) this.#startTurn();
    } catch (error) {
      this.#fail(asError(error));
      // An application that fails is an operating failure; a broken invariant is not survived.
      if (!(error instanceof RaftError)) throw error;
    }
  }

  #startTurn(): void {
    const { commit, role, heldIndex } = this.#core;
    const isApplyDue = this.#isApplyDue || role === 'leader' || this.#reads.isWaitingForEntries;
    const applied = this.#applied.index;
    const isDeferring = this.#deferral.decide(applied);
    const position = { commit, applied, isApplyDue, heldIndex, isDeferring };
    const planned = this.#plan.next({ ...position, levelIndex: this.#core.levelIndexAt(applied) });
    this.#isApplyDue &&= (planned?.applied?.index ?? applied) < commit;
    if (planned === undefined) return;
    this.#turn = planned;
    // Installing also hands the records to the state machine, for which no bound is known.
    if (planned.turn.kind !== 'installStep') this.#writes.started();
    this.#ports.startTurn(planned.turn);
  }

  #tellOfWrite(kind: 'writeStalled' | 'writeResumed', ticks: number): void {
    this.#ports.event({ kind, ticks });
    this.#step({ kind: kind === 'writeStalled' ? 'storeStalled' : 'storeResumed' });
    this.#ports.changed();
  }

  #jobEnded(turn: PlannedTurn): void {
    const { merged, applied, purgeThrough } = turn;
    this.#snapshots.jobEnded();
    if (turn.clusterUid !== undefined) this.#cluster.stored();
    if (merged !== undefined) {
      this.#gated.persisted(merged.seq);
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
    const { count } = this.#queue;
    this.#waiters.settle(from, applied.index);
    const { gatherSoon } = this.#ports;
    const answered = gatherSoon === undefined ? 0 : count - this.#queue.count;
    if (this.#gathering.answered(answered, this.#queue.waiting)) gatherSoon?.();
    this.#serveReads();
    if (StateComparison.isDue(applied.index)) {
      this.#comparison.applied(applied.index, this.#ports.store.stateDigest());
    }
  }

  #serveReads(): void {
    this.#reads.appliedTo(this.#applied.index, this.#applied.revision);
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
    this.#application.reset(applied, manifest.configuration.level);
    this.#snapshots.installed(manifest);
    this.#cluster.installed(manifest.configuration.clusterUid);
    this.#ports.event({ kind: 'snapshot', phase: 'installed' });
    this.#step({ kind: 'installed', snapshot: manifest });
    this.#configurations.replaced(manifest, this.#core.lastIndex);
    this.#waiters.replaced(manifest.index);
    // A log that does not go on from the snapshot has lost what lay behind it.
    this.#waiters.truncated(this.#core.lastIndex + 1n);
    this.#serveReads();
    this.#ports.changed();
  }

  /** Stops for good: nothing that was not answered yet is ever acknowledged. */
  #fail(failure: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = failure;
    this.#gated.discard();
    this.#jobs.clear();
    this.#waiters.rejectAll(outcomeAfter(failure));
    const refusal = refusalAfter(failure);
    this.#queue.rejectWaiting(refusal);
    this.#reads.rejectAll(refusal);
    this.#step({ kind: 'storeFailed' });
    this.#ports.changed();
  }
}
