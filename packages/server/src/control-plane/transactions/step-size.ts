import type { TransactionPlan } from '@nervix/planner';
import { encodeCommand } from '../../replicated-state/write-command.js';
import { failed, type Outcome } from '../outcome.js';

/** Bytes of models that one write of the log takes, with room for what is written beside them. */
export const MODELS_BYTES_MAX: number = 1_792 * 1_024;

/**
 * Why the step that a plan ends with cannot be applied: its models are one write, so what is accepted
 * must fit one.
 *
 * @param transaction that the step belongs to; absent for a statement by itself
 */
export function oversizedStep(
  { steps, after: { domain } }: TransactionPlan,
  transaction?: string,
): Outcome | undefined {
  const step = steps.at(-1);
  if (step?.decision.kind !== 'models') return undefined;
  const put = step.decision.transitions.flatMap(({ after: model }) =>
    model === null ? [] : [{ kind: 'model', domain, model } as const],
  );
  const { length } = encodeCommand({ fences: [], put, remove: [], reference: null });
  if (length <= MODELS_BYTES_MAX) return undefined;
  const what =
    transaction === undefined
      ? 'the statement'
      : `transaction '${transaction}' step beginning at operation ${step.first}`;
  const size = `${length} bytes of models, above ${MODELS_BYTES_MAX}`;
  return failed('LIMIT_REACHED', `${what} holds ${size}`);
}
