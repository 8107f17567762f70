/**
 * What an entry is for. `normal` carries a command of the application; `empty` is appended by each
 * new leader, because only an entry of the leader's own term may be committed by counting.
 */
export type EntryKind = 'normal' | 'empty';

/** One log entry. Its (index, term) names it for ever; the payload is opaque here. */
export interface Entry {
  /** Position in the log, from 1, without gaps. */
  readonly index: bigint;
  /** Term of the leader that appended it. Never decreases along the log. */
  readonly term: bigint;
  readonly kind: EntryKind;
  /** Empty for every kind but `normal`. */
  readonly payload: Uint8Array;
}

/** Position in the log together with the term of the entry there. */
export interface LogPosition {
  readonly index: bigint;
  readonly term: bigint;
}
