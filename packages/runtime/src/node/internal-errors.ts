import { InvariantError } from '@nervix/model';
import { RuntimeError } from '../errors.js';
import type { Series } from '../metrics/metric-store.js';
import { type NodeContext, type NodeIdentity, nodeLabel } from './node-context.js';

/** Reason under which rows are refused that a fault of the node itself struck. */
export const INTERNAL_ERROR = 'internal error';

/**
 * Faults of a node itself, which no row can cause by rule. They cost the rows at hand and are logged
 * and counted; the node goes on. A broken invariant ends the data plane instead.
 */
export class InternalErrors {
  readonly #context: NodeContext;
  readonly #label: string;
  readonly #count: Series;

  constructor(context: NodeContext, node: NodeIdentity) {
    this.#context = context;
    this.#label = nodeLabel(node);
    this.#count = context.metrics.counter('nervix_internal_errors_total', {
      target_kind: node.kind,
      target: node.name,
    });
  }

  /**
   * Takes the fault of some work. Its text is left out, for it may quote values.
   *
   * @throws the fault itself when it is a broken invariant
   */
  report(error: unknown): void {
    if (error instanceof InvariantError) throw error;
    this.#count.value += 1;
    const { domain, log } = this.#context;
    log.error(`${this.#label} internal error in domain '${domain}'`, faultFields(error));
  }
}

/** Whether a fault is the failure of a UDF, whose text tells no value of a record. */
export function isUdfFailure(error: unknown): error is RuntimeError {
  return error instanceof RuntimeError && error.code === 'RUNTIME_UDF_FAILED';
}

/** Where work without an owner of its own, as that of timers, takes its faults. */
export function faultsOf(context: NodeContext, node: NodeIdentity): (error: unknown) => void {
  const errors = new InternalErrors(context, node);
  return (error) => {
    errors.report(error);
  };
}

/** Kind and place of a fault, for a log. */
function faultFields(error: unknown): Readonly<Record<string, string>> {
  if (isUdfFailure(error)) return { error: error.message };
  if (!(error instanceof Error)) return { error: typeof error };
  const frame = error.stack?.split('\n').find((line) => line.startsWith('    at '));
  const place = frame === undefined ? undefined : /^ {4}at ([^(]*[^( ])/.exec(frame)?.[1];
  return place === undefined ? { error: error.name } : { error: error.name, at: place };
}
