import type {
  Assignment,
  Construction,
  DataType,
  Expression,
  Flush,
  InputRelay,
  MaterializedDependency,
  MessageErrorPolicy,
  Model,
  Statement,
} from '@nervix/model';
import { JSON_WIRE_TYPES, MODEL_KINDS, SCALAR_TYPES } from '@nervix/model';
import fc from 'fast-check';
import { KEYWORDS } from '../../src/keywords.ts';

/** Statement-level names, keywords among them. */
export const name: fc.Arbitrary<string> = fc.oneof(
  fc.stringMatching(/^[a-z_][a-z0-9_]{0,8}$/),
  fc.constantFrom(...KEYWORDS.map((word) => word.toLowerCase())),
);
export const relayName: fc.Arbitrary<string> = name.filter(
  (text) => text !== 'message' && text !== 'branch',
);
/** Names that expressions may hold, those that need backticks among them. */
const fieldName = fc.oneof(name, fc.stringMatching(/^[a-z0-9_~.-]{1,8}$/));
export const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: fc.constantFrom("'", '"', '$', 's', '_', '1', '\n', '\r', 'é', '😀', '\\') }),
);
const duration = fc.constantFrom('1s', '250ms', '1h30m', '1.5s', '0s', '3min', '2M', 'soon');
const byteSize = fc.constantFrom('64KiB', '1MB', '10b', '1.5gb', '0B');
const u64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }).map(String);
const positive = fc.bigInt({ min: 1n, max: (1n << 64n) - 1n }).map(String);
const scalar = fc.constantFrom(...SCALAR_TYPES);

export const dataType: fc.Arbitrary<DataType> = fc.letrec<{ type: DataType }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'type' },
    scalar,
    fc.record({ kind: fc.constant('vec' as const), element: tie('type') }),
    fc.record({
      kind: fc.constant('array' as const),
      element: tie('type'),
      length: fc.integer({ min: 1, max: 2147483647 }),
    }),
  ),
})).type;

const jsonPath = fc
  .array(
    fc.oneof(
      fc.stringMatching(/^\.[A-Za-z_][A-Za-z0-9_]{0,4}$/),
      fc.nat(4294967295).map((index) => `[${index}]`),
    ),
    { maxLength: 4 },
  )
  .map((steps) => `$${steps.join('')}`);

const scope = fc.constantFrom(
  'message' as const,
  'input' as const,
  'output' as const,
  'branch' as const,
  'left' as const,
  'right' as const,
  'metadata' as const,
  'partial_output' as const,
  'error' as const,
);

const leaf: fc.Arbitrary<Expression> = fc.oneof(
  fc.record({
    kind: fc.constant('integer' as const),
    digits: fc.bigInt({ min: 0n, max: (1n << 63n) - 1n }).map(String),
  }),
  fc
    .record({
      kind: fc.constant('float' as const),
      value: fc.oneof(
        fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
        fc.double({ min: 0, max: 1000, noNaN: true }),
      ),
    })
    .filter(({ value }) => !Object.is(value, -0)),
  fc.record({ kind: fc.constant('string' as const), value: text }),
  fc.record({ kind: fc.constant('boolean' as const), value: fc.boolean() }),
  fc.record({ kind: fc.constant('null' as const) }),
  fc.record({ kind: fc.constant('field' as const), scope: fc.option(scope), name: fieldName }),
  fc.record({ kind: fc.constant('relay_state' as const), relay: fieldName, name: fieldName }),
);

export const expression: fc.Arbitrary<Expression> = fc.letrec<{ node: Expression }>((tie) => {
  const node = tie('node');
  const nodes = fc.array(node, { maxLength: 3 });
  // biome-ignore lint/suspicious/noThenProperty: the model names an arm's result so.
  const arm = fc.record({ when: node, then: node });
  return {
    node: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'expression', withCrossShrink: true },
      leaf,
      fc.record({
        kind: fc.constantFrom('call' as const, 'udf_call' as const),
        name: fieldName,
        arguments: nodes,
      }),
      fc.record({
        kind: fc.constant('list' as const),
        elements: fc.array(node, { minLength: 1, maxLength: 3 }),
      }),
      fc.record({
        kind: fc.constant('unary' as const),
        operator: fc.constantFrom('neg' as const, 'not' as const),
        operand: node,
      }),
      fc.record({
        kind: fc.constant('binary' as const),
        operator: fc.constantFrom(
          ...(['add', 'sub', 'mul', 'div', 'rem', 'eq', 'not_eq', 'gt', 'lt'] as const),
          ...(['gt_eq', 'lt_eq', 'and', 'or'] as const),
        ),
        left: node,
        right: node,
      }),
      fc.record({
        kind: fc.constant('distinct' as const),
        negated: fc.boolean(),
        left: node,
        right: node,
      }),
      fc.record({
        kind: fc.constant('in' as const),
        negated: fc.boolean(),
        operand: node,
        elements: nodes,
      }),
      fc.record({
        kind: fc.constant('between' as const),
        negated: fc.boolean(),
        operand: node,
        low: node,
        high: node,
      }),
      fc.record({
        kind: fc.constant('cast' as const),
        isTry: fc.boolean(),
        operand: node,
        target: scalar,
      }),
      fc.record({
        kind: fc.constant('case' as const),
        form: fc.constant('case' as const),
        operand: fc.option(node),
        arms: fc.array(arm, { minLength: 1, maxLength: 3 }),
        otherwise: fc.option(node),
      }),
      fc.record({
        kind: fc.constant('case' as const),
        form: fc.constant('if' as const),
        operand: fc.constant(null),
        arms: fc.array(arm, { minLength: 1, maxLength: 1 }),
        otherwise: node,
      }),
      fc.record({
        kind: fc.constant('json_read' as const),
        function: fc.constantFrom('JSON_VALUE' as const, 'TRY_JSON_VALUE' as const),
        document: node,
        path: jsonPath,
        target: dataType,
      }),
      fc.record({ kind: fc.constant('json_exists' as const), document: node, path: jsonPath }),
    ),
  };
}).node;

type TargetScope = Assignment['target']['scope'];
function assignments(
  scopes: readonly TargetScope[],
  minLength: number,
): fc.Arbitrary<Assignment[]> {
  const target = fc.record({ scope: fc.constantFrom(...scopes), field: fieldName });
  return fc.array(fc.record({ target, value: expression }), { minLength, maxLength: 3 });
}

const fieldNames = fc.uniqueArray(fieldName, { maxLength: 3 });
const construction: fc.Arbitrary<Construction> = fc.record({
  inherit: fc.option(
    fc.oneof(
      fc.record({ kind: fc.constant('all' as const), except: fieldNames }),
      fc.record({
        kind: fc.constant('fields' as const),
        fields: fc.uniqueArray(fc.record({ name: fieldName, leakSensitive: fc.boolean() }), {
          minLength: 1,
          maxLength: 3,
          selector: (field) => field.name,
        }),
      }),
    ),
  ),
  set: assignments([null, 'message', 'output', 'branch'], 0),
  where: fc.option(expression),
  invoke: fc.array(
    fc.record({ function: fieldName, arguments: fc.array(expression, { maxLength: 2 }) }),
    { maxLength: 2 },
  ),
});

const flush: fc.Arbitrary<Flush> = fc.oneof(
  fc.record({
    kind: fc.constant('each' as const),
    interval: duration,
    maxBatchSize: byteSize,
  }),
  fc.constant({ kind: 'immediate' as const }),
);
const sendTo = fc.record({
  kind: fc.constant('send_to' as const),
  relay: relayName,
  set: assignments([null], 1),
});
const messageError: fc.Arbitrary<MessageErrorPolicy> = fc.oneof(
  fc.constantFrom({ kind: 'ignore' as const }, { kind: 'log' as const }),
  sendTo,
);
const generalError = fc.constantFrom('IGNORE' as const, 'LOG' as const);
const branching = fc.oneof(
  fc.constant({ kind: 'unbranched' as const }),
  fc.record({ kind: fc.constant('branched_by' as const), branch: name }),
);
const inputRelay: fc.Arbitrary<InputRelay> = fc.record({
  relay: relayName,
  where: fc.option(expression),
});
const inputs = fc.record({
  relays: fc.array(inputRelay, { minLength: 1, maxLength: 3 }),
  collect: fc.option(fc.record({ interval: duration, maxBatchSize: fc.option(byteSize) })),
});
const dependency: fc.Arbitrary<MaterializedDependency> = fc.record({
  relay: relayName,
  policy: fc.oneof(
    fc.constantFrom({ kind: 'required_skip' as const }, { kind: 'required_wait' as const }),
    fc.record({ kind: fc.constant('default' as const), values: assignments([null], 1) }),
  ),
});
const flushedRoute = { relay: relayName, construction, flush, messageError };
const flushedRoutes = fc.array(fc.record(flushedRoute), { minLength: 1, maxLength: 2 });
const processor = {
  name,
  acknowledgement: fc.constantFrom('ATTACHED' as const, 'DETACHED' as const),
  inputs,
  filter: fc.option(expression),
  branching,
  dependencies: fc.array(dependency, { maxLength: 2 }),
};
const binding = fc.record({
  resource: name,
  version: fc.oneof(u64, fc.constant('LATEST')),
});
const entryRoutes = fc.array(
  fc.record({
    ...flushedRoute,
    branch: fc.oneof(
      fc.constant({ kind: 'unbranched' as const }),
      fc.record({
        kind: fc.constant('branched_by' as const),
        branch: name,
        set: assignments([null, 'branch'], 0),
      }),
    ),
  }),
  { minLength: 1, maxLength: 2 },
);

const ingestor: fc.Arbitrary<Model> = fc
  .record({
    kind: fc.constant('ingestor' as const),
    name,
    source: fc.record({
      kind: fc.constant('endpoint' as const),
      endpoint: name,
      mode: fc.oneof(
        fc.constant({ kind: 'no_ack_sequential' as const }),
        fc.record({
          kind: fc.constant('ack_parallel' as const),
          max: positive,
          ackTimeout: duration,
        }),
      ),
      quiesce: fc.oneof(
        fc.record({ kind: fc.constant('reject' as const), retryAfter: duration }),
        fc.record({ kind: fc.constant('buffer' as const), maxSize: byteSize }),
      ),
    }),
    decodeUsing: name,
    timestamp: fc.option(
      fc.oneof(
        fc.constant({ kind: 'now' as const }),
        fc.record({ kind: fc.constant('at' as const), field: name }),
      ),
    ),
    filter: fc.option(expression),
    routes: entryRoutes,
    decodeError: fc.option(
      fc.oneof(fc.constantFrom({ kind: 'retry' as const }, { kind: 'log' as const }), sendTo),
    ),
    generalError,
  })
  .filter(
    ({ source, decodeError }) =>
      decodeError?.kind !== 'retry' || source.mode.kind === 'ack_parallel',
  );

const window: fc.Arbitrary<Model> = fc
  .record({
    kind: fc.constant('window_processor' as const),
    ...processor,
    bounds: fc.constantFrom(
      { width: { messages: '10', duration: null }, step: { messages: '10', duration: null } },
      { width: { messages: null, duration: '1m' }, step: { messages: null, duration: '60s' } },
      { width: { messages: '9', duration: '1m' }, step: { messages: null, duration: '5s' } },
      { width: { messages: '9', duration: '1m' }, step: { messages: '1', duration: '5s' } },
    ),
    maxStateSize: fc.option(positive),
    routes: fc.array(
      fc.record({
        relay: relayName,
        construction: fc.record({
          inherit: fc.constant(null),
          set: assignments([null, 'output'], 1),
          where: fc.option(expression),
          invoke: fc.constant([]),
        }),
        messageError,
      }),
      { minLength: 1, maxLength: 2 },
    ),
  })
  .map(({ bounds, ...rest }) => ({ ...rest, ...bounds }));

const emitter: fc.Arbitrary<Model> = fc
  .record({
    kind: fc.constant('emitter' as const),
    name,
    acknowledgement: processor.acknowledgement,
    inputs,
    dependencies: processor.dependencies,
    sink: fc.record({
      kind: fc.constant('http' as const),
      client: name,
      method: expression,
      path: expression,
      mode: fc.record({
        kind: fc.constant('ack' as const),
        retry: fc.record({ backoff: duration, max: duration }),
      }),
    }),
    encodeUsing: fc.option(name),
    construction,
    batch: fc.constant(null),
    flush,
    messageError,
    generalError,
  })
  .map((model) =>
    model.encodeUsing !== null
      ? model
      : { ...model, construction: { ...model.construction, inherit: null, set: [] } },
  );

/** Models of every kind. */
export const model: fc.Arbitrary<Model> = fc.oneof(
  fc.record({
    kind: fc.constant('schema' as const),
    name,
    fields: fc.array(
      fc.record({ name, type: dataType, optional: fc.boolean(), sensitive: fc.boolean() }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  fc.record({
    kind: fc.constant('wire_json_schema' as const),
    name,
    mode: fc.constantFrom('STRICT' as const, 'LOOSE' as const),
    fields: fc.array(
      fc.record({ name, type: fc.constantFrom(...JSON_WIRE_TYPES), optional: fc.boolean() }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  fc.record({
    kind: fc.constant('codec' as const),
    name,
    source: fc.record({
      kind: fc.constant('wire' as const),
      format: fc.constant('JSON' as const),
      wireSchema: name,
    }),
    schema: name,
    encode: fc.array(fc.record({ field: name, as: fc.constant('RFC3339' as const) }), {
      maxLength: 3,
    }),
  }),
  fc.record({
    kind: fc.constant('branch' as const),
    name,
    schema: name,
    ttl: duration,
    maxInstances: fc.option(positive),
  }),
  fc.record({
    kind: fc.constant('relay' as const),
    name: relayName,
    schema: name,
    branching,
    capacity: positive,
    materialized: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('vhost' as const),
    name,
    hostnames: fc.array(
      fc.stringMatching(/^[a-z][a-z0-9]{0,4}(-[a-z]{1,3})?(\.[a-z]{1,3}){0,2}$/),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    tls: fc.option(binding),
  }),
  fc
    .record({
      kind: fc.constant('endpoint' as const),
      name,
      vhost: name,
      path: text.map((rest) => `/${rest}`),
      type: fc.constantFrom('HTTP' as const, 'WEBSOCKETS' as const),
      signaling: fc.option(name),
    })
    .map((endpoint) => (endpoint.type === 'HTTP' ? { ...endpoint, signaling: null } : endpoint)),
  fc.record({
    kind: fc.constant('client' as const),
    name,
    type: fc.constant('HTTP' as const),
    pool: fc.constant(null),
    signaling: fc.constant(null),
    mount: fc.option(binding),
    config: fc.array(
      fc.record({ key: text, value: fc.record({ kind: fc.constant('text' as const), text }) }),
      { maxLength: 3 },
    ),
  }),
  ingestor,
  fc.record({ kind: fc.constant('junction' as const), ...processor, routes: flushedRoutes }),
  fc.record({
    kind: fc.constant('deduplicator' as const),
    ...processor,
    deduplicateOn: fc.array(expression, { minLength: 1, maxLength: 3 }),
    maxTime: duration,
    routes: flushedRoutes,
  }),
  window,
  emitter,
);

const nanos = fc.bigInt({ min: 1n, max: (1n << 64n) - 1n }).map(String);

/** Statements of every kind. */
export const statement: fc.Arbitrary<Statement> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('create_model' as const),
      ifNotExists: fc.boolean(),
      model,
    }),
  },
  fc.record({
    kind: fc.constant('create_domain' as const),
    ifNotExists: fc.boolean(),
    name,
    pace: fc.oneof(
      fc.constant({ kind: 'unpaced' as const }),
      fc.record({ kind: fc.constant('paced' as const), periodNanos: nanos, skewNanos: nanos }),
    ),
    placement: fc.constantFrom(
      'REQUIRE COLOCATION' as const,
      'PREFER COLOCATION' as const,
      'NEUTRAL' as const,
      'SUGGEST SEPARATION' as const,
    ),
  }),
  fc.record({
    kind: fc.constant('create_user' as const),
    ifNotExists: fc.boolean(),
    name,
    password: text,
  }),
  fc.record({ kind: fc.constant('use' as const), domain: name }),
  fc.constantFrom(
    { kind: 'list_domains' as const },
    { kind: 'begin' as const },
    { kind: 'commit' as const, expect: null },
    { kind: 'revert' as const },
    { kind: 'stop' as const },
    { kind: 'show_ingestors' as const },
    { kind: 'show_transactions' as const },
    { kind: 'describe_domain' as const },
  ),
  fc.record({
    kind: fc.constant('drop_model' as const),
    modelKind: fc.constantFrom(...MODEL_KINDS),
    name: relayName,
  }),
  fc.record({
    kind: fc.constant('show_create' as const),
    modelKind: fc.constantFrom(...MODEL_KINDS),
    name: relayName,
  }),
  fc.record({
    kind: fc.constant('describe_model' as const),
    modelKind: fc.constantFrom(
      ...(['endpoint', 'ingestor', 'junction', 'deduplicator'] as const),
      ...(['window_processor', 'emitter'] as const),
    ),
    name,
  }),
  fc.record({
    kind: fc.constant('start' as const),
    at: fc.option(
      fc.record({
        instant: fc.option(text),
        timeRate: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
      }),
    ),
  }),
  fc.record({
    kind: fc.constant('describe_relay' as const),
    relay: relayName,
    bindings: fc.option(
      fc.array(
        fc.record({
          field: name,
          value: fc.oneof(
            fc.record({ kind: fc.constant('string' as const), value: text }),
            fc.record({ kind: fc.constant('number' as const), text: u64 }),
            fc.record({ kind: fc.constant('boolean' as const), value: fc.boolean() }),
          ),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    ),
  }),
  fc
    .record({
      kind: fc.constant('create_subscription' as const),
      name,
      relay: relayName,
      delivery: fc.constantFrom('BLOCKING' as const, 'DROPPING' as const),
      batchSampleRate: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      where: fc.option(expression),
    })
    .filter(({ batchSampleRate }) => !Object.is(batchSampleRate, -0)),
  fc.record({ kind: fc.constant('delete_subscription' as const), name }),
);
