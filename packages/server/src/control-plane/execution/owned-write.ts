import type {
  ContentRecord,
  ExecutionRecord,
  LeaseOwner,
  TransactionRecord,
} from '../../replicated-state/records.js';
import type { Fence, WriteCommand, WriteResult } from '../../replicated-state/write-command.js';
import type { ControlContext } from '../control-context.js';
import { contentChange } from '../transactions/content-archive.js';
import { leaseChange } from './domain-lease.js';

/** Bytes of contents that are written together with the record that refers to them. */
const JOINED_BYTES = 512 * 1_024;

/** The next state of what may change a domain. */
export interface OwnedState {
  readonly owner: LeaseOwner;
  readonly domain: string;
  /** Null of a command whose outcome is written: nothing else remains of it. */
  readonly record: TransactionRecord | ExecutionRecord | null;
  /** Whether it holds its domain behind the write. */
  readonly isHolding: boolean;
  /** Digests of the contents that it refers to. */
  readonly contents: readonly string[];
}

/** What is written with it. */
export interface OwnedCommand extends Partial<WriteCommand> {
  /** Contents that it refers to and that may not be stored yet. */
  readonly contents?: readonly ContentRecord[];
  /** Whether the entry has no room for contents. */
  readonly isLarge?: boolean;
}

/**
 * Writes the next state of a transaction or a command with what it refers to, if the fence and those
 * of the command hold. The lease of the domain is taken and given back with it. Contents that are too
 * large for one log entry go before it: without the record that refers to them they mean nothing, and
 * the next write removes what it does not need.
 *
 * @param fence of the state that the next one was made from, by the key of its record
 */
export async function writeOwned(
  context: Pick<ControlContext, 'log' | 'state'>,
  fence: Fence,
  next: OwnedState,
  command: OwnedCommand,
): Promise<WriteResult> {
  const { contents = [], isLarge = false, fences = [], put = [], remove = [], ...rest } = command;
  const { state, log } = context;
  const { owner, domain, record } = next;
  const id = owner.kind === 'command' ? owner.reference : owner.id;
  const change = contentChange(state, id, next.contents, contents);
  const lease = leaseChange(state, domain, owner, next.isHolding);
  let joined: readonly ContentRecord[] = change.put;
  while (sizeOf(joined) > (isLarge ? 0 : JOINED_BYTES)) {
    const ahead = firstOf(joined);
    const result = await log.write({ fences: [fence], put: ahead });
    if (result.kind !== 'applied') return result;
    joined = joined.slice(ahead.length);
  }
  return log.write({
    ...rest,
    fences: [...fences, fence, ...lease.fences],
    put: [...put, ...joined, ...lease.put, ...(record === null ? [] : [record])],
    remove: [...remove, ...change.remove, ...lease.remove, ...(record === null ? [fence.key] : [])],
  });
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
