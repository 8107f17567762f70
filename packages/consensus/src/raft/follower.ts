import { greater, lesser } from './big-order.ts';
import { isSameMember, type MemberId } from './member-id.ts';
import type { Installation, MemberState } from './member-state.ts';
import type { SnapshotMeta } from './message.ts';
import type { MessageOf } from './messages.ts';

/** What a member does for the leader of its term. */
export class Follower {
  readonly #state: MemberState;

  constructor(state: MemberState) {
    this.#state = state;
  }

  heartbeat(from: MemberId, message: MessageOf<'heartbeat'>): void {
    if (!this.#hears(from)) return;
    const state = this.#state;
    // The leader has cut its commit index to what this member confirmed.
    state.commitTo(lesser(message.commit, state.log.lastIndex));
    const { read } = message;
    state.outbox.send(from, { kind: 'heartbeatResponse', term: state.term, read });
  }

  append(from: MemberId, message: MessageOf<'append'>): void {
    if (!this.#hears(from)) return;
    const state = this.#state;
    const { generation, batch } = message;
    const { term, outbox, installation } = state;
    if (installation !== undefined) {
      installation.dropped = { term, generation, batch };
      return;
    }
    const outcome = state.writer.take(message);
    switch (outcome.kind) {
      case 'violated':
        state.violated(outcome.text);
        return;
      case 'malformed':
        return;
      case 'rejected': {
        const { rejectIndex, hintIndex, hintTerm } = outcome;
        const hint = { rejectIndex, hintIndex, hintTerm };
        outbox.sendAfter(from, { kind: 'appendRejected', term, ...hint, generation, batch });
        return;
      }
      case 'accepted': {
        const { match } = outcome;
        state.commitTo(lesser(message.commit, match));
        outbox.sendAfter(from, { kind: 'appendAccepted', term, match, generation, batch });
      }
    }
  }

  snapshot(from: MemberId, snapshot: SnapshotMeta): void {
    if (!this.#hears(from)) return;
    const state = this.#state;
    if (state.installation !== undefined) return;
    const isMatching = state.log.termAt(snapshot.index) === snapshot.term;
    if (snapshot.index > state.commit && !isMatching) {
      state.installation = { snapshot, from };
      state.outbox.installSnapshot = snapshot;
      return;
    }
    // A log that has the entry needs no records, only to know that it is committed.
    if (isMatching) state.commitTo(snapshot.index);
    this.#acceptTo(from, state.commit);
  }

  /** State and log have been replaced durably. */
  installed(snapshot: SnapshotMeta): void {
    const state = this.#state;
    const { installation } = state;
    state.installation = undefined;
    const { index, term, configuration, configurationIndex } = snapshot;
    const isKept = state.log.termAt(index) === term;
    if (isKept) state.log.purge(index);
    else state.log.reset(snapshot);
    const record = { index: configurationIndex, configuration };
    state.configurations.replaced(record, index, isKept);
    state.commit = greater(state.commit, index);
    state.applied = greater(state.applied, index);
    state.snapshot = snapshot;
    state.outbox.events.push({ kind: 'configuration', record });
    this.#answerInstalled(installation, index);
  }

  /**
   * The leader that sent the snapshot waits for an answer; so does one whose appends were dropped,
   * and the connection over which they came is read no further while they are unanswered.
   */
  #answerInstalled(installation: Installation | undefined, index: bigint): void {
    const { leader, term } = this.#state;
    if (installation === undefined || leader === undefined) return;
    const { from, dropped } = installation;
    if (dropped?.term === term) this.#acceptTo(leader, index, dropped);
    else if (isSameMember(leader, from)) this.#acceptTo(leader, index);
  }

  /** Takes note of the leader of the present term; `false` for a message that cannot be true. */
  #hears(from: MemberId): boolean {
    const state = this.#state;
    if (state.role === 'leader') {
      state.violated(`member '${from.nodeId}' claims to lead term ${state.term} too`);
      return false;
    }
    state.follow(from, 'another member leads');
    state.contactTick = state.now;
    state.resetElectionTimer();
    return true;
  }

  /** Tells the leader what is confirmed, outside of any stream unless a place in one is given. */
  #acceptTo(leader: MemberId, match: bigint, place = { generation: 0n, batch: 0n }): void {
    const { outbox, term } = this.#state;
    const { generation, batch } = place;
    outbox.sendAfter(leader, { kind: 'appendAccepted', term, match, generation, batch });
  }
}
