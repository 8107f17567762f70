import { readDuration } from '@nervix/model';
import { cutText } from '../diagnostics.js';
import type { GrammarHost } from './grammar-host.js';
import type { LiteralRules } from './literals.js';
import { U64_MAX } from './unsigned.js';

/** A duration that is kept as nanoseconds: decimal text of at most 64 bits, above zero. */
export function takeClockDuration(
  g: GrammarHost,
  literals: LiteralRules,
  { isZeroAllowed }: { readonly isZeroAllowed: boolean } = { isZeroAllowed: false },
): string {
  const first = g.position;
  const text = g.call(literals.duration);
  if (g.isRecording) return '';
  const duration = readDuration(text);
  if (duration.kind === 'refused') {
    g.refuse(`invalid duration '${cutText(text)}': ${duration.reason}`, first);
    return '';
  }
  if (duration.value === 0n && !isZeroAllowed) {
    g.refuse(`invalid duration '${cutText(text)}': it must be greater than zero`, first);
  }
  if (duration.value > U64_MAX) {
    g.refuse(`invalid duration '${cutText(text)}': it exceeds 64-bit nanoseconds`, first);
  }
  return duration.value.toString();
}
