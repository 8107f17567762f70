import {
  type Construction,
  equalData,
  type Flush,
  type MessageErrorPolicy,
  type RouteBranch,
} from '@nervix/model';
import type { Aspect } from './aspect.js';

/** What routes of every kind of processor may have. */
interface Route {
  readonly relay: string;
  readonly construction: Construction;
  readonly messageError: MessageErrorPolicy;
  readonly flush?: Flush;
  readonly branch?: RouteBranch;
}

/**
 * Aspects of the routes of a processor. Another shape, which is number, order, targets and branches
 * of the routes, is one aspect that stands for all others.
 */
export function routeAspects(before: readonly Route[], after: readonly Route[]): readonly Aspect[] {
  if (!equalData(before.map(shapeOf), after.map(shapeOf))) {
    return [{ aspect: 'PROCESSOR_ROUTES', level: 'ENTITY_PAUSE' }];
  }
  const found: Aspect[] = [];
  const add = (aspect: string, part: (route: Route) => unknown) => {
    if (equalData(before.map(part), after.map(part))) return;
    found.push({ aspect, level: 'DYNAMIC' });
  };
  add('PROCESSOR_ROUTE_CONSTRUCTION', ({ construction }) => construction);
  add('PROCESSOR_ROUTE_FLUSH_POLICY', ({ flush }) => flush ?? null);
  if (equalData(errorRelays(before), errorRelays(after))) {
    add('PROCESSOR_MESSAGE_ERROR_POLICY', ({ messageError }) => messageError);
    return found;
  }
  return [...found, { aspect: 'PROCESSOR_ERROR_ROUTE_TARGETS', level: 'ENTITY_PAUSE' }];
}

function shapeOf({ relay, branch }: Route): unknown {
  return [relay, branch ?? null];
}

/** The relays that errors of any route go to, each once. */
function errorRelays(routes: readonly Route[]): readonly string[] {
  const names = routes.flatMap(({ messageError }) =>
    messageError.kind === 'send_to' ? [messageError.relay] : [],
  );
  return [...new Set(names)].sort();
}
