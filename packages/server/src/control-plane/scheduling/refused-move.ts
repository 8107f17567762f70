import type { ParsedStatement } from '@nervix/nspl-parser';
import type { ErrorCode } from '@nervix/protocol';
import type { ScheduleErrorCode, ScheduleRefusal } from '@nervix/scheduler';
import { failed, type Outcome } from '../outcome.js';
import { lastOccurrence } from '../refusal-outcome.js';

/** Codes of refusals that name something which does not exist. */
const ABSENT: ReadonlySet<ScheduleErrorCode> = new Set([
  'SCHED_UNKNOWN_MEMBER',
  'SCHED_NOT_A_MEMBER',
]);

/**
 * The outcome of a move that the engine turns down, located at the name it is about, or at the
 * whole statement where it is about no single one.
 */
export function refusedMove(
  { code, message, details }: Pick<ScheduleRefusal, 'code' | 'message' | 'details'>,
  parsed: ParsedStatement,
): Outcome {
  const name = subjectOf(details);
  const { start, end } =
    (name === undefined ? undefined : lastOccurrence(parsed, name)) ?? parsed.span;
  return failed(errorCode(code), message, [{ message, span: { start, end } }]);
}

function errorCode(code: ScheduleErrorCode): ErrorCode {
  if (ABSENT.has(code)) return 'NOT_FOUND';
  return code === 'SCHED_DESCRIPTION_TOO_LONG' ? 'LIMIT_REACHED' : 'INVALID_REQUEST';
}

function subjectOf(details: ScheduleRefusal['details']): string | undefined {
  if ('member' in details) {
    return typeof details.member === 'string' ? details.member : details.member.name;
  }
  return 'node' in details ? details.node : undefined;
}
