import type { TypedCall } from '@nervix/model';
import { invalidArgument } from '../program/row-fault.js';
import { constantText, type Kernel, type KernelFamily, plain } from './kernel.js';
import { LikePattern } from './like-pattern.js';
import { type PatternOutcome, RegularExpression } from './regular-expression.js';
import { countArgument, textBytes } from './text-functions.js';

/** Kernels of the functions over patterns. */
export const PATTERN_KERNELS: KernelFamily = {
  contains_any: plain(containsAny),
  like: (call) => likeKernel(call, false),
  ilike: (call) => likeKernel(call, true),
  regexp_like: (call) => {
    const pattern = patternOf(call);
    return ([text, written]) => pattern(written as string).test(text as string);
  },
  regexp_replace: (call) => {
    const pattern = patternOf(call);
    return ([text, written, replacement]) =>
      pattern(written as string).replaceAll(text as string, replacement as string);
  },
  regexp_substr: (call) => {
    const pattern = patternOf(call);
    return ([text, written]) => pattern(written as string).group(text as string, 0);
  },
  regexp_extract: (call) => {
    const pattern = patternOf(call);
    return ([text, written, group]) =>
      pattern(written as string).group(text as string, countArgument(group as number | bigint));
  },
};

const ANY_PATTERNS_MAX = 128;
const ANY_BYTES_MAX = 65_536;

function containsAny(text: string, patterns: readonly string[]): boolean {
  let bytes = 0;
  for (const pattern of patterns) bytes += textBytes(pattern);
  if (patterns.length > ANY_PATTERNS_MAX || bytes > ANY_BYTES_MAX) {
    throw invalidArgument('contains_any pattern set exceeds 128 patterns or 64 KiB');
  }
  return patterns.some((pattern) => text.includes(pattern));
}

const LIKE_BYTES_MAX = 4096;

function likeKernel(call: TypedCall, ignoresCase: boolean): Kernel {
  const compile = remembered(
    (written) => {
      if (textBytes(written) > LIKE_BYTES_MAX) throw invalidArgument('LIKE pattern exceeds 4 KiB');
      return new LikePattern(written, ignoresCase);
    },
    constantText(call, 1),
  );
  return ([text, written]) => compile(written as string).test(text as string);
}

/** Most bytes of a pattern that a row brings: compiling takes time for what the pattern unfolds to. */
const ROW_PATTERN_BYTES_MAX = 4096;

/**
 * The expression of a call. An invalid one fails the row; the pattern itself is told only when it
 * stands in the statement.
 */
function patternOf(call: TypedCall): (written: string) => RegularExpression {
  const literal = constantText(call, 1);
  const compile = remembered(RegularExpression.compile, literal);
  return (written) => {
    if (literal === undefined && textBytes(written) > ROW_PATTERN_BYTES_MAX) {
      throw invalidArgument('invalid regular expression: pattern of a row exceeds 4 KiB');
    }
    const outcome: PatternOutcome = compile(written);
    if (outcome.kind === 'pattern') return outcome.pattern;
    const quoted = literal === undefined ? '' : `: \`${literal}\``;
    throw invalidArgument(`invalid regular expression: ${outcome.defect}${quoted}`);
  };
}

const REMEMBERED_MAX = 64;

/** What a function made of the last different texts, or of a constant for good. */
function remembered<T>(make: (text: string) => T, constant?: string): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const made = known.get(text);
    if (made !== undefined) return made;
    if (constant === undefined && known.size >= REMEMBERED_MAX) known.clear();
    const next = make(text);
    known.set(text, next);
    return next;
  };
}
