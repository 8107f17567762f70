import type { JunctionModel, Model, UnflushedRoute, WindowProcessorModel } from '@nervix/model';
import { expect, test } from 'vitest';
import { binary, bool, call, cast, field, int, nil, text } from '../support/expressions.js';
import {
  assign,
  BY_TENANT,
  branch,
  change,
  column,
  construct,
  deduplicator,
  from,
  INHERIT_ALL,
  ingestor,
  junction,
  messagesOf,
  planWith,
  relay,
  toFailures,
  windowProcessor,
} from '../support/models.js';

const invalid = (name: string, reason: string) =>
  `model '${name}' in domain 'taxi' is invalid: ${reason}`;
const relation = (name: string, reason: string) =>
  `model '${name}' in domain 'taxi' has incompatible schema relationship: ${reason}`;

const [route] = junction.routes;
const withRoute = (parts: Partial<JunctionModel['routes'][number]>): JunctionModel =>
  change(junction, { routes: [{ ...route!, ...parts }] });
const withSet = (...set: [string, Parameters<typeof assign>[1]][]): JunctionModel =>
  withRoute({
    construction: construct({
      inherit: { kind: 'all', except: [] },
      set: set.map(([target, value]) => assign(target, value)),
    }),
  });
const compile = (reason: string) => invalid('split', `FILTER-MAP compile failed: ${reason}`);
const LEAK =
  'would store sensitive data in a non-sensitive output field; ' +
  'use leak_sensitive(...) to explicitly remove sensitivity';

const [windowRoute] = windowProcessor.routes;
const withWindow = (parts: Partial<UnflushedRoute>): Model =>
  change(windowProcessor, { routes: [{ ...windowRoute!, ...parts }] });
const withWindowSet = (...set: [string, Parameters<typeof assign>[1]][]): Model =>
  withWindow({
    construction: construct({ set: set.map(([target, value]) => assign(target, value)) }),
  });
const window = (reason: string) => invalid('per_minute', reason);
const rows: [string, Parameters<typeof assign>[1]] = ['rows', call('count', field('input.id'))];

const forDuration = (duration: string) => ({ messages: null, duration });
const withSketch = (parts: Partial<WindowProcessorModel> = {}): readonly Model[] => {
  const set = assign('rows', call('approx_count_distinct', field('input.id'), int(9)));
  return [
    change(branch, { maxInstances: '8' }),
    change(windowProcessor, {
      width: forDuration('60s'),
      step: forDuration('40s'),
      maxStateSize: '1000000',
      routes: [{ ...windowRoute!, construction: construct({ set: [set] }) }],
      ...parts,
    }),
  ];
};
const SKETCHED = "window processor 'per_minute' in domain 'taxi' route 'summaries'";

const OPEN: readonly Model[] = [
  { kind: 'schema', name: 'open', fields: [column('secret', 'STRING'), column('note', 'STRING')] },
  relay('opened', 'open'),
];

test.each<[string, readonly Model[], string | null]>([
  [
    'TX-40 no input',
    [change(junction, { inputs: from() })],
    invalid('split', 'junction input requires at least one input relay'),
  ],
  [
    'TX-40 same input twice',
    [change(junction, { inputs: from('events', 'events') })],
    invalid('split', "junction input input relay 'events' is declared more than once"),
  ],
  [
    'TX-40 schemas differ',
    [change(junction, { inputs: from('events', 'other') })],
    relation(
      'split',
      "junction input requires equal internal schemas, but 'event' and 'event_copy' differ",
    ),
  ],
  [
    'TX-40 COLLECT FOR',
    [
      change(junction, {
        inputs: { ...junction.inputs, collect: { interval: 'x', maxBatchSize: null } },
      }),
    ],
    invalid('split', "invalid junction input COLLECT FOR duration 'x': number expected"),
  ],
  [
    'TX-40 COLLECT FOR zero',
    [
      change(junction, {
        inputs: { ...junction.inputs, collect: { interval: '0ms', maxBatchSize: null } },
      }),
    ],
    invalid('split', 'junction input COLLECT FOR duration must be greater than zero'),
  ],
  [
    'TX-40 COLLECT size',
    [
      change(junction, {
        inputs: { ...junction.inputs, collect: { interval: '1ms', maxBatchSize: '1XB' } },
      }),
    ],
    invalid('split', "invalid junction input COLLECT MAX BATCH SIZE '1XB': unknown unit 'XB'"),
  ],
  [
    'TX-40 COLLECT size zero',
    [
      change(junction, {
        inputs: { ...junction.inputs, collect: { interval: '1ms', maxBatchSize: '0B' } },
      }),
    ],
    invalid('split', 'junction input COLLECT MAX BATCH SIZE must be greater than zero'),
  ],
  [
    'COLLECT',
    [
      change(junction, {
        inputs: { ...junction.inputs, collect: { interval: '1ms', maxBatchSize: '1kB' } },
      }),
    ],
    null,
  ],
  [
    'TX-40 no TO',
    [change(junction, { routes: [] })],
    invalid('split', 'processor must declare at least one TO destination'),
  ],
  [
    'TX-40 FLUSH EACH',
    [withRoute({ flush: { kind: 'each', interval: '1x', maxBatchSize: '1MiB' } })],
    invalid('split', "invalid TO output 'copies' FLUSH EACH duration '1x': unknown unit 'x'"),
  ],
  [
    'FLUSH EACH zero',
    [withRoute({ flush: { kind: 'each', interval: '0s', maxBatchSize: '1MiB' } })],
    invalid(
      'split',
      "invalid TO output 'copies' FLUSH EACH duration '0s': it must be greater than zero",
    ),
  ],
  [
    'TX-40 MAX BATCH SIZE',
    [withRoute({ flush: { kind: 'each', interval: '1s', maxBatchSize: '1' } })],
    invalid(
      'split',
      "invalid TO output 'copies' MAX BATCH SIZE '1': a number followed by a unit is expected",
    ),
  ],
  [
    'TX-40 INVOKE',
    [
      withRoute({
        construction: construct({ invoke: [{ function: 'write_header', arguments: [] }] }),
      }),
    ],
    invalid('split', 'output route is invalid: INVOKE is only available to emitters'),
  ],
  [
    'TX-40 FROM WHERE',
    [change(junction, { inputs: from({ relay: 'events', where: field('nope') }) })],
    invalid('split', "FROM WHERE compile failed: unknown input field 'nope'"),
  ],
  [
    'TX-40 FILTER WHERE',
    [change(junction, { filter: int(1) })],
    invalid('split', 'FILTER WHERE compile failed: WHERE expression must evaluate to Boolean'),
  ],
  [
    'FILTER WHERE NULL',
    [change(junction, { filter: nil })],
    invalid(
      'split',
      'FILTER WHERE compile failed: NULL requires a declared optional assignment target',
    ),
  ],
  ['optional filter', [change(junction, { filter: binary(field('note'), 'eq', text('x')) })], null],
  [
    'TX-48 unknown target',
    [withSet(['nope', int(1)])],
    compile("SET targets unknown output field 'nope'"),
  ],
  [
    'RT-16, TX-48 target scope',
    [withSet(['branch.tenant', text('a')])],
    invalid(
      'split',
      "output route is invalid: SET target 'branch.tenant' is not available in a route SET",
    ),
  ],
  ['message and output targets', [withSet(['message.id', int(1)], ['output.id', int(2)])], null],
  [
    'TX-48 type',
    [withSet(['id', text('a')])],
    compile("SET field 'id' has expression type Utf8, expected declared output type Int64"),
  ],
  [
    'TYPE 1.2 null for required',
    [withSet(['tenant', field('input.note')])],
    compile("SET field 'tenant' may be null but the output field is required"),
  ],
  [
    'TYPE 1.2 NULL for required',
    [withSet(['tenant', nil])],
    compile('NULL requires a declared optional assignment target'),
  ],
  ['TYPE 1.2 NULL for optional', [withSet(['note', nil])], null],
  [
    'TYPE 1.2 NULL inside',
    [withSet(['note', call('lower', nil)])],
    compile('NULL requires a declared optional assignment target'),
  ],
  [
    'TX-48 sensitivity',
    [withSet(['tenant', field('input.secret')])],
    compile(`SET field 'tenant' ${LEAK}`),
  ],
  ['leak_sensitive', [withSet(['tenant', call('leak_sensitive', field('input.secret'))])], null],
  ['sensitive into sensitive', [withSet(['secret', field('input.tenant')])], null],
  [
    'TX-48 uninitialized',
    [withRoute({ construction: construct() })],
    compile("required output field 'id' remains uninitialized"),
  ],
  [
    'TYPE 5.1 output is empty at first',
    [withRoute({ construction: construct({ set: [assign('id', field('output.id'))] }) })],
    compile("output field 'id' is not initialized"),
  ],
  [
    'TYPE 5.1 later reads see earlier writes',
    [withSet(['note', text('a')], ['tenant', call('coalesce', field('output.note'), text(''))])],
    null,
  ],
  [
    'TX-48 INHERIT unknown',
    [
      withRoute({
        construction: construct({
          inherit: { kind: 'fields', fields: [{ name: 'nope', leakSensitive: false }] },
        }),
      }),
    ],
    compile("INHERIT names unknown input field 'nope'"),
  ],
  [
    'TX-48 INHERIT no output',
    [
      ...OPEN,
      withRoute({
        relay: 'opened',
        construction: construct({
          inherit: { kind: 'fields', fields: [{ name: 'id', leakSensitive: false }] },
        }),
      }),
    ],
    compile("INHERIT has no same-named output field 'id'"),
  ],
  [
    'TX-48 INHERIT nullability',
    [
      ...OPEN,
      withRoute({
        relay: 'opened',
        construction: construct({
          inherit: { kind: 'fields', fields: [{ name: 'note', leakSensitive: false }] },
        }),
      }),
    ],
    compile("INHERIT field 'note' requires identical input and output type and nullability"),
  ],
  [
    'TX-48 INHERIT ALL EXCEPT',
    [withRoute({ construction: construct({ inherit: { kind: 'all', except: ['nope'] } }) })],
    compile("INHERIT ALL EXCEPT names unknown input field 'nope'"),
  ],
  [
    'INHERIT ALL EXCEPT leaves a field out',
    [withRoute({ construction: construct({ inherit: { kind: 'all', except: ['id'] } }) })],
    compile("required output field 'id' remains uninitialized"),
  ],
  [
    'TYPE 5.1 INHERIT ALL does not skip for sensitivity',
    [...OPEN, withRoute({ relay: 'opened', construction: INHERIT_ALL })],
    compile(`SET field 'secret' ${LEAK}`),
  ],
  [
    'TYPE 1.3 INHERIT of a sensitive field',
    [
      ...OPEN,
      withRoute({
        relay: 'opened',
        construction: construct({
          inherit: { kind: 'fields', fields: [{ name: 'secret', leakSensitive: false }] },
        }),
      }),
    ],
    compile(`SET field 'secret' ${LEAK}`),
  ],
  [
    'LEAK SENSITIVE',
    [
      ...OPEN,
      withRoute({
        relay: 'opened',
        construction: construct({
          inherit: { kind: 'fields', fields: [{ name: 'secret', leakSensitive: true }] },
          set: [assign('note', text(''))],
        }),
      }),
    ],
    null,
  ],
  [
    'TYPE 5.1 incompatible input is no fallback',
    [
      ...OPEN,
      withRoute({
        relay: 'opened',
        construction: construct({ set: [assign('note', field('note'))] }),
      }),
    ],
    compile("working message field 'note' is uninitialized"),
  ],
  [
    'route WHERE',
    [
      withRoute({
        construction: { ...INHERIT_ALL, where: binary(field('output.id'), 'gt', int(0)) },
      }),
    ],
    null,
  ],
  [
    'route WHERE type',
    [withRoute({ construction: { ...INHERIT_ALL, where: field('id') } })],
    compile('WHERE expression must evaluate to Boolean'),
  ],
  [
    'TX-43 branch',
    [withRoute({ messageError: { ...toFailures, relay: 'summaries', set: [] } })],
    relation('split', "message-error relay 'summaries' uses branch by_tenant, expected UNBRANCHED"),
  ],
  [
    'TX-43 branched node',
    [change(deduplicator, { routes: [{ ...deduplicator.routes[0]!, messageError: toFailures }] })],
    relation('once', "message-error relay 'failures' uses branch UNBRANCHED, expected by_tenant"),
  ],
  [
    'TX-43 required field',
    [withRoute({ messageError: { ...toFailures, set: [] } })],
    invalid(
      'split',
      "message-error SET compile failed: required output field 'message' remains uninitialized",
    ),
  ],
  [
    'TX-43 target scope',
    [withRoute({ messageError: { ...toFailures, set: [assign('output.message', text('a'))] } })],
    invalid(
      'split',
      "message-error SET is invalid: SET target 'output.message' is not available in an error record SET",
    ),
  ],
  [
    'TYPE 10 partial_output is optional',
    [
      withRoute({
        messageError: { ...toFailures, set: [assign('message', field('partial_output.tenant'))] },
      }),
    ],
    invalid(
      'split',
      "message-error SET compile failed: SET field 'message' may be null but the output field is required",
    ),
  ],
  [
    'TYPE 10 bare names read the error',
    [withRoute({ messageError: { ...toFailures, set: [assign('message', field('operation'))] } })],
    null,
  ],
  [
    'RT-16, TX-41 branched input of an unbranched node',
    [change(junction, { inputs: from('tenant_events') })],
    relation(
      'split',
      "junction 'split' branch fields () do not match relay 'tenant_events' branch fields (tenant)",
    ),
  ],
  [
    'RT-16, TX-41 unbranched input of a branched node',
    [change(deduplicator, { inputs: from('events') })],
    relation('once', "deduplicator 'once' requires relay 'events' to have branch fields (tenant)"),
  ],
  [
    'RT-16, TX-41 another branch of the same fields',
    [
      change(ingestor, { routes: ingestor.routes.slice(0, 1) }),
      { kind: 'branch', name: 'second', schema: 'tenant_key', ttl: '1h', maxInstances: null },
      relay('tenant_events', 'event', { branching: { kind: 'branched_by', branch: 'second' } }),
    ],
    relation(
      'once',
      "deduplicator 'once' branch name 'by_tenant' does not match relay 'tenant_events' branch name 'second'",
    ),
  ],
  [
    'RT-16, TX-41 UNBRANCHED into a branched relay',
    [withRoute({ relay: 'tenant_once' })],
    relation(
      'split',
      "TO output 'tenant_once' is BRANCHED BY 'by_tenant', but the route declares UNBRANCHED",
    ),
  ],
  [
    'RT-16, TX-41 branched node into an unbranched relay',
    [change(deduplicator, { routes: [{ ...deduplicator.routes[0]!, relay: 'copies' }] })],
    relation('once', "deduplicator 'once' requires relay 'copies' to have branch fields (tenant)"),
  ],
  [
    'TX-42 no state',
    [change(junction, { dependencies: [{ relay: 'other', policy: { kind: 'required_skip' } }] })],
    invalid(
      'split',
      "USING MATERIALIZED STATE source relay 'other' must declare materialized state",
    ),
  ],
  [
    'TX-44 no key',
    [change(deduplicator, { deduplicateOn: [] })],
    invalid('once', 'DEDUPLICATE ON requires at least one expression'),
  ],
  [
    'TX-44 key',
    [change(deduplicator, { deduplicateOn: [field('nope')] })],
    invalid('once', "DEDUPLICATE ON compile failed: unknown input field 'nope'"),
  ],
  [
    'TX-44 MAX TIME',
    [change(deduplicator, { maxTime: 'x' })],
    invalid('once', "invalid deduplicator MAX TIME 'x': number expected"),
  ],
  [
    'MAX TIME zero',
    [change(deduplicator, { maxTime: '0s' })],
    invalid('once', "invalid deduplicator MAX TIME '0s': it must be greater than zero"),
  ],
  [
    'list key',
    [
      {
        kind: 'schema',
        name: 'tagged',
        fields: [column('tags', { kind: 'vec', element: 'I64' })],
      },
      relay('tags_in', 'tagged', { branching: BY_TENANT }),
      relay('tags_out', 'tagged', { branching: BY_TENANT }),
      {
        ...deduplicator,
        name: 'tags_once',
        inputs: from('tags_in'),
        deduplicateOn: [field('tags')],
        routes: [{ ...deduplicator.routes[0]!, relay: 'tags_out' }],
      },
    ],
    invalid(
      'tags_once',
      'DEDUPLICATE ON compile failed: a key of type List(Int64) is not supported by this release',
    ),
  ],
  [
    'bytes and branch keys',
    [change(deduplicator, { deduplicateOn: [field('raw'), field('branch.tenant')] })],
    null,
  ],
  [
    'TX-44 WIDTH',
    [change(windowProcessor, { width: { messages: null, duration: 'x' } })],
    window("invalid window WIDTH duration 'x': number expected"),
  ],
  [
    'STEP zero',
    [change(windowProcessor, { step: { messages: '0', duration: null } })],
    window("invalid window STEP messages '0': it must be greater than zero"),
  ],
  [
    'no bound',
    [change(windowProcessor, { step: { messages: null, duration: null } })],
    window('window STEP requires MESSAGES or DURATION'),
  ],
  [
    'MAX STATE SIZE',
    [change(windowProcessor, { maxStateSize: '0' })],
    window("invalid window MAX STATE SIZE '0': it must be greater than zero"),
  ],
  [
    'TX-44 window INHERIT',
    [withWindow({ construction: INHERIT_ALL })],
    window("window output 'summaries' is invalid: window routes do not support INHERIT"),
  ],
  [
    'TX-44 window INVOKE',
    [withWindow({ construction: construct({ invoke: [{ function: 'f', arguments: [] }] }) })],
    window("window output 'summaries' is invalid: window routes do not support INVOKE"),
  ],
  [
    'TX-44 window target',
    [withWindowSet(['message.rows', int(1)])],
    window(
      "window output 'summaries' is invalid: window SET targets must be bare or output.<field>",
    ),
  ],
  [
    'TX-44 unknown target',
    [withWindowSet(rows, ['nope', int(1)])],
    window(
      "window aggregate target field 'summaries.nope' is not declared in output schema 'summary'",
    ),
  ],
  [
    'TX-44 unknown input field',
    [withWindowSet(['rows', call('count', field('input.nope'))])],
    window("window aggregate references unknown input field 'tenant_once.nope'"),
  ],
  [
    'RT-42, TYPE 9 input outside',
    [withWindowSet(rows, ['mean', field('input.amount')])],
    window(
      "window output 'summaries' is invalid: input.amount is available only inside a window aggregate argument",
    ),
  ],
  [
    'TYPE 9 no aggregate',
    [withWindowSet(['rows', int(1)])],
    window("window output 'summaries' must contain at least one aggregate function"),
  ],
  [
    'TX-44 required',
    [withWindowSet(['mean', call('avg', field('input.id'))])],
    window("window aggregate must assign required output field 'summaries.rows'"),
  ],
  [
    'RT-113 nullable into required',
    [withWindowSet(['rows', call('sum', cast(field('input.note'), 'I64'))])],
    window(
      "window output 'summaries' is invalid: SET field 'rows' may be null but the output field is required",
    ),
  ],
  [
    'TX-44 BYTES',
    [withWindowSet(['rows', call('count', field('input.raw'))])],
    "window processor 'per_minute' in domain 'taxi' route 'summaries' " +
      'cannot retain BYTES in aggregate demand 0 argument 0',
  ],
  [
    'TX-44 WHERE',
    [withWindow({ construction: { ...windowRoute!.construction, where: field('rows') } })],
    window(
      "window output 'summaries' WHERE compile failed: WHERE expression must evaluate to Boolean",
    ),
  ],
  [
    'window WHERE',
    [
      withWindow({
        construction: {
          ...windowRoute!.construction,
          where: binary(field('output.rows'), 'gt', int(1)),
        },
      }),
    ],
    null,
  ],
  ['TYPE 9 a sketch', withSketch(), null],
  [
    'TX-44 RT-115 a sketch without a limit',
    withSketch({ maxStateSize: null }),
    `${SKETCHED} uses a sketch and requires MAX STATE SIZE`,
  ],
  [
    'TX-44 RT-115 a sketch with a count',
    withSketch({ step: { messages: '5', duration: null } }),
    `${SKETCHED} uses a sketch and requires duration WIDTH and STEP`,
  ],
  [
    'TX-44 RT-115 a sketch in any number of branches',
    [...withSketch(), change(branch, { maxInstances: null })],
    `${SKETCHED} uses a sketch and requires its branch to declare MAX INSTANCES`,
  ],
  // 1,024 and 640 bytes in each of 60 s / 20 s and three panes.
  ['TYPE 9 a budget that is met', withSketch({ maxStateSize: '4864' }), null],
  [
    'TX-44 TYPE 9 a budget above the limit',
    withSketch({ maxStateSize: '4863' }),
    `${SKETCHED} requires 4864 bytes for 6 sketch panes, above MAX STATE SIZE 4863 bytes`,
  ],
  [
    'TX-44 TYPE 9 a budget beyond numbers',
    withSketch({ width: forDuration('9000000000s'), step: forDuration('7ns') }),
    `${SKETCHED} has a sketch pane budget that cannot be represented`,
  ],
  [
    'branch.* where unbranched',
    [change(junction, { filter: binary(field('branch.tenant'), 'eq', text('a')) })],
    invalid(
      'split',
      "FILTER WHERE compile failed: reference 'branch.tenant' is not available because the node is unbranched",
    ),
  ],
  [
    'branch.* where branched',
    [change(deduplicator, { filter: binary(field('branch.tenant'), 'eq', text('a')) })],
    null,
  ],
  ['constant filter', [change(junction, { filter: bool(true) })], null],
])('%s', (_, models, message) => {
  expect(messagesOf(planWith(...models))).toEqual(message === null ? [] : [message]);
});

const withState = relay('other', 'event', { materialized: true });
const STATE_REFUSED = invalid('other', 'WITH MATERIALIZED STATE is not supported by this release');
const required = (name: string) => ({ relay: name, policy: { kind: 'required_wait' } }) as const;

test.each<[string, Model, string]>([
  [
    'TX-42 a dependency twice',
    change(junction, { dependencies: [required('other'), required('other')] }),
    invalid('split', "materialized-state relay 'other' is declared more than once"),
  ],
  [
    'TX-41 a dependency of another branch',
    change(deduplicator, { dependencies: [required('other')] }),
    relation(
      'once',
      "deduplicator 'once' requires relay 'tenant_events' and materialized relay 'other' " +
        'to use the same exact branch',
    ),
  ],
  [
    'a sound dependency',
    change(junction, { dependencies: [required('other')] }),
    invalid('split', 'USING MATERIALIZED STATE is not supported by this release'),
  ],
])('%s', (_, model, message) => {
  expect(messagesOf(planWith(withState, model))).toEqual([STATE_REFUSED, message]);
});

test('branching of a processor is kept in its plan', () => {
  const outcome = planWith();
  if (outcome.kind !== 'accepted') throw new Error('the sample is valid');
  expect(outcome.plan.processors.map(({ branch, attached }) => [branch, attached])).toEqual([
    [null, true],
    [BY_TENANT.branch, false],
    [BY_TENANT.branch, true],
  ]);
});
