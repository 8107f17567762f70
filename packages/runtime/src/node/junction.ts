import type { JunctionPlan, RoutePlan } from '@nervix/model';
import type { Cutover } from './domain-node.js';
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

  /** Prepares a plan that differs in what may change while the node runs. */
  revise(plan: JunctionPlan): Cutover {
    const cutovers = [this.reviseInput(plan), ...reviseRoutes(this.routes, plan.routes)];
    return () => {
      for (const cutover of cutovers) cutover();
    };
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

/** Prepares the routes of a plan that has the same ones. */
export function reviseRoutes(
  routes: readonly Route[],
  plans: readonly RoutePlan[],
): readonly Cutover[] {
  return routes.flatMap((route, index) => {
    const plan = plans[index];
    return plan === undefined ? [] : [route.revise(plan)];
  });
}

/** Offers every row to every route. */
export function applyRoutes(routes: readonly Route[], item: WorkItem): void {
  item.batch.acks.attach(routes.length - 1);
  for (const route of routes) route.apply(item.batch, item.rows, item.snapshot);
}
