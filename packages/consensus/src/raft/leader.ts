import { greater, lesser } from './big-order.ts';
import type { ConfigurationLog } from './configuration-log.ts';
import type { Entry } from './entry.ts';
import { type MemberId, memberKey } from './member-id.ts';
import { membersOf } from './membership.ts';
import type { Message, ReadContext, SnapshotMeta } from './message.ts';
import type { Outbox } from './outbox.ts';
import type { ProposalRefusal } from './output.ts';
import { Progress } from './progress.ts';
import { isQuorum, reachedByQuorum } from './quorum.ts';
import type { RaftLog } from './raft-log.ts';
import type { RaftOptions } from './raft-options.ts';
import { type Reader, ReadRounds } from './read-rounds.ts';

/** What a leader shares with the member that it is a role of. */
export interface LeaderContext {
  readonly options: RaftOptions;
  readonly log: RaftLog;
  readonly configurations: ConfigurationLog;
  readonly term: bigint;
  readonly commit: bigint;
  /** Ticks since the process began. */
  readonly now: number;
  readonly outbox: Outbox;
  readonly snapshot: SnapshotMeta | undefined;
  nextRequest(): bigint;
}

/** Leadership on its way to another member. */
interface Transfer {
  readonly target: MemberId;
  readonly deadline: number;
  isSent: boolean;
}

/** Accepted or rejected append. */
type AppendAnswer = Message & { readonly kind: 'appendAccepted' | 'appendRejected' };

/** Everything that only a leader has: what the others have, who reads, who is to lead next. */
export class Leader {
  readonly #context: LeaderContext;
  readonly #self: string;
  readonly #progress = new Map<string, Progress>();
  /**
   * Greatest number of a stream to a member that was removed since. One that is added again goes on
   * behind it: answers to what it was sent before may still be on their way.
   */
  #endedGeneration = 0n;
  readonly #reads: ReadRounds;
  /** Index of the empty entry that began this leadership. */
  readonly ownTermIndex: bigint;
  /** Payload bytes of commands that are appended and not committed. */
  uncommittedBytes = 0;
  transfer: Transfer | undefined;
  #heartbeatTicks = 0;

  constructor(context: LeaderContext) {
    this.#context = context;
    this.#self = memberKey(context.options.self);
    this.#reads = new ReadRounds(context.options.epoch);
    this.ownTermIndex = context.log.lastIndex + 1n;
    this.syncMembers();
  }

  get hasCommittedOwnTerm(): boolean {
    return this.#context.commit >= this.ownTermIndex;
  }

  /** What is known of the others, by member key. */
  get progress(): ReadonlyMap<string, Progress> {
    return this.#progress;
  }

  /**
   * Follows the newest configuration, at each change of it: who is new begins from nothing, who
   * stays is known as it is described now, who left is forgotten.
   */
  syncMembers(): void {
    const { configurations, log, now } = this.#context;
    const configuration = configurations.newest;
    if (configuration === undefined) return;
    const keys = new Set<string>();
    for (const member of membersOf(configuration)) {
      const key = memberKey(member);
      if (key === this.#self) continue;
      keys.add(key);
      const known = this.#progress.get(key);
      if (known !== undefined) {
        known.member = member;
        continue;
      }
      const generation = this.#endedGeneration + 1n;
      this.#progress.set(key, new Progress(member, log.lastIndex + 1n, now, generation));
    }
    for (const [key, { generation }] of this.#progress) {
      if (keys.has(key)) continue;
      this.#progress.delete(key);
      this.#endedGeneration = greater(this.#endedGeneration, generation);
    }
  }

  tick(): void {
    const { options, outbox, now } = this.#context;
    if (this.transfer !== undefined && now >= this.transfer.deadline) {
      outbox.events.push({ kind: 'transferAborted', target: this.transfer.target });
      this.transfer = undefined;
    }
    for (const progress of this.#progress.values()) this.#checkStream(progress);
    this.#heartbeatTicks += 1;
    if (this.#heartbeatTicks < options.heartbeatTicks) return;
    this.#heartbeatTicks = 0;
    for (const progress of this.#progress.values()) {
      if (!this.#isSuppressed(progress)) this.#heartbeat(progress);
    }
  }

  /** Whether a quorum has shown signs of life within the shortest election timeout. */
  get isQuorumActive(): boolean {
    const { configurations, options, now } = this.#context;
    return isQuorum(configurations.halves, (voter) => {
      if (voter === this.#self) return true;
      const progress = this.#progress.get(voter);
      return progress !== undefined && now - progress.contactTick < options.electionTicksMin;
    });
  }

  /** Whether the others are a quorum by themselves, live, and take entries as they come. */
  get isOthersQuorum(): boolean {
    const { configurations, options, now } = this.#context;
    return isQuorum(configurations.halves, (voter) => {
      const progress = this.#progress.get(voter);
      if (progress?.state !== 'replicate') return false;
      return now - progress.contactTick < options.electionTicksMin;
    });
  }

  /** Whether all that is in the log would be committed if only it were durable here. */
  get isOwnWriteMissing(): boolean {
    const { configurations, log } = this.#context;
    return isQuorum(configurations.halves, (voter) => {
      if (voter === this.#self) return true;
      return (this.#progress.get(voter)?.match ?? 0n) >= log.lastIndex;
    });
  }

  /** The greatest index that a quorum has durably. */
  get reached(): bigint {
    const { configurations, log } = this.#context;
    return reachedByQuorum(configurations.halves, (voter) =>
      voter === this.#self ? log.stable : (this.#progress.get(voter)?.match ?? 0n),
    );
  }

  /** Sends what there is to send to everyone. */
  replicate(): void {
    for (const progress of this.#progress.values()) this.#send(progress);
  }

  /** Those who do not know the commit index and have nothing on its way to them are told. */
  announceCommit(): void {
    for (const progress of this.#progress.values()) {
      const known = lesser(this.#context.commit, progress.match);
      if (progress.inflightBatches === 0 && known > progress.commitSent) this.#heartbeat(progress);
    }
  }

  /** Tells everyone the commit index, whatever is on its way. */
  broadcastCommit(): void {
    for (const progress of this.#progress.values()) this.#heartbeat(progress);
  }

  appendAnswered(from: MemberId, answer: AppendAnswer): void {
    const progress = this.#progress.get(memberKey(from));
    if (progress === undefined) return;
    progress.contactTick = this.#context.now;
    progress.answerTick = this.#context.now;
    progress.stallTick = this.#context.now;
    if (answer.kind === 'appendAccepted') this.#accepted(progress, answer);
    else this.#rejected(progress, answer);
    this.#send(progress);
    this.#continueTransfer(progress);
  }

  heartbeatAnswered(from: MemberId, read: ReadContext | undefined): void {
    const { now, options } = this.#context;
    const progress = this.#progress.get(memberKey(from));
    if (progress === undefined) return;
    progress.contactTick = now;
    if (read !== undefined) this.#reads.answered(progress.key, read);
    if (read?.epoch === options.epoch && options.readMode === 'lease') {
      progress.leaseTick = Math.max(progress.leaseTick, Number(read.context));
    }
    // The member lives, so a probe that it has not answered for long may have been lost.
    const isOverdue = now - progress.sentTick >= options.probeTicksMax;
    if (progress.state === 'probe' && isOverdue) progress.isProbing = false;
    this.serveReads();
    this.#send(progress);
  }

  /** The entries from behind `commit` to `reached` are being committed. */
  committing(commit: bigint, reached: bigint): void {
    const { log } = this.#context;
    const first = greater(commit + 1n, this.ownTermIndex);
    this.uncommittedBytes -= log.bytesBetween(first, reached);
  }

  /** Whether the member has shown a sign of life within the shortest election timeout. */
  isAlive(member: MemberId): boolean {
    const { options, now } = this.#context;
    const progress = this.#progress.get(memberKey(member));
    return progress !== undefined && now - progress.contactTick < options.electionTicksMin;
  }

  /**
   * Index behind which the log is needed by members that were sent a snapshot and live. Cut sooner,
   * it would make them begin with another one, for ever if commands come quickly enough.
   */
  get heldIndex(): bigint | undefined {
    const { now, options } = this.#context;
    let least: bigint | undefined;
    for (const { heldIndex, match, contactTick } of this.#progress.values()) {
      if (heldIndex === undefined || now - contactTick >= options.answerTicksMax) continue;
      const held = greater(heldIndex, match);
      least = least === undefined ? held : lesser(least, held);
    }
    return least;
  }

  /** Any other authenticated reply. */
  contact(from: MemberId): void {
    const progress = this.#progress.get(memberKey(from));
    if (progress !== undefined) progress.contactTick = this.#context.now;
  }

  entriesLoaded(request: bigint, entries: readonly Entry[]): void {
    for (const progress of this.#progress.values()) {
      if (progress.awaiting !== request) continue;
      progress.awaiting = undefined;
      const first = entries[0];
      const isValid =
        first?.index === progress.next &&
        entries.every(({ index, term }) => this.#context.log.termAt(index) === term);
      // What was purged meanwhile is not sent; the next look chooses a snapshot.
      if (isValid && progress.state !== 'snapshot') this.#sendEntries(progress, entries);
      this.#send(progress);
    }
  }

  unreachable(peer: MemberId): void {
    const progress = this.#progress.get(memberKey(peer));
    if (progress !== undefined && progress.state !== 'snapshot') progress.resetStream();
  }

  snapshotEnded(peer: MemberId, isOk: boolean): void {
    const { now, options } = this.#context;
    const progress = this.#progress.get(memberKey(peer));
    if (progress === undefined || progress.state !== 'snapshot') return;
    const { snapshotIndex } = progress;
    if (isOk && snapshotIndex !== undefined) {
      progress.takenIndex = snapshotIndex;
      progress.resetStream(snapshotIndex + 1n);
    } else {
      progress.resetStream();
      progress.snapshotRetryTick = now + options.heartbeatTicks;
    }
    this.#send(progress);
  }

  read(reader: Reader): void {
    this.#reads.add(reader);
    this.serveReads();
  }

  /** Opens and answers rounds as far as that is possible now. */
  serveReads(): void {
    const { configurations, commit, options } = this.#context;
    if (!this.hasCommittedOwnTerm) return;
    if (configurations.isSelfSoleVoter) {
      this.#answer(this.#reads.takeAll(), commit);
      return;
    }
    if (options.readMode === 'lease') {
      if (this.#hasLease) this.#answer(this.#reads.takeAll(), commit);
      return;
    }
    const confirmed = this.#reads.takeConfirmed(configurations.halves, this.#self);
    if (confirmed !== undefined) this.#answer(confirmed.readers, confirmed.index);
    if (this.#reads.open(commit)) this.broadcastCommit();
  }

  /** Why a command may not be appended now. An empty log admits one of any size. */
  refusalOf(payload: Uint8Array): ProposalRefusal | undefined {
    const { payloadBytesMax, uncommittedBytesMax } = this.#context.options;
    if (this.transfer !== undefined) return 'transferring';
    if (payload.length > payloadBytesMax) return 'tooLarge';
    const bytes = this.uncommittedBytes + payload.length;
    const isFull = this.uncommittedBytes > 0 && bytes > uncommittedBytesMax;
    return isFull ? 'uncommittedLogFull' : undefined;
  }

  /** Begins to hand leadership over. */
  beginTransfer(target: MemberId): void {
    const { now, options } = this.#context;
    this.transfer = { target, deadline: now + options.electionTicksMax, isSent: false };
    const progress = this.#progress.get(memberKey(target));
    if (progress === undefined) return;
    this.#send(progress);
    this.#continueTransfer(progress);
  }

  /** Asks the voter that has most of the log, among those that live, to lead instead. */
  nominate(): void {
    const { configurations, outbox, term } = this.#context;
    if (this.transfer?.isSent === true) return;
    let best: Progress | undefined;
    for (const voter of configurations.newest?.voters ?? []) {
      const progress = this.#progress.get(memberKey(voter));
      if (progress === undefined || !this.isAlive(voter)) continue;
      if (best === undefined || progress.match > best.match) best = progress;
    }
    if (best !== undefined) outbox.send(best.member, { kind: 'timeoutNow', term });
  }

  /** Leadership has ended: nobody who reads is answered by this member. */
  end(): void {
    const { outbox, term } = this.#context;
    for (const reader of this.#reads.takeAll()) {
      if (reader.kind === 'local') outbox.readsRejected.push(reader.context);
      else {
        const { from, read } = reader;
        outbox.send(from, { kind: 'readIndexResponse', term, read, index: undefined });
      }
    }
  }

  get #hasLease(): boolean {
    const { configurations, options, now } = this.#context;
    if (this.transfer?.isSent === true) return false;
    const oldest = now - (options.electionTicksMin - options.heartbeatTicks);
    return isQuorum(configurations.halves, (voter) => {
      if (voter === this.#self) return true;
      return (this.#progress.get(voter)?.leaseTick ?? -1) > oldest;
    });
  }

  #answer(readers: readonly Reader[], index: bigint): void {
    const { outbox, term } = this.#context;
    for (const reader of readers) {
      if (reader.kind === 'local') outbox.readStates.push({ context: reader.context, index });
      else {
        const { from, read } = reader;
        outbox.send(from, { kind: 'readIndexResponse', term, read, index });
      }
    }
  }

  #accepted(progress: Progress, answer: AppendAnswer & { kind: 'appendAccepted' }): void {
    const { log, now, options } = this.#context;
    const { match, generation, batch } = answer;
    if (match > log.lastIndex) return;
    progress.confirm(match);
    progress.measure(log.lastIndex, now, options.electionTicksMin);
    if (progress.state === 'snapshot') {
      const isInLog = progress.match + 1n > log.purged.index;
      if (isInLog && !this.#isTooOld(progress, progress.match + 1n)) progress.resetStream();
      return;
    }
    if (generation !== progress.generation) return;
    progress.takenIndex = undefined;
    const sent = progress.answered(batch);
    // The member took less than it was sent: it has compacted more than it confirmed before.
    if (sent !== undefined && match < sent) progress.resetStream();
    else if (progress.state === 'probe') {
      progress.state = 'replicate';
      progress.isProbing = false;
      progress.next = progress.match + 1n;
    }
  }

  #rejected(progress: Progress, answer: AppendAnswer & { kind: 'appendRejected' }): void {
    const { rejectIndex, hintIndex, hintTerm, generation } = answer;
    if (generation !== progress.generation) return;
    if (rejectIndex <= progress.match) {
      if (rejectIndex <= progress.generationMatch) this.#lostEntries(progress);
      return;
    }
    if (progress.state === 'snapshot') return;
    if (progress.state === 'probe' && rejectIndex !== progress.next - 1n) return;
    progress.takenIndex = undefined;
    const next = greater(this.#commonIndex(hintIndex, hintTerm), progress.match) + 1n;
    progress.resetStream(next);
  }

  /** Greatest index at which both logs may agree; below the purged one when that is too new. */
  #commonIndex(hintIndex: bigint, hintTerm: bigint): bigint {
    const { log } = this.#context;
    const { purged } = log;
    const index = log.lastIndexAtMost(hintIndex, hintTerm);
    const isPurgedShared = hintIndex >= purged.index && hintTerm >= purged.term;
    if (index > purged.index || isPurgedShared) return index;
    return lesser(hintIndex, purged.index - 1n);
  }

  /** A member denies what it had confirmed: its store has gone back, perhaps with its votes. */
  #lostEntries(progress: Progress): void {
    const { outbox, term } = this.#context;
    const { member, match } = progress;
    outbox.events.push({ kind: 'memberLostEntries', member, match });
    outbox.send(member, { kind: 'storeLost', term, match });
    progress.match = 0n;
    progress.takenIndex = undefined;
    progress.resetStream();
  }

  /** A stream whose batches are not answered although the member lives has lost them. */
  #checkStream(progress: Progress): void {
    const { log, now, options } = this.#context;
    progress.measure(log.lastIndex, now, options.electionTicksMin);
    if (progress.isCaughtUp(now, options.electionTicksMin)) progress.heldIndex = undefined;
    if (progress.inflightBatches === 0) {
      progress.stallTick = now;
    } else if (now - progress.stallTick >= options.answerTicksMax) {
      progress.stallTick = now;
      progress.resetStream();
    }
    this.#send(progress);
  }

  #isSuppressed(progress: Progress): boolean {
    const { options, now } = this.#context;
    if (options.readMode === 'lease' || this.#reads.context !== undefined) return false;
    const { heartbeatTicks, electionTicksMin } = options;
    const window = Math.min(heartbeatTicks, (electionTicksMin - heartbeatTicks) / 2);
    return now - progress.answerTick < window;
  }

  #heartbeat(progress: Progress): void {
    const { outbox, term, commit, options, now } = this.#context;
    const known = lesser(commit, progress.match);
    progress.commitSent = known;
    const read =
      options.readMode === 'lease'
        ? { epoch: options.epoch, context: BigInt(now) }
        : this.#reads.context;
    outbox.send(progress.member, { kind: 'heartbeat', term, commit: known, read });
  }

  #continueTransfer(progress: Progress): void {
    const { transfer } = this;
    const { log, outbox, term } = this.#context;
    if (transfer === undefined || transfer.isSent) return;
    if (memberKey(transfer.target) !== progress.key || progress.match < log.lastIndex) return;
    transfer.isSent = true;
    outbox.send(progress.member, { kind: 'timeoutNow', term });
  }

  #send(progress: Progress): void {
    const { log, options } = this.#context;
    while (this.#maySend(progress)) {
      const isPurged = log.termAt(progress.next - 1n) === undefined;
      if (isPurged || this.#isTooOld(progress, progress.next)) {
        this.#beginSnapshot(progress);
        return;
      }
      const { appendBytesMax, appendEntriesMax } = options;
      const entries = log.cached(progress.next, appendBytesMax, appendEntriesMax);
      if (entries === undefined) {
        this.#load(progress);
        return;
      }
      this.#sendEntries(progress, entries);
    }
  }

  /**
   * Whether the entry at `index` is of a feature level that the release of the member does not run at
   * any more, as one that joins after an activation may find: it needs what came of the entry.
   */
  #isTooOld(progress: Progress, index: bigint): boolean {
    const { levels } = this.#context.configurations;
    return index < levels.newestIndex && levels.levelAt(index) < progress.member.levels.oldest;
  }

  #maySend(progress: Progress): boolean {
    const { log, options } = this.#context;
    if (progress.state === 'snapshot' || progress.awaiting !== undefined) return false;
    if (progress.state === 'probe') return !progress.isProbing;
    return (
      progress.next <= log.lastIndex &&
      progress.inflightBatches < options.inflightBatchesMax &&
      progress.inflightBytes + options.appendBytesMax <= options.inflightBytesMax
    );
  }

  #sendEntries(progress: Progress, entries: readonly Entry[]): void {
    const { log, outbox, term, commit } = this.#context;
    const prevIndex = progress.next - 1n;
    const prevTerm = log.termAt(prevIndex);
    if (prevTerm === undefined) return;
    let bytes = 0;
    for (const { payload } of entries) bytes += payload.length;
    const lastIndex = prevIndex + BigInt(entries.length);
    if (progress.inflightBatches === 0) progress.stallTick = this.#context.now;
    progress.sentTick = this.#context.now;
    const batch = progress.sent(lastIndex, bytes);
    if (progress.state === 'probe') progress.isProbing = true;
    else progress.next = lastIndex + 1n;
    progress.commitSent = lesser(commit, lastIndex);
    outbox.send(progress.member, {
      kind: 'append',
      term,
      prevIndex,
      prevTerm,
      prevChain: log.chainAt(prevIndex),
      commit,
      entries,
      generation: progress.generation,
      batch,
    });
  }

  #load(progress: Progress): void {
    const { log, outbox, options } = this.#context;
    const request = this.#context.nextRequest();
    progress.awaiting = request;
    const most = progress.next + BigInt(options.appendEntriesMax) - 1n;
    outbox.entriesRequests.push({
      request,
      from: progress.next,
      through: lesser(most, log.firstCached - 1n),
      bytesMax: options.appendBytesMax,
    });
  }

  #beginSnapshot(progress: Progress): void {
    const { snapshot, log, outbox, now } = this.#context;
    if (snapshot === undefined || snapshot.index < log.purged.index) return;
    if (snapshot.configuration.level < progress.member.levels.oldest) return;
    if (now < progress.snapshotRetryTick) return;
    progress.takenIndex = undefined;
    progress.resetStream();
    progress.state = 'snapshot';
    progress.snapshotIndex = snapshot.index;
    progress.heldIndex = snapshot.index;
    outbox.snapshotsTo.push({ to: progress.member, snapshot });
  }
}
