import { equalData } from '@nervix/model';
import type { QuiesceLevel } from '../../quiesce-level.js';

/** State that a change starts anew. */
export type StateReset =
  | 'DEDUPLICATOR_KEYSPACE'
  | 'REORDERER_BUFFER'
  | 'WINDOW_ACCUMULATOR'
  | 'CORRELATION_BUFFER'
  | 'INFERENCER_WARM_STATE'
  | 'WASM_GUEST_STATE'
  | 'MATERIALIZED_RELAY_STATE';

/** One thing about a model that a change alters, with what that alone asks of a running domain. */
export interface Aspect {
  /** Name as reports spell it, such as `RELAY_CAPACITY`. */
  readonly aspect: string;
  readonly level: QuiesceLevel;
  /** State of the model's own that starts anew. */
  readonly reset?: StateReset;
}

/** An aspect, and which part of a model it is about. */
export interface AspectRow<Model> extends Aspect {
  /** The part; the aspect is altered when two models differ in it. */
  readonly part: (model: Model) => unknown;
}

/** Names a part of a model whose change is no more than the name says. */
export function row<Model>(
  aspect: string,
  level: QuiesceLevel,
  part: (model: Model) => unknown,
  reset?: StateReset,
): AspectRow<Model> {
  return { aspect, level, part, ...(reset === undefined ? {} : { reset }) };
}

/** The rows in which two models of one kind differ, in the order of the rows, each aspect once. */
export function alteredRows<Model>(
  rows: readonly AspectRow<Model>[],
  before: Model,
  after: Model,
): readonly Aspect[] {
  const found = new Map<string, Aspect>();
  for (const { part, ...aspect } of rows) {
    if (found.has(aspect.aspect) || equalData(part(before), part(after))) continue;
    found.set(aspect.aspect, aspect);
  }
  return [...found.values()];
}
