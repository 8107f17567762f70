import { greater } from '../raft/big-order.ts';
import type { LogStorage } from '../storage/log-storage.ts';

/**
 * The number of a process run: at least the wanted one, and above every earlier one of the store,
 * whatever the clock says. Others refuse a process whose number is below one they have seen.
 */
export function nextIncarnation(storage: LogStorage, wanted: bigint): bigint {
  return greater(storage.incarnation + 1n, wanted);
}
