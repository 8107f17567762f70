import {
  contentKey,
  leaseKey,
  operationKey,
  transactionKey,
} from '../../replicated-state/record-keys.js';
import type {
  ContentRecord,
  OperationRecord,
  TransactionRecord,
} from '../../replicated-state/records.js';
import type { ReplicatedState } from '../../replicated-state/replicated-state.js';
import type { Fence, WriteCommand, WriteResult } from '../../replicated-state/write-command.js';
import type { ControlContext } from '../control-context.js';
import { contentChange } from './content-archive.js';

/** Bytes of contents that are written together with the record that refers to them. */
const JOINED_BYTES = 512 * 1_024;

/** Text from which on a statement shares its log entry with no contents. */
const LARGE_SOURCE_BYTES = 256 * 1_024;

/** The keys of everything that a transaction is stored in. */
export function transactionKeys(
  state: Pick<ReplicatedState, 'contents' | 'operations'>,
  id: string,
): readonly string[] {
  const contents = [...state.contents(id).keys()].map((digest) => contentKey(id, digest));
  return [transactionKey(id), ...operationKeys(state, id), ...contents];
}

/** The keys of what a transaction accepted, which go when it is open no longer. */
export function operationKeys(
  state: Pick<ReplicatedState, 'operations'>,
  id: string,
): readonly string[] {
  return state.operations(id).map(({ number }) => operationKey(id, number));
}

/** Holds as long as the transaction is as it was read. */
export function transactionFence({ state }: Pick<ControlContext, 'state'>, id: string): Fence {
  const key = transactionKey(id);
  return { key, revision: state.revisionOf(key) };
}

/**
 * Writes the next state of a transaction with what it refers to, if the fence and those of the
 * command hold; what it accepted goes with the write that ends its being open. A commit takes the
 * lease of its domain with its admission and gives it back with its end. Contents that are too large
 * for one log entry go before it: without the record that refers to them they mean nothing, and its
 * next write removes what it does not need.
 *
 * @param fence of the state that the next one was made from
 */
export async function writeTransaction(
  context: Pick<ControlContext, 'log' | 'state'>,
  fence: Fence,
  next: TransactionRecord,
  command: TransactionCommand = {},
): Promise<WriteResult> {
  const {
    contents = [],
    operation,
    fences = [],
    put = [],
    remove = [],
    reference = null,
  } = command;
  const { state } = context;
  const change = contentChange(state, next, contents);
  let joined: readonly ContentRecord[] = change.put;
  const lease = leaseChange(state, next);
  const textLength = operation?.text.length ?? 0;
  const limit = textLength > LARGE_SOURCE_BYTES ? 0 : JOINED_BYTES;
  while (sizeOf(joined) > limit) {
    const ahead = firstOf(joined);
    const result = await context.log.write({ fences: [fence], put: ahead });
    if (result.kind !== 'applied') return result;
    joined = joined.slice(ahead.length);
  }
  return context.log.write({
    fences: [...fences, fence, ...lease.fences],
    put: [...put, ...joined, ...lease.put, ...(operation === undefined ? [] : [operation]), next],
    remove: [
      ...remove,
      ...change.remove,
      ...lease.remove,
      ...(next.state === 'OPEN' ? [] : operationKeys(state, next.id)),
    ],
    reference,
  });
}

/** What becomes of the lease of its domain when a transaction is written. */
function leaseChange(
  state: ReplicatedState,
  { id, domain, state: next }: TransactionRecord,
): Pick<WriteCommand, 'fences' | 'put' | 'remove'> {
  const key = leaseKey(domain);
  const owner = state.lease(domain)?.owner;
  const isHeld = owner?.kind === 'transaction' && owner.id === id;
  const isCommitting = next === 'COMMITTING';
  if (!isHeld && !isCommitting) return { fences: [], put: [], remove: [] };
  // Where somebody else holds it, revision 0 says so.
  const fences = [{ key, revision: isHeld ? state.revisionOf(key) : 0 }];
  if (!isCommitting) return { fences, put: [], remove: [key] };
  const taken = {
    kind: 'lease',
    domain,
    owner: { kind: 'transaction', id },
    pending: null,
  } as const;
  return { fences, put: isHeld ? [] : [taken], remove: [] };
}

/** What is written with a transaction. */
export interface TransactionCommand extends Partial<WriteCommand> {
  /** What the record refers to and that may not be stored yet. */
  readonly contents?: readonly ContentRecord[];
  /** The statement that it accepts. */
  readonly operation?: OperationRecord;
}

function sizeOf(records: readonly ContentRecord[]): number {
  return records.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** As many records as fit together, and at least one. */
function firstOf(records: readonly ContentRecord[]): readonly ContentRecord[] {
  let count = 1;
  while (count < records.length && sizeOf(records.slice(0, count + 1)) <= JOINED_BYTES) count += 1;
  return records.slice(0, count);
}
