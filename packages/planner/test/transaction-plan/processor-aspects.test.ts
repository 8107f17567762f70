import type {
  CorrelatorModel,
  FlushedRoute,
  Inputs,
  MessageErrorPolicy,
  Model,
  UnflushedRoute,
} from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { modelAspects } from '../../src/index.js';
import { correlator, inferencer, reorderer, wasmProcessor } from '../support/every-kind.js';
import { field } from '../support/expressions.js';
import {
  BY_TENANT,
  deduplicator,
  from,
  junction,
  toFailures,
  UNBRANCHED,
  windowProcessor,
} from '../support/models.js';

type Route = FlushedRoute | UnflushedRoute;
type OneSided =
  | typeof junction
  | typeof deduplicator
  | typeof reorderer
  | typeof windowProcessor
  | typeof inferencer
  | typeof wasmProcessor;
type Processor = OneSided | CorrelatorModel;

const ONE_SIDED: readonly OneSided[] = [
  junction,
  deduplicator,
  reorderer,
  windowProcessor,
  inferencer,
  wasmProcessor,
];
const PROCESSORS: readonly Processor[] = [...ONE_SIDED, correlator];
const FLUSHED = PROCESSORS.filter(({ routes }) => routes.every((route) => 'flush' in route));

const levels = (before: Model, after: Model) =>
  modelAspects(before, after).map(({ aspect, level }) => `${aspect} ${level}`);
const routesOf = ({ routes }: Processor): readonly Route[] => routes;
const withRoutes = (model: Processor, routes: readonly Route[]) => ({ ...model, routes }) as Model;
const everyRoute = (model: Processor, parts: Partial<FlushedRoute>) =>
  withRoutes(
    model,
    routesOf(model).map((route) => ({ ...route, ...parts })),
  );
/** Another construction with the same aggregates, which windows tell apart from it. */
const withConditions = (model: Processor, parts: Partial<FlushedRoute>) =>
  withRoutes(
    model,
    routesOf(model).map((route) => ({
      ...route,
      ...parts,
      construction: { ...route.construction, where: field('id') },
    })),
  );
const withInputs = (model: OneSided, parts: Partial<Inputs>): Model => ({
  ...model,
  inputs: { ...model.inputs, ...parts },
});
const ruled = ({ inputs }: OneSided) =>
  inputs.relays.map((each) => ({ ...each, where: field('id') }));
const collect = { interval: '1s', maxBatchSize: null };
const otherBranching = ({ branching }: Processor) =>
  branching.kind === 'unbranched' ? BY_TENANT : UNBRANCHED;
const log = { kind: 'log' } as const;
/** Another policy under which errors go to the same relays. */
const otherPolicy = (model: Processor): MessageErrorPolicy => {
  const policy = routesOf(model)[0]?.messageError ?? log;
  if (policy.kind === 'send_to') return { ...policy, set: [] };
  return policy.kind === 'log' ? { kind: 'ignore' } : log;
};

type Row = readonly [
  row: string,
  kinds: readonly Processor[],
  edit: (model: Processor) => Model,
  aspect: string,
];
const SHARED: readonly Row[] = [
  ['Q-8', PROCESSORS, (model) => withConditions(model, {}), 'PROCESSOR_ROUTE_CONSTRUCTION DYNAMIC'],
  [
    'Q-9 (windows and WASM processors have no FLUSH)',
    FLUSHED,
    (model) => everyRoute(model, { flush: { kind: 'immediate' } }),
    'PROCESSOR_ROUTE_FLUSH_POLICY DYNAMIC',
  ],
  [
    'Q-13 another target',
    PROCESSORS,
    (model) => everyRoute(model, { relay: 'elsewhere' }),
    'PROCESSOR_ROUTES ENTITY_PAUSE',
  ],
  [
    'Q-13 another number',
    PROCESSORS,
    (model) =>
      withRoutes(model, [
        ...routesOf(model),
        ...routesOf(model).map((route) => ({ ...route, relay: 'elsewhere' })),
      ]),
    'PROCESSOR_ROUTES ENTITY_PAUSE',
  ],
  [
    'Q-13 suppresses Q-8 and Q-11',
    PROCESSORS,
    (model) =>
      withConditions(model, {
        relay: 'elsewhere',
        messageError: { ...toFailures, relay: 'elsewhere' },
      }),
    'PROCESSOR_ROUTES ENTITY_PAUSE',
  ],
  [
    'Q-13 suppresses Q-9 and Q-10',
    FLUSHED,
    (model) =>
      everyRoute(model, {
        relay: 'elsewhere',
        messageError: otherPolicy(model),
        flush: { kind: 'each', interval: '9s', maxBatchSize: '1KiB' },
      }),
    'PROCESSOR_ROUTES ENTITY_PAUSE',
  ],
  [
    'Q-13 a branch of a route, which the grammar gives to entries alone',
    PROCESSORS,
    (model) =>
      withRoutes(
        model,
        routesOf(model).map((route) => ({ ...route, branch: UNBRANCHED })),
      ),
    'PROCESSOR_ROUTES ENTITY_PAUSE',
  ],
  [
    'Q-14',
    PROCESSORS,
    (model) => ({
      ...model,
      acknowledgement: model.acknowledgement === 'ATTACHED' ? 'DETACHED' : 'ATTACHED',
    }),
    'PROCESSOR_MODE ENTITY_PAUSE',
  ],
  [
    'Q-15',
    PROCESSORS,
    (model) => ({ ...model, branching: otherBranching(model) }),
    'PROCESSOR_BRANCHING ENTITY_PAUSE',
  ],
  [
    'Q-16',
    PROCESSORS,
    (model) => ({
      ...model,
      dependencies: [{ relay: 'rates', policy: { kind: 'required_wait' } }],
    }),
    'PROCESSOR_MATERIALIZED_STATE ENTITY_PAUSE',
  ],
];

const INPUTS: readonly (readonly [string, (model: OneSided) => Model, string])[] = [
  [
    'Q-5 (correlators have no FILTER)',
    (model) => ({ ...model, filter: field('id') }),
    'PROCESSOR_FILTER DYNAMIC',
  ],
  ['Q-6', (m) => withInputs(m, { relays: ruled(m) }), 'PROCESSOR_INPUT_WHERE DYNAMIC'],
  ['Q-7', (model) => withInputs(model, { collect }), 'PROCESSOR_COLLECT_POLICY DYNAMIC'],
  ['Q-12', (m) => withInputs(m, from('elsewhere')), 'PROCESSOR_INPUTS ENTITY_PAUSE'],
  [
    'Q-12 one relay more',
    (m) => withInputs(m, { relays: [...m.inputs.relays, ...from('elsewhere').relays] }),
    'PROCESSOR_INPUTS ENTITY_PAUSE',
  ],
];

/** Two models of which each differs from the other by an error policy alone. */
const policies = (model: Processor) => {
  const logged = everyRoute(model, { messageError: log });
  const sent = everyRoute(model, { messageError: toFailures });
  const otherwise = everyRoute(model, { messageError: { ...toFailures, set: [] } });
  const elsewhere = everyRoute(model, { messageError: { ...toFailures, relay: 'elsewhere' } });
  const ignored = everyRoute(model, { messageError: { kind: 'ignore' } });
  return { logged, sent, otherwise, elsewhere, ignored };
};

describe('CP-95 what processors of every kind share', () => {
  for (const [row, kinds, edit, aspect] of SHARED) {
    test.each(kinds)(`${row}: $kind`, (model) => {
      expect(levels(model, edit(model))).toEqual([aspect]);
      expect(levels(edit(model), model), 'and back').toEqual([aspect]);
    });
  }

  for (const [row, edit, aspect] of INPUTS) {
    test.each(ONE_SIDED)(`${row}: $kind`, (model) => {
      expect(levels(model, edit(model))).toEqual([aspect]);
      expect(levels(edit(model), model), 'and back').toEqual([aspect]);
    });
  }

  test.each(PROCESSORS)('Q-10: $kind', (model) => {
    const { logged, ignored, sent, otherwise } = policies(model);
    const dynamic = ['PROCESSOR_MESSAGE_ERROR_POLICY DYNAMIC'];
    expect(levels(logged, ignored)).toEqual(dynamic);
    expect(levels(sent, otherwise)).toEqual(dynamic);
  });

  test.each(PROCESSORS)('Q-11 suppresses Q-10: $kind', (model) => {
    const { logged, ignored, sent, elsewhere } = policies(model);
    const paused = ['PROCESSOR_ERROR_ROUTE_TARGETS ENTITY_PAUSE'];
    expect(levels(logged, sent)).toEqual(paused);
    expect(levels(sent, ignored)).toEqual(paused);
    expect(levels(sent, elsewhere)).toEqual(paused);
  });

  test.each(PROCESSORS)('Q-13 a pure permutation: $kind', (model) => {
    const [first] = routesOf(model);
    if (first === undefined) throw new Error('the sample has no routes');
    const second = { ...first, relay: 'elsewhere' };
    const [one, other] = [withRoutes(model, [first, second]), withRoutes(model, [second, first])];
    expect(levels(one, other)).toEqual(['PROCESSOR_ROUTES ENTITY_PAUSE']);
  });
});

describe.each(['left', 'right'] as const)('CP-95 the %s side of a correlator', (side) => {
  const inputs = correlator[side];
  const withSide = (parts: Partial<Inputs>): Model => ({
    ...correlator,
    [side]: { ...inputs, ...parts },
  });
  const where = inputs.relays.map((each) => ({ ...each, where: field('id') }));
  test.each([
    ['Q-6', withSide({ relays: where }), 'PROCESSOR_INPUT_WHERE DYNAMIC'],
    ['Q-7', withSide({ collect }), 'PROCESSOR_COLLECT_POLICY DYNAMIC'],
    ['Q-12', withSide(from('elsewhere')), 'PROCESSOR_INPUTS ENTITY_PAUSE'],
  ] as const)('%s', (_, after, aspect) => {
    expect(levels(correlator, after)).toEqual([aspect]);
    expect(levels(after, correlator), 'and back').toEqual([aspect]);
  });
});
