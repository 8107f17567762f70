import type { JunctionPlan } from '@nervix/model';
import { Processor, type ProcessorOptions, type WorkItem } from './processor.js';
import { Route } from './route.js';

/** Stateless transforming fan-in and fan-out. */
export class Junction extends Processor<null> {
  protected readonly routes: readonly Route[];

  constructor(options: ProcessorOptions<JunctionPlan>) {
    const { context, plan, relays } = options;
    const node = { kind: 'JUNCTION', name: plan.name } as const;
    super(node, options);
    this.routes = plan.routes.map(
      (route) => new Route({ context, node, plan: route, relays, schemas: this.schemas }),
    );
  }

  protected createState(): null {
    return null;
  }

  protected work(item: WorkItem): void {
    applyRoutes(this.routes, item);
  }

  protected dropState(): void {
    // Collectors and route buffers are all a branch of a junction has.
  }
}

/** Offers every row to every route. */
export function applyRoutes(routes: readonly Route[], item: WorkItem): void {
  item.batch.acks.attach(routes.length - 1);
  for (const route of routes) route.apply(item.batch, item.rows, item.snapshot);
}
