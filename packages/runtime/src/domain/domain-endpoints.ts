import type { EndpointPlan, ExecutionPlan } from '@nervix/model';
import type { HttpRoute, RouteTables } from '../connector/http/http-route-table.js';
import type { DomainMetrics } from '../metrics/domain-metrics.js';
import { EndpointIntake } from '../node/endpoint-intake.js';
import type { Ingestor } from '../node/ingestor.js';

const TABLES = ['plain', 'secure'] as const satisfies readonly (keyof RouteTables)[];

function tableOf({ isSecure }: EndpointPlan): keyof RouteTables {
  return isSecure === true ? 'secure' : 'plain';
}

/** The endpoints of one domain, which outlive the graphs behind them. */
export class DomainEndpoints {
  readonly #domain: string;
  readonly #routes: RouteTables;
  readonly #metrics: DomainMetrics;
  readonly #intakes = new Map<string, EndpointIntake>();
  /** Those whose addresses the domain has. */
  #published: readonly EndpointPlan[] | undefined;

  constructor(domain: string, routes: RouteTables, metrics: DomainMetrics) {
    this.#domain = domain;
    this.#routes = routes;
    this.#metrics = metrics;
  }

  /** @throws RuntimeError RUNTIME_ROUTE_CONFLICT when an address belongs to another domain */
  check(plan: ExecutionPlan): void {
    if (plan.endpoints === this.#published) return;
    for (const table of TABLES) {
      const addresses = plan.endpoints
        .filter((endpoint) => tableOf(endpoint) === table)
        .flatMap(({ hostnames, path }) => hostnames.map((host) => ({ host, path })));
      this.#routes[table].check(this.#domain, addresses);
    }
  }

  /** Takes the addresses of a plan over that is put in force beside the same ingestors. */
  follow(plan: ExecutionPlan, ingestors: readonly Ingestor[]): void {
    if (plan.endpoints !== this.#published) this.publish(plan, ingestors);
  }

  /** Points the endpoints of a plan, old and new, at the ingestors that run. */
  publish(plan: ExecutionPlan, ingestors: readonly Ingestor[]): void {
    const routes: Record<keyof RouteTables, HttpRoute[]> = { plain: [], secure: [] };
    const names = new Set(plan.endpoints.map(({ name }) => name));
    for (const name of this.#intakes.keys()) if (!names.has(name)) this.#intakes.delete(name);
    const targets = Map.groupBy(ingestors, ({ plan: { endpoint } }) => endpoint);
    for (const endpoint of plan.endpoints) {
      const { name, hostnames, path } = endpoint;
      const intake = this.#intakes.get(name) ?? this.#intake(name);
      this.#intakes.set(name, intake);
      intake.setTargets(targets.get(name) ?? []);
      for (const host of hostnames) routes[tableOf(endpoint)].push({ host, path, intake });
    }
    for (const table of TABLES) this.#routes[table].replace(this.#domain, routes[table]);
    this.#published = plan.endpoints;
  }

  /** Answers from now on that nothing runs. */
  detach(): void {
    for (const intake of this.#intakes.values()) intake.setTargets([]);
  }

  /** Gives the addresses up. */
  remove(): void {
    this.#published = undefined;
    for (const table of TABLES) this.#routes[table].remove(this.#domain);
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
