import type {
  AckParticipation,
  DependencyOperation,
  DropRoute,
  FilterOperation,
  InputOperation,
} from '@nervix/model';
import { keywords } from '../../tokens.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';
import type { RouteRules } from '../route.js';
import type { Alternative } from './operation-list.js';

const K = keywords(
  'FROM',
  'SET',
  'DROP',
  'ALTER',
  'WHERE',
  'COLLECT',
  'FILTER',
  'MATERIALIZED',
  'STATE',
  'ROUTE',
  'TO',
  'ATTACHED',
  'DETACHED',
);

const RELAY = label('ref:relay');

/** What can be removed from a consumer whatever its routes are. */
export type Removal = InputOperation | FilterOperation | DependencyOperation | DropRoute;

/** Operations that the consumers of relays share, without the word that begins them. */
export interface ConsumerOperationRules {
  /** `FROM relay [WHERE …]` behind ADD. */
  readonly addInput: Rule<InputOperation>;
  /** `FROM relay` behind DROP. */
  readonly dropInput: Rule<InputOperation>;
  /** `FROM relay SET WHERE …` or `FROM relay DROP WHERE` behind ALTER. */
  readonly alterInput: Rule<InputOperation>;
  /** `COLLECT FOR …` behind SET. */
  readonly setCollect: Rule<InputOperation>;
  /** `ATTACHED` or `DETACHED` behind SET. */
  readonly setAcknowledgement: Rule<InputOperation>;
  readonly addDependency: Rule<DependencyOperation>;
  /** DROP of whatever a processor can do without. */
  readonly removal: Rule<Removal>;
  /** ALTER of an input or a dependency. */
  readonly change: Rule<InputOperation | DependencyOperation>;
}

/** Operations on inputs, filters and materialized dependencies. */
export function defineConsumerOperations(
  g: GrammarHost,
  routes: RouteRules,
): ConsumerOperationRules {
  const inputs = defineInputOperations(g, routes);
  const dependencies = defineDependencyOperations(g, routes);
  const removals: Alternative<Removal>[] = [
    { ALT: () => g.call(inputs.dropInput) },
    { ALT: () => g.takeAs(K.COLLECT, { op: 'drop_collect' }) },
    { ALT: () => takeDropFilter(g) },
    { ALT: () => g.call(dependencies.dropDependency) },
    { ALT: () => takeDropRoute(g) },
  ];
  const removal = g.rule('removal', () => {
    g.take(K.DROP);
    return g.choose(0, removals);
  });
  const change = g.rule('change', () => {
    g.take(K.ALTER);
    return g.choose<InputOperation | DependencyOperation>(0, [
      { ALT: () => g.call(inputs.alterInput) },
      { ALT: () => g.call(dependencies.alterDependency) },
    ]);
  });
  const { addDependency } = dependencies;
  return { ...inputs, addDependency, removal, change };
}

/** `FILTER WHERE` behind DROP. */
export function takeDropFilter(g: GrammarHost): FilterOperation {
  g.take(K.FILTER);
  g.take(K.WHERE);
  return { op: 'drop_filter' };
}

/** `ROUTE TO relay` behind DROP. */
export function takeDropRoute(g: GrammarHost): DropRoute {
  g.take(K.ROUTE);
  g.take(K.TO);
  return { op: 'drop_route', relay: g.relayName(RELAY) };
}

/** `ROUTE TO …` behind ADD or REPLACE. */
export function takeRoute<Op extends 'add_route' | 'replace_route', Route>(
  g: GrammarHost,
  op: Op,
  take: () => Route,
): { readonly op: Op; readonly route: Route } {
  g.take(K.ROUTE);
  return { op, route: take() };
}

function defineInputOperations(g: GrammarHost, routes: RouteRules) {
  const addInput = g.rule('addInput', (): InputOperation => {
    g.take(K.FROM);
    const first = g.position;
    const relay = g.relayName(RELAY);
    const where = g.maybe(0, () => g.call(routes.where)) ?? null;
    return { op: 'add_input', input: g.close({ relay, where }, first) };
  });
  const dropInput = g.rule('dropInput', (): InputOperation => {
    g.take(K.FROM);
    return { op: 'drop_input', relay: g.relayName(RELAY) };
  });
  const alterInput = g.rule('alterInput', (): InputOperation => {
    g.take(K.FROM);
    const relay = g.relayName(RELAY);
    const where = g.choose(0, [
      {
        ALT: () => {
          g.take(K.SET);
          return g.call(routes.where);
        },
      },
      {
        ALT: () => {
          g.take(K.DROP);
          g.take(K.WHERE);
          return null;
        },
      },
    ]);
    return { op: 'alter_input', relay, where };
  });
  const setCollect = g.rule(
    'setCollect',
    (): InputOperation => ({ op: 'set_collect', collect: g.call(routes.collect) }),
  );
  const setAcknowledgement = g.rule('setAcknowledgement', (): InputOperation => {
    const acknowledgement = g.choose<AckParticipation>(0, [
      { ALT: () => g.takeAs(K.ATTACHED, 'ATTACHED') },
      { ALT: () => g.takeAs(K.DETACHED, 'DETACHED') },
    ]);
    return { op: 'set_acknowledgement', acknowledgement };
  });
  return { addInput, dropInput, alterInput, setCollect, setAcknowledgement };
}

function defineDependencyOperations(g: GrammarHost, routes: RouteRules) {
  const takeState = (): string => {
    g.take(K.MATERIALIZED);
    g.take(K.STATE);
    return g.relayName(RELAY);
  };
  const addDependency = g.rule('addDependency', (): DependencyOperation => {
    const first = g.position;
    const relay = takeState();
    const dependency = g.close({ relay, policy: g.call(routes.dependencyPolicy) }, first);
    return { op: 'add_dependency', dependency };
  });
  const dropDependency = g.rule(
    'dropDependency',
    (): DependencyOperation => ({ op: 'drop_dependency', relay: takeState() }),
  );
  const alterDependency = g.rule('alterDependency', (): DependencyOperation => {
    const relay = takeState();
    g.take(K.SET);
    return { op: 'alter_dependency', relay, policy: g.call(routes.dependencyPolicy) };
  });
  return { addDependency, dropDependency, alterDependency };
}
