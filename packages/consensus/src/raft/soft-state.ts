import { isSameMember } from './member-id.ts';
import type { SoftState } from './output.ts';

/** Field by field equality. */
export function isSameSoftState(left: SoftState, right: SoftState): boolean {
  if (left.role !== right.role || left.term !== right.term) return false;
  if (left.leader === undefined || right.leader === undefined) return left.leader === right.leader;
  return isSameMember(left.leader, right.leader);
}
