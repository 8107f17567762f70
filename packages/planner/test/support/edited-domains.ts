import { fc } from '@fast-check/vitest';
import type { AlterModelStatement, Model, PlacementPolicy, Statement } from '@nervix/model';
import {
  correlator,
  generator,
  hashMap,
  inferencer,
  reingestor,
  reorderer,
  rule,
  signaling,
  udf,
  wasmProcessor,
} from './every-kind.js';
import { binary, field, int } from './expressions.js';
import {
  BY_TENANT,
  change,
  client,
  codec,
  column,
  deduplicator,
  emitter,
  endpoint,
  entry,
  from,
  ingestor,
  junction,
  relay,
  SAMPLE,
  vhost,
  windowProcessor,
} from './models.js';

/** Models beside those of the sample, and others under their names; many fit nowhere. */
const VARIANTS: readonly Model[] = [
  { kind: 'schema', name: 'event', fields: [column('id', 'I64'), column('tenant', 'STRING')] },
  { kind: 'schema', name: 'failure', fields: [column('message', 'STRING', { sensitive: true })] },
  { kind: 'schema', name: 'tenant_key', fields: [column('tenant', 'I64')] },
  relay('events', 'event_copy'),
  relay('copies', 'event', { branching: BY_TENANT }),
  relay('failures', 'nowhere'),
  relay('matched', 'event'),
  relay('tenant_once', 'event', { branching: BY_TENANT, materialized: true }),
  change(vhost, { hostnames: ['a.example', 'taxi.example'] }),
  change(vhost, { name: 'other_web', hostnames: ['TAXI.example'] }),
  change(vhost, { name: 'secure', tls: { resource: 'keys', version: '1' } }),
  change(endpoint, { path: '/other' }),
  change(endpoint, { name: 'again_in' }),
  change(endpoint, { name: 'far_in', vhost: 'other_web' }),
  change(client, { config: [entry('endpoint', 'http://127.0.0.1:1')] }),
  change(client, { config: [...client.config, entry('colour', 'red')] }),
  change(client, { name: 'spare', config: [entry('endpoint', 'http://127.0.0.1:1')] }),
  change(codec, { schema: 'event_copy' }),
  change(codec, { encode: [{ field: 'nope', as: 'RFC3339' }] }),
  change(ingestor, { decodeError: null }),
  change(junction, { name: 'loop', inputs: from('copies', 'events') }),
  change(junction, { filter: binary(field('amount'), 'gt', int(3)) }),
  change(junction, { filter: { kind: 'udf_call', name: 'twice', arguments: [field('id')] } }),
  change(junction, {
    name: 'rated',
    filter: {
      kind: 'call',
      name: 'lookup',
      arguments: [{ kind: 'string', value: 'rates' }, field('id')],
    },
  }),
  change(junction, {
    dependencies: [{ relay: 'tenant_once', mode: { kind: 'required' } }] as never,
  }),
  change(deduplicator, { deduplicateOn: [field('nope')] }),
  change(windowProcessor, { maxStateSize: '1MiB' }),
  change(emitter, { sink: { ...emitter.sink, client: 'spare' } }),
  change(emitter, { name: 'second', inputs: from('copies', 'matched') }),
  reorderer,
  correlator,
  inferencer,
  wasmProcessor,
  reingestor,
  generator,
  hashMap,
  udf,
  change(udf, { arguments: [{ name: 'x', type: 'STRING', optional: false }] }),
  signaling,
  rule,
  change(rule, { name: 'far', policy: 'SUGGEST SEPARATION' }),
  change(rule, { name: 'strict', policy: 'REQUIRE COLOCATION', from: ['copies'] }),
  change(rule, { name: 'lost', to: ['intake', 'publish'] }),
];

/** Every model that edited domains may hold. */
export const POOL: readonly Model[] = [...SAMPLE, ...VARIANTS];

const POLICIES: readonly PlacementPolicy[] = ['NEUTRAL', 'PREFER COLOCATION', 'REQUIRE COLOCATION'];

const ALTERATIONS: readonly AlterModelStatement[] = [
  ...['events', 'copies', 'tenant_once', 'matched'].flatMap((name): AlterModelStatement[] => {
    const alter = { kind: 'alter_model', modelKind: 'relay', name } as const;
    return [
      { ...alter, operations: [{ op: 'set_capacity', capacity: '9' }] },
      { ...alter, operations: [{ op: 'set_schema', schema: 'event_copy' }] },
      { ...alter, operations: [{ op: 'set_branching', branching: BY_TENANT }] },
    ];
  }),
  {
    kind: 'alter_model',
    modelKind: 'schema',
    name: 'event',
    operations: [{ op: 'add_field', field: column('extra', 'I64', { optional: true }) }],
  },
  {
    kind: 'alter_model',
    modelKind: 'schema',
    name: 'event',
    operations: [{ op: 'drop_field', field: 'extra' }],
  },
  {
    kind: 'alter_model',
    modelKind: 'deduplicator',
    name: 'once',
    operations: [{ op: 'set_deduplicate_on', keys: [field('tenant')] }],
  },
  {
    kind: 'alter_model',
    modelKind: 'junction',
    name: 'split',
    operations: [{ op: 'add_input', input: { relay: 'other', where: null } }],
  },
  {
    kind: 'alter_model',
    modelKind: 'placement',
    name: 'near',
    operations: [{ op: 'set_ends', from: ['other', 'events'], to: ['once'] }],
  },
  {
    kind: 'alter_model',
    modelKind: 'placement',
    name: 'near',
    operations: [{ op: 'rename', name: 'nearer' }],
  },
];

const anyModel = fc.constantFrom(...POOL);

/** A statement about a domain of the pool, sensible or not. */
const statement: fc.Arbitrary<Statement> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('create_model' as const),
      ifNotExists: fc.boolean(),
      model: anyModel,
    }),
  },
  {
    weight: 4,
    arbitrary: anyModel.map(({ kind, name }): Statement => {
      return { kind: 'drop_model', modelKind: kind, name };
    }),
  },
  { weight: 4, arbitrary: fc.constantFrom<Statement>(...ALTERATIONS) },
  { weight: 1, arbitrary: fc.constant<Statement>({ kind: 'start', at: null }) },
  { weight: 1, arbitrary: fc.constant<Statement>({ kind: 'stop' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('keys', 'tables', 'x').map((name): Statement => {
      return { kind: 'create_resource', ifNotExists: false, name };
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('keys', 'tables').map((resource): Statement => {
      return { kind: 'rebind_resource', resource, version: 'LATEST', members: null };
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...POLICIES).map((policy): Statement => {
      return { kind: 'alter_domain', setting: { kind: 'placement', policy } } as Statement;
    }),
  },
);

/** A model that is replaced by another one of its name, in two statements. */
const replacement: fc.Arbitrary<readonly Statement[]> = anyModel.map((model) => [
  { kind: 'drop_model', modelKind: model.kind, name: model.name },
  { kind: 'create_model', ifNotExists: false, model },
]);

/** A script of statements, in which models are often replaced at once. */
export const editScript: fc.Arbitrary<readonly Statement[]> = fc
  .array(
    fc.oneof(
      statement.map((one) => [one]),
      replacement,
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.flat());

/** Models of the pool: those of the sample less some, and some others in place of them. */
export const anyModels: fc.Arbitrary<readonly Model[]> = fc
  .record({
    left: fc.subarray([...SAMPLE], { minLength: SAMPLE.length - 4 }),
    others: fc.subarray([...VARIANTS], { maxLength: 6 }),
  })
  .map(({ left, others }) => {
    const keys = new Set(others.map(({ kind, name }) => `${kind}/${name}`));
    return [...left.filter(({ kind, name }) => !keys.has(`${kind}/${name}`)), ...others];
  });
