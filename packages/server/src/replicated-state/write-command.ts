import { Packr } from 'msgpackr';
import type { ReferenceRecord, StateRecord } from './records.js';

/** A condition on the state a command was planned from, checked again when it is applied. */
export interface Fence {
  readonly key: string;
  /** Revision of the last write to `key`; 0 demands that the key is absent. */
  readonly revision: number;
}

/**
 * What a decision was made from that nobody asked for: it holds only in the same term and if nothing
 * at all was written since.
 */
export interface DecisionFence {
  /** Raft term of the leader that decided, in decimal text. */
  readonly term: string;
  /** Full revision that it decided from. */
  readonly revision: number;
}

/** What stands for the key of a {@link DecisionFence}. */
export const DECISION = 'decision';

/** Records to store, and keys to remove, in one atomic step. */
export interface WriteCommand {
  readonly fences: readonly Fence[];
  readonly decision?: DecisionFence;
  readonly put: readonly StateRecord[];
  readonly remove: readonly string[];
  /** Execution record of the command that this write decides, if it has one. */
  readonly reference: ReferenceRecord | null;
}

/** What applying a {@link WriteCommand} came to. */
export type WriteResult =
  | { readonly kind: 'applied'; readonly revision: number }
  /** A fence no longer held; nothing was written. Of a decision the key is {@link DECISION}. */
  | { readonly kind: 'raced'; readonly key: string }
  /** The reference already had an outcome; nothing was written. */
  | { readonly kind: 'recorded' };

/** A record as stored: with the revision of the write that stored it. */
export interface StoredRecord {
  readonly revision: number;
  readonly record: StateRecord;
}

const packr = new Packr({ useRecords: false, mapsAsObjects: true, variableMapSize: true });

export function encodeCommand(command: WriteCommand): Uint8Array {
  return packr.pack(command);
}
export function decodeCommand(payload: Uint8Array): WriteCommand {
  return packr.unpack(payload) as WriteCommand;
}
export function encodeResult(result: WriteResult): Uint8Array {
  return packr.pack(result);
}
export function decodeResult(payload: Uint8Array): WriteResult {
  return packr.unpack(payload) as WriteResult;
}
export function encodeStored(stored: StoredRecord): Uint8Array {
  return packr.pack(stored);
}
export function decodeStored(value: Uint8Array): StoredRecord {
  return packr.unpack(value) as StoredRecord;
}
