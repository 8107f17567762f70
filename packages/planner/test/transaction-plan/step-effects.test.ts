import { type Model, type Statement, statementWords } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import {
  type Coverage,
  domainModels,
  type Effects,
  ModelSet,
  type TransactionPlan,
} from '../../src/index.js';
import { ImpactGraph } from '../../src/transaction-plan/impact/impact-graph.js';
import {
  correlator,
  generator,
  hashMap,
  inferencer,
  reorderer,
  udf,
  wasmProcessor,
} from '../support/every-kind.js';
import { field } from '../support/expressions.js';
import {
  assign,
  change,
  construct,
  deduplicator,
  ingestor,
  junction,
  relay,
  SAMPLE,
  windowProcessor,
} from '../support/models.js';
import { levels, NODE, planned, running } from '../support/transactions.js';

const domain = running(SAMPLE);
const whole = { isWholeLanguage: true };
const create = (model: Model): Statement => ({ kind: 'create_model', ifNotExists: false, model });
const drop = ({ kind, name }: Model): Statement => ({ kind: 'drop_model', modelKind: kind, name });
const replaced = (model: Model) => [drop(model), create(model)];

const effectsOf = ({ report }: TransactionPlan, step = 0): Effects => {
  const effects = report.execution_steps[step]?.planned.effects;
  if (effects === undefined) throw new Error(`the plan has no step ${step}`);
  return effects;
};
const nameOf = ({ node }: Coverage) => `${node.kind}/${node.identifier}`;
const reasonsOf = ({ report }: TransactionPlan) =>
  report.operations.map(({ reasons }) => reasons.map(({ kind, aspect }) => aspect ?? kind));

describe('CP-76 reasons', () => {
  test('of changes: created, dropped, or the aspects of what is altered, at every operation', () => {
    const plan = planned(
      domain,
      `CREATE SCHEMA fresh (id I64); DROP SCHEMA fresh; ALTER RELAY events SET CAPACITY 8;
       STOP; START; CREATE RESOURCE r; CREATE IF NOT EXISTS RESOURCE r;
       ALTER DOMAIN SET PLACEMENT PREFER COLOCATION; ALTER DOMAIN SET PLACEMENT PREFER COLOCATION`,
    );
    expect(reasonsOf(plan)).toEqual([
      ['ENTITY_CREATED'],
      ['ENTITY_DROPPED'],
      ['RELAY_CAPACITY'],
      ['DOMAIN_STOP'],
      ['DOMAIN_START'],
      ['RESOURCE_CATALOG'],
      [],
      ['DOMAIN_PLACEMENT'],
      [],
    ]);
    for (const operation of plan.report.operations) {
      expect(Object.keys(operation)).not.toContain('outcome');
      expect(Object.keys(operation)).not.toContain('level');
    }
  });

  test.each([
    ['SET CAPACITY 8, SET SCHEMA event_copy', ['RELAY_CAPACITY', 'RELAY_SCHEMA']],
    ['SET SCHEMA event_copy, SET CAPACITY 8', ['RELAY_SCHEMA', 'RELAY_CAPACITY']],
    ['SET CAPACITY 8, SET SCHEMA event_copy, SET CAPACITY 1', ['RELAY_SCHEMA']],
  ])('of one ALTER come in the order of its clauses: %s', (clauses, aspects) => {
    const alone = running([...SAMPLE, relay('alone', 'event')]);
    expect(reasonsOf(planned(alone, `ALTER RELAY alone ${clauses}`))).toEqual([aspects]);
  });

  test('of a REBIND are all usages it selects, those that stay included', () => {
    const models = [
      ...SAMPLE,
      change(inferencer, { resource: { resource: 'parts', version: '1' } }),
      change(wasmProcessor, { resource: { resource: 'parts', version: '2' } }),
    ];
    const resources = [{ name: 'parts', versions: [1, 2] }];
    const base = { ...domain, models, resources, status: 'stopped' } as const;
    const plan = planned(base, 'REBIND RESOURCE parts TO VERSION 2', whole);
    expect(plan.report.operations[0]?.reasons).toEqual([
      usage('inferencer', 'score', 1),
      usage('wasm_processor', 'guest', 2),
    ]);
    expect(plan.steps[0]?.decision).toMatchObject({ transitions: [{ after: { name: 'score' } }] });
  });
});

function usage(kind: string, identifier: string, from_version: number) {
  const node = { kind, identifier };
  return { kind: 'RESOURCE_REBINDING', node, resource: 'parts', from_version, to_version: 2 };
}

describe('CP-77 attribution', () => {
  test('of a change are the operations that touched its node; each list is sorted and unique', () => {
    const plan = planned(
      domain,
      `ALTER JUNCTION split SET DETACHED; ALTER RELAY events SET CAPACITY 2;
       ALTER RELAY events SET CAPACITY 3`,
    );
    const { changed_configuration } = effectsOf(plan);
    expect(
      changed_configuration.map(({ transition, attribution }) => [
        transition.node.identifier,
        attribution,
      ]),
    ).toEqual([
      ['split', [1]],
      ['events', [2, 3]],
    ]);
    for (const { attribution } of allItems(effectsOf(plan))) {
      expect(attribution.length).toBeGreaterThan(0);
      expect(attribution).toEqual([...new Set(attribution)].sort((left, right) => left - right));
    }
  });

  test('of what only scheduling causes is the whole run', () => {
    const two = {
      ...domain,
      nodes: [NODE, { ...NODE, name: 'n2' }],
      schedule: domain.schedule.map((entry) =>
        entry.name === 'split' ? { ...entry, nodes: ['n2'] } : entry,
      ),
    };
    const plan = planned(
      two,
      `ALTER RELAY copies SET CAPACITY 2;
       CREATE PLACEMENT near FROM events TO split REQUIRE COLOCATION`,
    );
    expect(effectsOf(plan).ownership_moves).toMatchObject([
      { node: { node: { identifier: 'events' } }, destination: 'n2', attribution: [1, 2] },
    ]);
  });
});

function allItems(effects: Effects): readonly { readonly attribution: readonly number[] }[] {
  const { topology, ...others } = effects;
  const sides = [topology.before, topology.after].flatMap(({ nodes, edges }) => [
    ...nodes,
    ...edges,
  ]);
  return [...sides, ...Object.values(others).flat()];
}

test('CP-80 a step says what it writes and what that replaces, and nothing is decided again', () => {
  const plan = planned(
    domain,
    `ALTER JUNCTION split SET DETACHED; CREATE IF NOT EXISTS SCHEMA event (id I64); STOP; START;
     CREATE RESOURCE r; ALTER DOMAIN SET PLACEMENT PREFER COLOCATION`,
  );
  expect(plan.steps.map(({ first, last }) => [first, last])).toEqual([
    [1, 2],
    [3, 3],
    [4, 4],
    [5, 5],
    [6, 6],
  ]);
  const [models, ...others] = plan.steps.map(({ decision }) => decision);
  expect(models).toEqual({
    kind: 'models',
    transitions: [{ before: junction, after: { ...junction, acknowledgement: 'DETACHED' } }],
    schedule: domain.schedule,
    replacedSchedule: domain.schedule,
    noOpOperations: [2],
    modelGate: ['events'],
    ownershipGate: [],
  });
  expect(others).toMatchObject([
    { kind: 'stop_domain' },
    { kind: 'start_domain', startGeneration: domain.startGeneration + 1, at: null },
    { kind: 'create_resource', resource: 'r', alreadyExisted: false },
    { kind: 'alter_domain', placement: 'PREFER COLOCATION', ownershipGate: [] },
  ]);
});

test('CP-81 CP-82 a report counts and numbers its operations; what is incomplete says why', () => {
  const { report } = planned(
    domain,
    'ALTER RELAY events SET CAPACITY 2; STOP; CREATE RELAY r SCHEMA s UNBRANCHED; CREATE RELAY q SCHEMA s UNBRANCHED',
    { allowsIncompleteRun: true },
  );
  expect(report.position).toBe(4);
  expect(report.operations.map(({ number, execution_step }) => [number, execution_step])).toEqual([
    [1, { first: 1, last: 1 }],
    [2, { first: 2, last: 2 }],
    [3, { first: 3, last: 4 }],
    [4, { first: 3, last: 4 }],
  ]);
  const missing = (name: string, operation: number) => ({
    kind: 'PLANNING',
    operation,
    message: `model '${name}' in domain 'taxi' requires missing schema 's'`,
  });
  expect(report.completeness).toEqual({
    status: 'INCOMPLETE',
    diagnostics: [missing('q', 4), missing('r', 3)],
  });
  expect(
    report.execution_steps.map(({ planned: { completeness } }) => completeness.status),
  ).toEqual(['COMPLETE', 'COMPLETE', 'INCOMPLETE']);
});

test('CP-83 a pause is none, a part or the domain, and levels are nowhere stored beside it', () => {
  const { report } = planned(
    domain,
    `ALTER RELAY events SET CAPACITY 8; CREATE RESOURCE a; ALTER JUNCTION split SET DETACHED;
     CREATE RESOURCE b; ALTER SCHEMA summary ADD FIELD more I64 OPTIONAL`,
  );
  const kinds = report.execution_steps.map(({ planned: { pause } }) => pause.kind);
  expect(kinds).toEqual(['NO_PAUSE', 'NO_PAUSE', 'SUBGRAPH', 'NO_PAUSE', 'DOMAIN']);
  expect(report.summary.pause).toEqual({ kind: 'DOMAIN', domain: 'taxi' });
  expect(JSON.stringify(report)).not.toMatch(/"(quiesce_)?level"/);
});

test('CP-85 coverages follow from the branching of each node', () => {
  const { nodes } = effectsOf(planned(domain, 'ALTER SCHEMA summary ADD FIELD more I64 OPTIONAL'))
    .topology.after;
  const covered = new Map(nodes.map(({ coverage }) => [nameOf(coverage), coverage.branches]));
  expect(covered.get('relay/events')).toEqual({ kind: 'UNBRANCHED' });
  expect(covered.get('relay/tenant_once')).toEqual({ kind: 'ALL_OF_BRANCH', branch: 'by_tenant' });
  expect(covered.get('deduplicator/once')).toEqual({ kind: 'ALL_OF_BRANCH', branch: 'by_tenant' });
  expect(covered.get('emitter/publish')).toEqual({ kind: 'ALL' });
  expect(covered.get('ingestor/intake')).toEqual({ kind: 'UNBRANCHED' });
  for (const configuration of ['schema/summary', 'codec/out_json', 'vhost/web', 'client/sink']) {
    expect(covered.get(configuration), configuration).toBeNull();
  }
});

test('CP-86 CP-87 what expressions call configures the model that calls it', () => {
  const calls = change(junction, {
    name: 'calling',
    filter: {
      kind: 'udf_call',
      name: 'twice',
      arguments: [
        {
          kind: 'call',
          name: 'LOOKUP_HASH_MAP',
          arguments: [
            { kind: 'string', value: 'Rates' },
            field('input.id'),
            { kind: 'string', value: 'rate' },
          ],
        },
      ],
    },
  });
  const models = domainModels([...SAMPLE, udf, hashMap, calls]);
  const edges = ImpactGraph.of(ModelSet.of(models)).stated('junction/calling');
  expect(edges.map(({ source, kind }) => `${source.key} ${kind}`)).toEqual(
    expect.arrayContaining([
      'udf/twice CONFIGURATION_DEPENDENCY',
      'hash_map/rates CONFIGURATION_DEPENDENCY',
    ]),
  );
});

describe('CP-86 edges', () => {
  const edgesOf = (plan: TransactionPlan) =>
    effectsOf(plan).topology.after.edges.map(
      ({ source, target, kind }) => `${nameOf(source)} ${kind} ${nameOf(target)}`,
    );

  test('of every kind, parallel ones apart', () => {
    const [route] = junction.routes;
    if (route === undefined) throw new Error('the sample has no routes');
    const set = [assign('message', field('input.tenant')), assign('id', field('input.id'))];
    const twice = { ...route, relay: 'failures', construction: construct({ set }) };
    const models = [
      ...SAMPLE,
      relay('matched', 'event'),
      correlator,
      { ...generator, state: 'events' },
      change(junction, { name: 'twice', routes: [twice] }),
    ];
    const base = { ...domain, models, schedule: [] };
    const edges = edgesOf(planned(base, 'ALTER SCHEMA summary ADD FIELD more I64 OPTIONAL', whole));
    for (const edge of [
      'schema/event CONFIGURATION_DEPENDENCY relay/events',
      'relay/events DATAFLOW junction/split',
      'junction/split MESSAGE_ERROR relay/failures',
      'correlator/match CORRELATION_TIMEOUT relay/other',
      'relay/events MATERIALIZED_STATE generator/tick',
      'junction/twice DATAFLOW relay/failures',
      'junction/twice MESSAGE_ERROR relay/failures',
    ]) {
      expect(edges).toContain(edge);
    }
    expect(new Set(edges).size).toBe(edges.length);
  });

  test('CP-140 the relay of undecodable payloads is downstream of its ingestor, as one for errors', () => {
    const bare = change(ingestor, {
      routes: ingestor.routes.map((each) => ({ ...each, messageError: { kind: 'log' } as const })),
    });
    const base = running(SAMPLE.map((model) => (model === ingestor ? bare : model)));
    const plan = planned(base, 'ALTER INGESTOR intake SET GENERAL ERROR IGNORE');
    expect(levels(plan)).toEqual(['ENTITY_PAUSE']);
    expect(edgesOf(plan)).toContain('ingestor/intake MESSAGE_ERROR relay/failures');
    const { pause } = plan.report.summary;
    expect(
      pause.kind === 'SUBGRAPH' && pause.scope.nodes.map(({ coverage }) => nameOf(coverage)),
    ).toContain('relay/failures');
  });
});

describe('CP-87 topology', () => {
  const namesOf = (plan: TransactionPlan, side: 'before' | 'after' = 'after') =>
    effectsOf(plan).topology[side].nodes.map(({ coverage }) => nameOf(coverage));

  test('of what is hot-applied is the node and what configures it', () => {
    expect(namesOf(planned(domain, 'ALTER RELAY events SET CAPACITY 8'))).toEqual([
      'relay/events',
      'schema/event',
    ]);
  });

  test('of what pauses entities is everything downstream, of what pauses the domain the whole', () => {
    const paused = namesOf(
      planned(domain, 'ALTER DEDUPLICATOR once SET DEDUPLICATE ON input.tenant'),
    );
    expect(paused).toEqual([
      'branch/by_tenant',
      'deduplicator/once',
      'relay/summaries',
      'relay/tenant_once',
      'schema/event',
      'schema/summary',
      'schema/tenant_key',
      'window_processor/per_minute',
    ]);
    const all = planned(domain, 'ALTER SCHEMA summary ADD FIELD more I64 OPTIONAL');
    expect(namesOf(all)).toHaveLength(SAMPLE.length);
  });

  test('before keeps what is dropped, after shows what is new', () => {
    const stopped = { ...domain, status: 'stopped' } as const;
    const plan = planned(stopped, 'DROP RELAY other; CREATE SCHEMA fresh (id I64)');
    expect(namesOf(plan, 'before')).toEqual(['relay/other', 'schema/event_copy']);
    expect(namesOf(plan)).toEqual(['schema/fresh']);
  });
});

test('CP-90 effects are sets of their own, each in order and without repeats', () => {
  const effects = effectsOf(
    planned(domain, 'ALTER SCHEMA summary ADD FIELD more I64 OPTIONAL; DROP RELAY other'),
  );
  expect(Object.keys(effects)).toEqual([
    'changed_configuration',
    'topology',
    'ownership_moves',
    'lifecycle',
    'activations',
    'rebuilds',
    'state_resets',
    'force_flushes',
    'resource_catalog',
    'resource_bindings',
  ]);
  expect(
    effects.changed_configuration.map(({ transition }) => [
      transition.kind,
      transition.node.identifier,
    ]),
  ).toEqual([
    ['DROPPED', 'other'],
    ['CHANGED', 'summary'],
  ]);
  for (const nodes of [effects.rebuilds, effects.force_flushes]) {
    const names = nodes.map(({ node }) => nameOf(node));
    expect(names).toEqual([...new Set(names)].sort());
  }
  expect(effects.rebuilds.map(({ node }) => nameOf(node))).not.toContain('relay/other');
  expect(effects.force_flushes.map(({ node }) => nameOf(node))).toContain('relay/other');
});

describe('CP-93 state that starts anew', () => {
  const { width } = windowProcessor;
  const resets: readonly (readonly [Model, Model, string])[] = [
    [
      deduplicator,
      change(deduplicator, { deduplicateOn: [field('tenant')] }),
      'DEDUPLICATOR_KEYSPACE',
    ],
    [reorderer, change(reorderer, { by: [field('id')] }), 'REORDERER_BUFFER'],
    [
      windowProcessor,
      change(windowProcessor, { width: { ...width, duration: '2m' } }),
      'WINDOW_ACCUMULATOR',
    ],
    [correlator, change(correlator, { match: 'LATEST' }), 'CORRELATION_BUFFER'],
    [inferencer, change(inferencer, { file: 'b.onnx' }), 'INFERENCER_WARM_STATE'],
    [wasmProcessor, change(wasmProcessor, { file: 'other.wasm' }), 'WASM_GUEST_STATE'],
    [
      relay('kept', 'event', { materialized: true }),
      relay('kept', 'event'),
      'MATERIALIZED_RELAY_STATE',
    ],
  ];
  const resources = ['models', 'modules'].map((name) => ({ name, versions: [1] }));
  const models = [
    ...SAMPLE.filter(({ name }) => !resets.some(([before]) => before.name === name)),
    relay('matched', 'event'),
    ...resets.map(([before]) => before),
  ];

  test.each(
    resets.map(([before, after, state]) => [statementWords(before.kind), after, state] as const),
  )('of a %s', (_, after, state) => {
    const plan = planned({ ...domain, models, resources }, replaced(after), whole);
    expect(effectsOf(plan).state_resets).toMatchObject([
      { node: { node: { identifier: after.name } }, state, attribution: [1, 2] },
    ]);
  });

  test.each<readonly [string, Model]>([
    ['Q-18', change(deduplicator, { maxTime: '1m' })],
    ['Q-20', change(reorderer, { maxTime: '5s' })],
    ['Q-23', change(correlator, { maxTime: '9m' })],
    ['Q-29', change(wasmProcessor, { maxFuel: '9', globalError: 'IGNORE' })],
    ['Q-54', change(windowProcessor, { maxStateSize: '1048576' })],
    ['Q-4', relay('kept', 'event', { materialized: true, capacity: '7' })],
  ])('%s and none where the state can be read on', (_, after) => {
    const plan = planned({ ...domain, models, resources }, replaced(after), whole);
    expect(effectsOf(plan).changed_configuration).toHaveLength(1);
    expect(effectsOf(plan).state_resets).toEqual([]);
  });

  test('Q-28 a guest of another module begins with a generation of its own in every branch', () => {
    const after = change(wasmProcessor, { file: 'other.wasm' });
    const guestGenerations = { common: 3, byBranch: { ['a'.repeat(64)]: 5 } };
    const entry = { kind: 'wasm_processor', name: 'guest', nodes: ['n1'], guestGenerations };
    const schedule = [...domain.schedule, entry];
    const plan = planned({ ...domain, models, resources, schedule }, replaced(after), whole);
    const next = plan.after.schedule.find(({ name }) => name === 'guest');
    expect(next?.guestGenerations).toEqual({ common: 6, byBranch: {} });
  });
});

test('CP-97 a run that pauses several entities closes the inputs of all, and holds what follows', () => {
  const plan = planned(
    domain,
    'ALTER JUNCTION split SET DETACHED; ALTER DEDUPLICATOR once SET DEDUPLICATE ON input.tenant',
  );
  const { pause } = plan.report.summary;
  if (pause.kind !== 'SUBGRAPH') throw new Error('nothing is paused in part');
  expect(pause.scope.gate_boundaries.map(({ boundary }) => boundary.relay)).toEqual([
    'events',
    'tenant_events',
  ]);
  expect(pause.scope.nodes.map(({ coverage }) => coverage.node.identifier)).toEqual(
    expect.arrayContaining(['split', 'copies', 'publish', 'once', 'tenant_once', 'per_minute']),
  );
});
