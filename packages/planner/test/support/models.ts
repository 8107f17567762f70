import type {
  Assignment,
  AssignmentTarget,
  BranchModel,
  ClientConfigEntry,
  ClientModel,
  CodecModel,
  Construction,
  DataType,
  DeduplicatorModel,
  EmitterModel,
  EndpointModel,
  EndpointSource,
  Expression,
  Flush,
  HttpSink,
  IngestorModel,
  InputRelay,
  JunctionModel,
  Model,
  RelayModel,
  SchemaField,
  VhostModel,
  WindowProcessorModel,
  WireCodecSource,
} from '@nervix/model';
import { domainModels, type PlanDomainOutcome, planDomain } from '../../src/index.js';
import { call, field } from './expressions.js';

export const DOMAIN = 'taxi';

export function column(
  name: string,
  type: DataType,
  flags: Partial<Pick<SchemaField, 'optional' | 'sensitive'>> = {},
): SchemaField {
  return { name, type, optional: false, sensitive: false, ...flags };
}

/** `SET <target> = <value>`; the target as written. */
export function assign(target: string, value: Expression): Assignment {
  const [first = '', second] = target.split('.');
  if (second === undefined) return { target: { scope: null, field: first }, value };
  return { target: { scope: first as AssignmentTarget['scope'], field: second }, value };
}

export const INHERIT_ALL: Construction = {
  inherit: { kind: 'all', except: [] },
  set: [],
  where: null,
  invoke: [],
};

export function construct(change: Partial<Construction> = {}): Construction {
  return { inherit: null, set: [], where: null, invoke: [], ...change };
}

export const EACH: Flush = { kind: 'each', interval: '100ms', maxBatchSize: '1MiB' };
export const UNBRANCHED = { kind: 'unbranched' } as const;
export const BY_TENANT = { kind: 'branched_by', branch: 'by_tenant' } as const;

export const from = (...relays: (string | InputRelay)[]): JunctionModel['inputs'] => ({
  relays: relays.map((relay) => (typeof relay === 'string' ? { relay, where: null } : relay)),
  collect: null,
});

const EVENT_FIELDS = [
  column('id', 'I64'),
  column('tenant', 'STRING'),
  column('amount', 'F64'),
  column('at', 'DATETIME'),
  column('note', 'STRING', { optional: true }),
  column('secret', 'STRING', { sensitive: true }),
  column('raw', 'BYTES', { optional: true }),
];

export const SCHEMAS: readonly Model[] = [
  { kind: 'schema', name: 'event', fields: EVENT_FIELDS },
  { kind: 'schema', name: 'event_copy', fields: EVENT_FIELDS },
  { kind: 'schema', name: 'tenant_key', fields: [column('tenant', 'STRING')] },
  {
    kind: 'schema',
    name: 'failure',
    fields: [column('message', 'STRING'), column('id', 'I64', { optional: true })],
  },
  {
    kind: 'schema',
    name: 'summary',
    fields: [
      column('tenant', 'STRING', { optional: true }),
      column('rows', 'I64'),
      column('mean', 'F64', { optional: true }),
    ],
  },
  { kind: 'schema', name: 'out', fields: [column('id', 'I64'), column('text', 'STRING')] },
];

export const wireSchema: Model = {
  kind: 'wire_json_schema',
  name: 'event_wire',
  mode: 'STRICT',
  fields: [
    { name: 'id', type: 'INTEGER', optional: false },
    { name: 'tenant', type: 'STRING', optional: false },
    { name: 'amount', type: 'NUMBER', optional: false },
    { name: 'at', type: 'STRING', optional: false },
    { name: 'note', type: 'STRING', optional: true },
    { name: 'secret', type: 'STRING', optional: false },
    { name: 'raw', type: 'BYTES', optional: true },
  ],
};
export const outWire: Model = {
  kind: 'wire_json_schema',
  name: 'out_wire',
  mode: 'LOOSE',
  fields: [
    { name: 'id', type: 'INTEGER', optional: false },
    { name: 'text', type: 'STRING', optional: false },
  ],
};
export const codec: CodecModel & { readonly source: WireCodecSource } = {
  kind: 'codec',
  name: 'event_json',
  source: { kind: 'wire', format: 'JSON', wireSchema: 'event_wire' },
  schema: 'event',
  encode: [{ field: 'at', as: 'RFC3339' }],
};
export const outCodec: CodecModel & { readonly source: WireCodecSource } = {
  kind: 'codec',
  name: 'out_json',
  source: { kind: 'wire', format: 'JSON', wireSchema: 'out_wire' },
  schema: 'out',
  encode: [],
};
export const branch: BranchModel = {
  kind: 'branch',
  name: 'by_tenant',
  schema: 'tenant_key',
  ttl: '1h',
  maxInstances: '1000',
};

export function relay(name: string, schema: string, change: Partial<RelayModel> = {}): RelayModel {
  return {
    kind: 'relay',
    name,
    schema,
    branching: UNBRANCHED,
    capacity: '1',
    materialized: false,
    ...change,
  };
}

export const vhost: VhostModel = {
  kind: 'vhost',
  name: 'web',
  hostnames: ['Taxi.example'],
  tls: null,
};
export const endpoint: EndpointModel = {
  kind: 'endpoint',
  name: 'trips_in',
  vhost: 'web',
  path: '/trips',
  type: 'HTTP',
  signaling: null,
};
/** A config entry whose value is text. */
export function entry(key: string, value: string): ClientConfigEntry {
  return { key, value: { kind: 'text', text: value } };
}

export const client: ClientModel = {
  kind: 'client',
  name: 'sink',
  type: 'HTTP',
  pool: null,
  signaling: null,
  mount: null,
  config: [entry('Endpoint', 'http://127.0.0.1:9000/'), entry('timeout_ms', '2000')],
};

export const toFailures = {
  kind: 'send_to',
  relay: 'failures',
  set: [assign('message', field('error.message')), assign('id', field('input.id'))],
} as const;

export const ingestor: IngestorModel & { readonly source: EndpointSource } = {
  kind: 'ingestor',
  name: 'intake',
  source: {
    kind: 'endpoint',
    endpoint: 'trips_in',
    mode: { kind: 'ack_parallel', max: '16', ackTimeout: '5s' },
    quiesce: { kind: 'reject', retryAfter: '1s' },
  },
  decodeUsing: 'event_json',
  timestamp: { kind: 'at', field: 'at' },
  filter: null,
  routes: [
    {
      relay: 'events',
      construction: INHERIT_ALL,
      branch: UNBRANCHED,
      flush: EACH,
      messageError: toFailures,
    },
    {
      relay: 'tenant_events',
      construction: INHERIT_ALL,
      branch: { ...BY_TENANT, set: [assign('tenant', field('message.tenant'))] },
      flush: { kind: 'immediate' },
      messageError: { kind: 'log' },
    },
  ],
  decodeError: {
    kind: 'send_to',
    relay: 'failures',
    set: [assign('message', field('error.message'))],
  },
  generalError: 'LOG',
};

export const junction: JunctionModel = {
  kind: 'junction',
  name: 'split',
  acknowledgement: 'ATTACHED',
  inputs: from('events'),
  filter: null,
  branching: UNBRANCHED,
  dependencies: [],
  routes: [{ relay: 'copies', construction: INHERIT_ALL, flush: EACH, messageError: toFailures }],
};

export const deduplicator: DeduplicatorModel = {
  kind: 'deduplicator',
  name: 'once',
  acknowledgement: 'DETACHED',
  inputs: from('tenant_events'),
  filter: null,
  branching: BY_TENANT,
  dependencies: [],
  deduplicateOn: [field('id')],
  maxTime: '10m',
  routes: [
    {
      relay: 'tenant_once',
      construction: INHERIT_ALL,
      flush: EACH,
      messageError: { kind: 'ignore' },
    },
  ],
};

export const windowProcessor: WindowProcessorModel = {
  kind: 'window_processor',
  name: 'per_minute',
  acknowledgement: 'ATTACHED',
  inputs: from('tenant_once'),
  filter: null,
  branching: BY_TENANT,
  dependencies: [],
  width: { messages: null, duration: '1m' },
  step: { messages: '10', duration: null },
  maxStateSize: null,
  routes: [
    {
      relay: 'summaries',
      construction: construct({
        set: [
          assign('tenant', field('branch.tenant')),
          assign('rows', call('count', field('input.id'))),
          assign('output.mean', call('AVG', field('input.amount'))),
        ],
      }),
      messageError: { kind: 'log' },
    },
  ],
};

export const emitter: EmitterModel & { readonly sink: HttpSink } = {
  kind: 'emitter',
  name: 'publish',
  acknowledgement: 'ATTACHED',
  inputs: from('copies'),
  dependencies: [],
  sink: {
    kind: 'http',
    client: 'sink',
    method: { kind: 'string', value: 'POST' },
    path: { kind: 'string', value: '/trips' },
    mode: { kind: 'ack', retry: { backoff: '100ms', max: '10s' } },
  },
  encodeUsing: 'out_json',
  batch: null,
  construction: construct({
    set: [assign('id', field('id')), assign('text', field('input.tenant'))],
    invoke: [
      { function: 'write_header', arguments: [{ kind: 'string', value: 'x-id' }, field('text')] },
    ],
  }),
  flush: EACH,
  messageError: toFailures,
  generalError: 'LOG',
};

/** A valid domain in which every kind occurs. */
export const SAMPLE: readonly Model[] = [
  ...SCHEMAS,
  wireSchema,
  outWire,
  codec,
  outCodec,
  branch,
  relay('events', 'event'),
  relay('copies', 'event'),
  relay('other', 'event_copy'),
  relay('failures', 'failure'),
  relay('tenant_events', 'event', { branching: BY_TENANT }),
  relay('tenant_once', 'event', { branching: BY_TENANT }),
  relay('summaries', 'summary', { branching: BY_TENANT, capacity: '4' }),
  vhost,
  endpoint,
  client,
  ingestor,
  junction,
  deduplicator,
  windowProcessor,
  emitter,
];

/** Plans the sample with these models in place of, or beside, its own. */
export function planWith(...models: readonly Model[]): PlanDomainOutcome {
  return planDomain({
    domain: DOMAIN,
    revision: 7,
    generation: 2,
    models: domainModels([...SAMPLE, ...models]),
  });
}

/** Messages of the refusals, or none for an accepted domain. */
export function messagesOf(outcome: PlanDomainOutcome): readonly string[] {
  return outcome.kind === 'accepted' ? [] : outcome.refusals.map((refusal) => refusal.message);
}

/** A changed copy of a sample model. */
export function change<Kind extends Model>(model: Kind, parts: Partial<Kind>): Kind {
  return { ...model, ...parts };
}
