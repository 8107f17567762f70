import type {
  ConsumerClauses,
  DependencyOperation,
  FilterOperation,
  InputOperation,
  Inputs,
  RouteOperation,
} from '@nervix/model';
import { type Altered, andThen, ClauseFault } from './clause-fault.js';
import { type NamedList, withAdded, withDropped, withReplaced } from './named-list.js';

interface NamedByRelay {
  readonly relay: string;
}

function byRelay(part: string): NamedList<NamedByRelay> {
  return { nameOf: ({ relay }) => relay, words: (relay) => `${part} relay '${relay}'` };
}
const INPUTS = byRelay('input');
const ROUTES = byRelay('route to');
const DEPENDENCIES = byRelay('materialized state of');

/** Parts of a model that reads relays. */
interface Reader {
  readonly inputs: Inputs;
  readonly acknowledgement: ConsumerClauses['acknowledgement'];
}

/** A reader of relays after an operation on its inputs. */
export function alteredInputs<Model extends Reader>(
  model: Model,
  operation: InputOperation,
): Altered<Model> {
  const { inputs } = model;
  const { relays } = inputs;
  const reading = (next: Altered<Inputs['relays']>): Altered<Model> =>
    andThen(next, (list) => ({ ...model, inputs: { ...inputs, relays: list } }));
  switch (operation.op) {
    case 'add_input':
      return reading(withAdded(relays, operation.input, INPUTS));
    case 'drop_input':
      return reading(kept(withDropped(relays, operation.relay, INPUTS), 'its last input stays'));
    case 'alter_input': {
      const { relay, where } = operation;
      return reading(withReplaced(relays, relay, () => ({ relay, where }), INPUTS));
    }
    case 'set_collect':
      return { ...model, inputs: { ...inputs, collect: operation.collect } };
    case 'drop_collect':
      return { ...model, inputs: { ...inputs, collect: null } };
    case 'set_acknowledgement':
      return { ...model, acknowledgement: operation.acknowledgement };
  }
}

/** A model with routes after an operation on them. */
export function alteredRoutes<
  Route extends NamedByRelay,
  Model extends { readonly routes: readonly Route[] },
>(model: Model, operation: RouteOperation<Route>): Altered<Model> {
  const { routes } = model;
  const routing = (next: Altered<readonly Route[]>): Altered<Model> =>
    andThen(next, (list) => ({ ...model, routes: list }));
  switch (operation.op) {
    case 'add_route':
      return routing(withAdded(routes, operation.route, ROUTES));
    case 'drop_route':
      return routing(kept(withDropped(routes, operation.relay, ROUTES), 'its last route stays'));
    case 'replace_route': {
      const { route } = operation;
      return routing(withReplaced(routes, route.relay, () => route, ROUTES));
    }
  }
}

/** What every consumer of relays with routes can have altered. */
export type ConsumerOperation<Route> =
  | InputOperation
  | FilterOperation
  | DependencyOperation
  | RouteOperation<Route>;

/** A consumer with routes after one operation. */
export function alteredConsumer<
  Route extends NamedByRelay,
  Model extends ConsumerClauses & { readonly routes: readonly Route[] },
>(model: Model, operation: ConsumerOperation<Route>): Altered<Model> {
  const { dependencies } = model;
  const depending = (next: Altered<Model['dependencies']>): Altered<Model> =>
    andThen(next, (list) => ({ ...model, dependencies: list }));
  switch (operation.op) {
    case 'set_filter':
      return { ...model, filter: operation.filter };
    case 'drop_filter':
      return { ...model, filter: null };
    case 'add_dependency':
      return depending(withAdded(dependencies, operation.dependency, DEPENDENCIES));
    case 'drop_dependency':
      return depending(withDropped(dependencies, operation.relay, DEPENDENCIES));
    case 'alter_dependency': {
      const { relay, policy } = operation;
      const replaced = () => ({ relay, policy });
      return depending(withReplaced(dependencies, relay, replaced, DEPENDENCIES));
    }
    case 'add_route':
    case 'drop_route':
    case 'replace_route':
      return alteredRoutes(model, operation);
    default:
      return alteredInputs(model, operation);
  }
}

/** A list that may not become empty. */
function kept<Item>(list: Altered<readonly Item[]>, reason: string): Altered<readonly Item[]> {
  return list instanceof ClauseFault || list.length > 0 ? list : new ClauseFault(reason);
}
