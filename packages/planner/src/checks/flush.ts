import type { Collect, CollectPlan, Flush, FlushPlan } from '@nervix/model';
import type { ModelReporter } from './planning-context.js';
import { positiveByteSize, positiveDuration, quantityDefect } from './quantities.js';

/**
 * Reads a flush policy.
 *
 * @param place what the policy belongs to, such as `TO output 'trips'`
 */
export function planFlush(
  report: ModelReporter,
  flush: Flush,
  place: string,
): FlushPlan | undefined {
  if (flush.kind === 'immediate') return { kind: 'immediate' };
  const interval = positiveDuration(flush.interval);
  if (interval.kind !== 'ok') {
    const reason = quantityDefect(interval);
    report.invalid(`invalid ${place} FLUSH EACH duration '${flush.interval}': ${reason}`, flush);
    return undefined;
  }
  const size = positiveByteSize(flush.maxBatchSize);
  if (size.kind !== 'ok') {
    const reason = quantityDefect(size);
    report.invalid(`invalid ${place} MAX BATCH SIZE '${flush.maxBatchSize}': ${reason}`, flush);
    return undefined;
  }
  return { kind: 'each', intervalNanos: interval.value, maxBatchBytes: size.value };
}

/** Outcome of reading an optional clause: its plan (null without the clause) or a refusal. */
export type ClauseOutcome<Plan> =
  | { readonly kind: 'ok'; readonly plan: Plan | null }
  | { readonly kind: 'refused' };

/**
 * Reads an input buffer policy.
 *
 * @param relation the flow it stands in, such as `junction input`
 */
export function planCollect(
  report: ModelReporter,
  collect: Collect | null,
  relation: string,
): ClauseOutcome<CollectPlan> {
  if (collect === null) return { kind: 'ok', plan: null };
  const refuse = (reason: string): ClauseOutcome<CollectPlan> => {
    report.invalid(reason, collect);
    return { kind: 'refused' };
  };
  const interval = positiveDuration(collect.interval);
  if (interval.kind === 'zero') {
    return refuse(`${relation} COLLECT FOR duration must be greater than zero`);
  }
  if (interval.kind === 'unreadable') {
    const text = `'${collect.interval}': ${interval.reason}`;
    return refuse(`invalid ${relation} COLLECT FOR duration ${text}`);
  }
  const intervalNanos = interval.value;
  if (collect.maxBatchSize === null) {
    return { kind: 'ok', plan: { intervalNanos, maxBatchBytes: null } };
  }
  const size = positiveByteSize(collect.maxBatchSize);
  if (size.kind === 'ok') {
    return { kind: 'ok', plan: { intervalNanos, maxBatchBytes: size.value } };
  }
  if (size.kind === 'zero') {
    return refuse(`${relation} COLLECT MAX BATCH SIZE must be greater than zero`);
  }
  const text = `'${collect.maxBatchSize}': ${size.reason}`;
  return refuse(`invalid ${relation} COLLECT MAX BATCH SIZE ${text}`);
}
