import type { EndpointPlan, ExecutionPlan } from '@nervix/model';
import type { HttpRoute, HttpRouteTable } from '../connector/http/http-route-table.js';
import type { DomainMetrics } from '../metrics/domain-metrics.js';
import { EndpointIntake } from '../node/endpoint-intake.js';
import type { Ingestor } from '../node/ingestor.js';

/** The endpoints of one domain, which outlive the graphs behind them. */
export class DomainEndpoints {
  readonly #domain: string;
  readonly #routes: HttpRouteTable;
  readonly #metrics: DomainMetrics;
  readonly #intakes = new Map<string, EndpointIntake>();
  /** Those whose addresses the domain has. */
  #published: readonly EndpointPlan[] | undefined;

  constructor(domain: string, routes: HttpRouteTable, metrics: DomainMetrics) {
    this.#domain = domain;
    this.#routes = routes;
    this.#metrics = metrics;
  }

  /** @throws RuntimeError RUNTIME_ROUTE_CONFLICT when an address belongs to another domain */
  check(plan: ExecutionPlan): void {
    if (plan.endpoints === this.#published) return;
    this.#routes.check(
      this.#domain,
      plan.endpoints.flatMap(({ hostnames, path }) => hostnames.map((host) => ({ host, path }))),
    );
  }

  /** Takes the addresses of a plan over that is put in force beside the same ingestors. */
  follow(plan: ExecutionPlan, ingestors: readonly Ingestor[]): void {
    if (plan.endpoints !== this.#published) this.publish(plan, ingestors);
  }

  /** Points the endpoints of a plan, old and new, at the ingestors that run. */
  publish(plan: ExecutionPlan, ingestors: readonly Ingestor[]): void {
    const routes: HttpRoute[] = [];
    const names = new Set(plan.endpoints.map(({ name }) => name));
    for (const name of this.#intakes.keys()) if (!names.has(name)) this.#intakes.delete(name);
    const targets = Map.groupBy(ingestors, ({ plan: { endpoint } }) => endpoint);
    for (const { name, hostnames, path } of plan.endpoints) {
      const intake = this.#intakes.get(name) ?? this.#intake(name);
      this.#intakes.set(name, intake);
      intake.setTargets(targets.get(name) ?? []);
      for (const host of hostnames) routes.push({ host, path, intake });
    }
    this.#routes.replace(this.#domain, routes);
    this.#published = plan.endpoints;
  }

  /** Answers from now on that nothing runs. */
  detach(): void {
    for (const intake of this.#intakes.values()) intake.setTargets([]);
  }

  /** Gives the addresses up. */
  remove(): void {
    this.#published = undefined;
    this.#routes.remove(this.#domain);
  }

  #intake(name: string): EndpointIntake {
    return new EndpointIntake([], (status) =>
      this.#metrics.counter('nervix_endpoint_responses_total', {
        endpoint: name,
        status: String(status),
      }),
    );
  }
}
