import type { Entry } from '../raft/entry.ts';
import type { AppliedPosition, StateRecord, StateWrite } from '../storage/log-storage.ts';

/** What the state machine is told about the entry it applies. */
export interface ApplyContext {
  /** The revision that this entry makes if it changes at least one record. */
  readonly revision: bigint;
  /** The activated feature level at this entry: what the entry writes has its shape. */
  readonly level: number;
}

/** Effects of one entry. */
export interface ApplyOutcome {
  /** Changed records in order; at most {@link APPLY_BYTES_MAX} bytes of keys and values. */
  readonly writes: readonly StateWrite[];
  /** Answer for the proposer; opaque here. A refusal of the command is an answer too. */
  readonly result: Uint8Array;
}

/** How many bytes of keys and values one entry may change. */
export const APPLY_BYTES_MAX: number = 8 * 1_024 * 1_024;

/**
 * The replicated application. It is called by one node only, one call at a time.
 *
 * `apply` runs before its entry is durable. So its effects must stay invisible to readers until
 * `publish`; when the write fails, `publish` never comes and neither does another `apply`.
 */
export interface StateMachine {
  /**
   * Takes over the durable records in key order, before any `apply`. `applied` is the position
   * they belong to.
   */
  restore(records: AsyncIterable<StateRecord>, applied: AppliedPosition): void | Promise<void>;

  /**
   * Applies a `normal` entry. Must be synchronous and depend on nothing but the records, the entry
   * and the context: no clock, no randomness, no settings. Must not throw; an exception stops the
   * node with `RAFT_APPLY_FAILED`.
   */
  apply(entry: Entry, context: ApplyContext): ApplyOutcome;

  /**
   * Called after the entries up to `applied` became durable and before their proposers are
   * answered, once per write. Must not throw.
   */
  publish?(applied: AppliedPosition): void;
}
