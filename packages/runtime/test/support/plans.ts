import {
  type EmitterPlan,
  ERROR_ROW_FIELDS,
  type ExecutionPlan,
  type FlushPlan,
  type IngestorPlan,
  type MessageErrorPlan,
  type RoutePlan,
  type SchemaField,
  type SchemaPlan,
  TYPED_PROGRAM_VERSION,
  type TypedAssignment,
  type TypedExpression,
  type WireCodecPlan,
} from '@nervix/model';

/** Readable building blocks of hand-written plans for tests. */

export const field = (
  name: string,
  type: SchemaField['type'],
  rest: Partial<SchemaField> = {},
): SchemaField => ({ name, type, optional: false, sensitive: false, ...rest });

export const EVENT: SchemaPlan = {
  name: 'event',
  fields: [
    field('id', 'I64'),
    field('tenant', 'STRING'),
    field('amount', 'I64'),
    field('note', 'STRING', { optional: true }),
  ],
};
export const TENANT: SchemaPlan = { name: 'tenant_key', fields: [field('tenant', 'STRING')] };
export const FAILURE: SchemaPlan = { name: 'failure', fields: ERROR_ROW_FIELDS };

export const column = (
  row: 'input' | 'output' | 'branch' | 'error',
  { name, type, optional }: SchemaField,
): TypedExpression => ({ kind: 'column', row, field: name, type, optional, sensitive: false });

export const input = (name: string, schema: SchemaPlan = EVENT): TypedExpression =>
  column('input', schema.fields.find((candidate) => candidate.name === name)!);

export const int = (value: number): TypedExpression => ({
  kind: 'literal',
  type: 'I64',
  optional: false,
  sensitive: false,
  value: String(value),
});

export const text = (value: string): TypedExpression => ({
  kind: 'literal',
  type: 'STRING',
  optional: false,
  sensitive: false,
  value,
});

export const binary = (
  operator: 'gt' | 'lt' | 'eq' | 'div' | 'add' | 'mul',
  left: TypedExpression,
  right: TypedExpression,
): TypedExpression => ({
  kind: 'binary',
  operator,
  left,
  right,
  type: ['gt', 'lt', 'eq'].includes(operator) ? 'BOOL' : left.type,
  optional: left.optional || right.optional,
  sensitive: false,
  span: { start: 12, end: 18 },
});

export const inherit = (schema: SchemaPlan): TypedAssignment[] =>
  schema.fields.map((candidate, index) => ({
    field: candidate.name,
    operation: 'inherit',
    index,
    value: column('input', candidate),
    paths: [`input.${candidate.name}`],
  }));

export const set = (
  name: string,
  value: TypedExpression,
  index: number,
  paths: readonly string[] = [`output.${name}`],
): TypedAssignment => ({ field: name, operation: 'set', index, value, paths });

export const IMMEDIATE: FlushPlan = { kind: 'immediate' };

/** Sends the whole error row to a relay of the `failure` schema. */
export const sendTo = (relay: string): MessageErrorPlan => ({
  kind: 'send_to',
  relay,
  assignments: ERROR_ROW_FIELDS.map((candidate, index) =>
    set(candidate.name, column('error', candidate), index),
  ),
});

export const route = (relay: string, rest: Partial<RoutePlan> = {}): RoutePlan => ({
  relay,
  construction: { assignments: inherit(EVENT), where: null },
  flush: IMMEDIATE,
  messageError: { kind: 'log' },
  ...rest,
});

export const jsonCodec = (schema: SchemaPlan): WireCodecPlan => ({
  name: `${schema.name}_json`,
  format: 'JSON',
  schema: schema.name,
  strict: false,
});

export const ingestor = (name: string, rest: Partial<IngestorPlan> = {}): IngestorPlan => ({
  kind: 'ingestor',
  name,
  endpoint: 'intake',
  mode: 'no_ack_sequential',
  ackWindow: null,
  quiesce: { kind: 'reject', retryAfterNanos: 1_500_000_000n },
  codec: 'event_json',
  schema: 'event',
  timestamp: { kind: 'now' },
  filter: null,
  routes: [{ ...route('events'), branch: null }],
  decodeError: null,
  generalError: 'LOG',
  ...rest,
});

export const byTenant: IngestorPlan['routes'][number]['branch'] = {
  branch: 'by_tenant',
  assignments: [
    {
      ...set('tenant', input('tenant'), 0, ['branch.tenant', 'input.tenant']),
      operation: 'branch_set',
    },
  ],
};

export const emitter = (
  name: string,
  relay: string,
  path: string,
  rest: Partial<EmitterPlan> = {},
): EmitterPlan => ({
  kind: 'emitter',
  name,
  attached: true,
  inputs: [{ relay, where: null }],
  collect: null,
  inputSchema: 'event',
  sink: {
    kind: 'http',
    client: 'sink',
    method: text('POST'),
    path: text(path),
    backoffNanos: 5_000_000n,
    backoffMaxNanos: 20_000_000n,
    codec: 'event_json',
  },
  construction: { assignments: inherit(EVENT), where: null },
  outputSchema: 'event',
  headers: [],
  flush: IMMEDIATE,
  messageError: { kind: 'log' },
  generalError: 'LOG',
  ...rest,
});

export const relay = (
  name: string,
  rest: Partial<ExecutionPlan['relays'][number]> = {},
): ExecutionPlan['relays'][number] => ({
  name,
  schema: 'event',
  branch: null,
  capacity: 1,
  ...rest,
});

export const plan = (rest: Partial<ExecutionPlan> = {}): ExecutionPlan => ({
  domain: 'shop',
  programVersion: TYPED_PROGRAM_VERSION,
  revision: 1,
  generation: 1,
  schemas: [EVENT, TENANT, FAILURE],
  udfs: [],
  codecs: [jsonCodec(EVENT), jsonCodec(FAILURE)],
  branches: [
    { name: 'by_tenant', schema: 'tenant_key', ttlNanos: 60_000_000_000n, maxInstances: null },
  ],
  relays: [relay('events')],
  endpoints: [
    { name: 'intake', vhost: 'main', hostnames: ['shop.test'], path: '/events', type: 'HTTP' },
  ],
  clients: [{ name: 'sink', type: 'HTTP', endpoint: 'http://127.0.0.1:1', timeoutMs: 2000 }],
  ingestors: [ingestor('in')],
  processors: [],
  emitters: [],
  ...rest,
});

export const output = (name: string, schema: SchemaPlan = EVENT): TypedExpression =>
  column('output', schema.fields.find((candidate) => candidate.name === name)!);

export const junction = (
  name: string,
  inputs: readonly string[],
  routes: readonly RoutePlan[],
  rest: Partial<ExecutionPlan['processors'][number]> = {},
): ExecutionPlan['processors'][number] =>
  ({
    kind: 'junction',
    name,
    attached: true,
    inputs: inputs.map((each) => ({ relay: each, where: null })),
    collect: null,
    filter: null,
    inputSchema: 'event',
    branch: null,
    routes,
    ...rest,
  }) as ExecutionPlan['processors'][number];
