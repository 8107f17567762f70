import { InvariantError } from '@nervix/model';
import { RuntimeError } from '../errors.js';
import type { Series } from '../metrics/metric-store.js';
import { StepFault } from '../step-fault.js';
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
   * Takes the fault of some work and tells the step that it struck. Its own text is left out, for it
   * may quote values.
   *
   * @throws the fault itself when it is a broken invariant
   */
  report(error: unknown): void {
    if (error instanceof InvariantError) throw error;
    if (error instanceof StepFault) {
      const { message, cause } = error;
      this.#tell(`${this.#label} ${message}: ${textOf(cause)}`, placeOf(cause));
    } else this.#tell(textOf(error), placeOf(error));
  }

  /** Takes a fault that nothing threw; its text tells no value of a record. */
  tell(failure: string): void {
    this.#tell(`${this.#label} ${failure}`, {});
  }

  #tell(text: string, fields: Readonly<Record<string, string>>): void {
    this.#count.value += 1;
    const { domain, log } = this.#context;
    log.error(`${this.#label} internal error in domain '${domain}': ${text}`, fields);
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

/** What may be told of a fault: the text of a UDF's failure, of others the kind. */
function textOf(error: unknown): string {
  if (isUdfFailure(error)) return error.message;
  return error instanceof Error ? error.name : typeof error;
}

/** Where a fault happened, for a log. */
function placeOf(error: unknown): Readonly<Record<string, string>> {
  if (isUdfFailure(error) || !(error instanceof Error)) return {};
  const frame = error.stack?.split('\n').find((line) => line.startsWith('    at '));
  const place = frame === undefined ? undefined : /^ {4}at ([^(]*[^( ])/.exec(frame)?.[1];
  return place === undefined ? {} : { at: place };
}
