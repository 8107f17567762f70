import type { Series } from '../metrics/metric-store.js';
import type { NodeContext, NodeIdentity } from './node-context.js';

/** Where a row was sorted out. */
export type FilterStage = 'source_where' | 'filter_where' | 'duplicate' | 'route_where';

/** Why rows that were admitted never reached their routes. */
export type DiscardReason = 'evicted' | 'stopped';

/** Counts the rows of a node that leave it other than by its routes. */
export class RowTallies {
  readonly #context: NodeContext;
  readonly #labels: Readonly<Record<string, string>>;
  readonly #filtered = new Map<FilterStage, Series>();

  constructor(context: NodeContext, node: NodeIdentity) {
    this.#context = context;
    this.#labels = { target_kind: node.kind, target: node.name };
  }

  /** Rows that a condition or the duplicate check sorted out. */
  filtered(stage: FilterStage, rows: number): void {
    if (rows === 0) return;
    let series = this.#filtered.get(stage);
    if (series === undefined) {
      const labels = { ...this.#labels, stage };
      series = this.#context.metrics.counter('nervix_messages_filtered_total', labels);
      this.#filtered.set(stage, series);
    }
    series.value += rows;
  }

  /** Admitted rows that were given up. */
  discarded(reason: DiscardReason, rows: number): void {
    if (rows === 0) return;
    const labels = { ...this.#labels, reason };
    this.#context.metrics.counter('nervix_messages_discarded_total', labels).value += rows;
  }

  /** The counter of rows whose failure a policy took. */
  failed(policy: string): Series {
    const labels = { ...this.#labels, policy };
    return this.#context.metrics.counter('nervix_message_errors_total', labels);
  }
}
