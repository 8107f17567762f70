import type { Configuration } from './configuration.ts';

/**
 * What an entry is for. `normal` carries a command of the application; `empty` is appended by each
 * new leader, because only an entry of the leader's own term may be committed by counting;
 * `configuration` changes who the members are, from the moment it is appended.
 */
export type EntryKind = 'normal' | 'empty' | 'configuration';

/** One log entry. Its (index, term) names it for ever; the payload is opaque here. */
export interface Entry {
  /** Position in the log, from 1, without gaps. */
  readonly index: bigint;
  /** Term of the leader that appended it. Never decreases along the log. */
  readonly term: bigint;
  readonly kind: EntryKind;
  /** The command; the encoded {@link Configuration} of a `configuration`; empty for `empty`. */
  readonly payload: Uint8Array;
  /**
   * Hash over this entry and the chain value before it, {@link CHAIN_BYTES} long. Equal chain
   * values mean equal logs up to here. It never travels: each member computes its own.
   */
  readonly chain: Uint8Array;
}

/** Length of a chain value in bytes. */
export const CHAIN_BYTES = 16;

/** Chain value in front of the first entry. Never written to. */
export const ZERO_CHAIN: Uint8Array = new Uint8Array(CHAIN_BYTES);

/** An entry as it travels: without index and chain, which follow from its place in a message. */
export interface EntryBody {
  readonly term: bigint;
  readonly kind: EntryKind;
  readonly payload: Uint8Array;
}

/** Position in the log together with the term of the entry there. */
export interface LogPosition {
  readonly index: bigint;
  readonly term: bigint;
}

/** A position with the chain value that ends in it. */
export interface ChainedPosition extends LogPosition {
  readonly chain: Uint8Array;
}

/** The position in front of the first entry. */
export const LOG_START: ChainedPosition = { index: 0n, term: 0n, chain: ZERO_CHAIN };

/** What must be known of a stored entry without reading it. */
export interface EntryHeader extends ChainedPosition {
  /** Size of the payload in bytes. */
  readonly bytes: number;
}

/** A configuration together with the index of the entry that introduced it. */
export interface ConfigurationRecord {
  readonly index: bigint;
  readonly configuration: Configuration;
}
