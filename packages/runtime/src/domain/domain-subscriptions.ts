import { equalData } from '@nervix/model';
import type { DomainMetrics } from '../metrics/domain-metrics.js';
import type { ExecutionSnapshot } from '../program/row-set.js';
import {
  Subscription,
  type SubscriptionEvent,
  type SubscriptionRequest,
} from '../relay/subscription.js';
import type { Graph } from './graph.js';

/** The live views of one domain, which outlive graphs as long as their relays stay the same. */
export class DomainSubscriptions {
  readonly #metrics: DomainMetrics;
  readonly #open = new Set<Subscription>();

  constructor(metrics: DomainMetrics) {
    this.#metrics = metrics;
  }

  /** @throws RuntimeError RUNTIME_UNKNOWN_RELAY */
  open(
    graph: Graph,
    request: SubscriptionRequest,
    options: {
      readonly snapshot: () => ExecutionSnapshot;
      readonly emit: (event: SubscriptionEvent) => void;
    },
  ): { credit(bytes: number): void; close(): void } {
    const { relay, schema, branch } = graph.relays.find(request.relay);
    const level = this.#metrics.subscriptions(request.relay);
    const subscription = new Subscription({
      ...options,
      request,
      schema,
      branchSchema: branch?.schema ?? null,
      losses: this.#metrics.subscriptionLosses(request.relay),
    });
    this.#open.add(subscription);
    level.value += 1;
    subscription.attach(relay);
    return {
      credit: (bytes) => {
        subscription.credit(bytes);
      },
      close: () => {
        subscription.close();
        if (this.#open.delete(subscription)) level.value -= 1;
      },
    };
  }

  /** Leaves the relays of a graph that ends. */
  detach(): void {
    for (const subscription of this.#open) subscription.detach();
  }

  /** Keeps the subscriptions whose relay is still the same, and ends the others. */
  reattach(graph: Graph): void {
    for (const subscription of this.#open) {
      const { relay: name } = subscription.request;
      const found = graph.relays.has(name) ? graph.relays.find(name) : null;
      if (found !== null && equalData(found.schema, subscription.schema)) {
        subscription.attach(found.relay);
        continue;
      }
      this.#open.delete(subscription);
      this.#metrics.subscriptions(name).value -= 1;
      subscription.end(found === null ? 'relay_removed' : 'relay_changed');
    }
  }

  /** Ends all of them: the domain is no more. */
  end(): void {
    for (const subscription of this.#open) subscription.end('relay_removed');
    this.#open.clear();
  }
}
