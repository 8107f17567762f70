import { contentKey, operationKey, transactionKey } from '../../replicated-state/record-keys.js';
import type { OperationRecord, TransactionRecord } from '../../replicated-state/records.js';
import type { ReplicatedState } from '../../replicated-state/replicated-state.js';
import type { Fence, WriteResult } from '../../replicated-state/write-command.js';
import type { ControlContext } from '../control-context.js';
import { type OwnedCommand, writeOwned } from '../execution/owned-write.js';

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
 * lease of its domain with its admission and gives it back with its end.
 *
 * @param fence of the state that the next one was made from
 */
export async function writeTransaction(
  context: Pick<ControlContext, 'log' | 'state'>,
  fence: Fence,
  next: TransactionRecord,
  { operation, ...command }: TransactionCommand = {},
): Promise<WriteResult> {
  const { preview, progress } = next;
  const owned = {
    owner: { kind: 'transaction', id: next.id },
    domain: next.domain,
    record: next,
    isHolding: next.state === 'COMMITTING',
    contents: [...(preview?.report ?? []), ...(preview?.graphs ?? []), ...(progress?.plan ?? [])],
  } as const;
  const accepted = operation === undefined ? [] : [operation];
  const forgotten = next.state === 'OPEN' ? [] : operationKeys(context.state, next.id);
  return writeOwned(context, fence, owned, {
    ...command,
    isLarge: (operation?.text.length ?? 0) > LARGE_SOURCE_BYTES,
    put: [...(command.put ?? []), ...accepted],
    remove: [...(command.remove ?? []), ...forgotten],
  });
}

/** What is written with a transaction. */
export interface TransactionCommand extends Omit<OwnedCommand, 'isLarge'> {
  /** The statement that it accepts. */
  readonly operation?: OperationRecord;
}
