import { RowFault } from '../program/row-fault.js';

/** Fails a row whose text is not of its format. */
export function unreadable(detail: string): RowFault {
  return new RowFault('cast_failed', `parse_datetime ${detail}`);
}
