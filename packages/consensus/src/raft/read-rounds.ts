import type { MemberId } from './member-id.ts';
import type { ReadContext } from './message.ts';
import { isQuorum, type VoterHalves } from './quorum.ts';

/** Someone who asked the leader for a read index. */
export type Reader =
  | { readonly kind: 'local'; readonly context: bigint }
  | { readonly kind: 'remote'; readonly from: MemberId; readonly read: ReadContext };

/** A round that a quorum has confirmed. */
export interface ConfirmedRound {
  readonly index: bigint;
  readonly readers: readonly Reader[];
}

interface Round {
  readonly number: bigint;
  readonly index: bigint;
  readonly readers: readonly Reader[];
  readonly answered: Set<string>;
}

/**
 * Read indexes by rounds of heartbeats. A round proves leadership only for what arrived before it
 * began, so whoever arrives during a round waits for the next one. Source: the Raft dissertation,
 * 6.4, with requests batched.
 */
export class ReadRounds {
  readonly #epoch: string;
  #waiting: Reader[] = [];
  #round: Round | undefined;
  #number = 0n;

  constructor(epoch: string) {
    this.#epoch = epoch;
  }

  /** What heartbeats carry while a round is open. */
  get context(): ReadContext | undefined {
    const round = this.#round;
    return round === undefined ? undefined : { epoch: this.#epoch, context: round.number };
  }

  add(reader: Reader): void {
    this.#waiting.push(reader);
  }

  /** Opens a round at the commit index unless one is open; returns whether it did. */
  open(commit: bigint): boolean {
    if (this.#round !== undefined || this.#waiting.length === 0) return false;
    this.#number += 1n;
    const readers = this.#waiting;
    this.#waiting = [];
    this.#round = { number: this.#number, index: commit, readers, answered: new Set() };
    return true;
  }

  /** A voter has answered a heartbeat that carried `read`. */
  answered(voter: string, read: ReadContext): void {
    const round = this.#round;
    const isOfRound = read.epoch === this.#epoch && read.context === round?.number;
    if (isOfRound) round?.answered.add(voter);
  }

  /** Takes the round if a quorum, in which `self` counts if it is a voter, has answered. */
  takeConfirmed(halves: VoterHalves, self: string): ConfirmedRound | undefined {
    const round = this.#round;
    if (round === undefined) return undefined;
    if (!isQuorum(halves, (voter) => voter === self || round.answered.has(voter))) return undefined;
    this.#round = undefined;
    return round;
  }

  /** Takes everyone: leadership has ended. */
  takeAll(): readonly Reader[] {
    const readers = [...(this.#round?.readers ?? []), ...this.#waiting];
    this.#round = undefined;
    this.#waiting = [];
    return readers;
  }
}
