import { contentKey, operationKey, transactionKey } from '../../replicated-state/record-keys.js';
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
 * command hold; what it accepted goes with the write that ends its being open. Contents that are too large for one log entry go before it: without the record
 * that refers to them they mean nothing, and its next write removes what it does not need.
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
  const textLength = operation?.text.length ?? 0;
  const limit = textLength > LARGE_SOURCE_BYTES ? 0 : JOINED_BYTES;
  while (sizeOf(joined) > limit) {
    const ahead = firstOf(joined);
    const result = await context.log.write({ fences: [fence], put: ahead });
    if (result.kind !== 'applied') return result;
    joined = joined.slice(ahead.length);
  }
  return context.log.write({
    fences: [...fences, fence],
    put: [...put, ...joined, ...(operation === undefined ? [] : [operation]), next],
    remove: [
      ...remove,
      ...change.remove,
      ...(next.state === 'OPEN' ? [] : operationKeys(state, next.id)),
    ],
    reference,
  });
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
