import type { ErrorCode, WireDiagnostic } from '@nervix/protocol';
import type { ReadReply } from '../control-plane.js';

/** The refusal of a read; with no diagnostics of its own the message is the only one. */
export function refusedRead(
  code: ErrorCode,
  message: string,
  diagnostics: readonly WireDiagnostic[] = [{ message }],
): Extract<ReadReply<unknown>, { kind: 'refused' }> {
  return { kind: 'refused', error: { code, message, diagnostics } };
}
