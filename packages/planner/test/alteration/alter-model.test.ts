import type { Model } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { type AlterModelChange, domainModels } from '../../src/index.js';
import { applyChanges } from '../support/applied-changes.js';
import { generator, reingestor, reorderer, rule } from '../support/every-kind.js';
import { field } from '../support/expressions.js';
import {
  BY_TENANT,
  change,
  column,
  DOMAIN,
  deduplicator,
  EACH,
  emitter,
  INHERIT_ALL,
  ingestor,
  junction,
  SAMPLE,
} from '../support/models.js';

const base = domainModels([...SAMPLE, reorderer, reingestor, generator, rule]);
type Operations<Kind extends AlterModelChange['kind']> = Extract<
  AlterModelChange,
  { kind: Kind }
>['operations'];

function outcome(kind: AlterModelChange['kind'], name: string, ...operations: readonly unknown[]) {
  const alteration = { op: 'alter', kind, name, operations } as unknown as AlterModelChange;
  return applyChanges(DOMAIN, base, [alteration]);
}

function altered<Kind extends AlterModelChange['kind']>(
  kind: Kind,
  name: string,
  ...operations: Operations<Kind>
): Model | undefined {
  const result = outcome(kind, name, ...operations);
  if (result.kind === 'rejected') throw new Error(result.refusal.message);
  expect(result.differences).toEqual([{ kind, name, change: 'changed' }]);
  return result.models.get(`${kind}/${name}`);
}

function refused<Kind extends AlterModelChange['kind']>(
  kind: Kind,
  name: string,
  ...operations: Operations<Kind>
) {
  const result = outcome(kind, name, ...operations);
  return result.kind === 'rejected' ? result.refusal.message : 'it was accepted';
}

const route = {
  relay: 'other',
  construction: INHERIT_ALL,
  flush: EACH,
  messageError: { kind: 'log' },
} as const;
const dependency = { relay: 'rates', policy: { kind: 'required_skip' } } as const;

describe('CP-33 clauses of an ALTER apply in written order', () => {
  test('a relay', () => {
    expect(
      altered(
        'relay',
        'events',
        { op: 'set_capacity', capacity: '8' },
        { op: 'set_schema', schema: 'out' },
        { op: 'set_branching', branching: BY_TENANT },
        { op: 'set_materialized_state' },
        { op: 'drop_materialized_state' },
      ),
    ).toMatchObject({ capacity: '8', schema: 'out', branching: BY_TENANT, materialized: false });
  });

  test('fields of a schema, each clause against the result of the one before', () => {
    const model = altered(
      'schema',
      'tenant_key',
      { op: 'add_field', field: column('zone', 'I32') },
      { op: 'rename_field', field: 'zone', name: 'area' },
      { op: 'set_field_type', field: 'area', type: 'I64' },
      { op: 'set_field_optional', field: 'area', optional: true },
      { op: 'set_field_sensitive', field: 'area', sensitive: true },
      { op: 'drop_field', field: 'tenant' },
    );
    const flags = { optional: true, sensitive: true };
    expect(model).toMatchObject({ fields: [column('area', 'I64', flags)] });
  });

  test('a wire schema', () => {
    const model = altered(
      'wire_json_schema',
      'out_wire',
      { op: 'set_mode', mode: 'STRICT' },
      { op: 'set_field_type', field: 'id', type: 'NUMBER' },
    );
    expect(model).toMatchObject({ mode: 'STRICT', fields: [{ type: 'NUMBER' }, {}] });
  });

  test('inputs, filter, dependencies, routes and branching of a junction', () => {
    const where = field('id');
    expect(
      altered(
        'junction',
        'split',
        { op: 'add_input', input: { relay: 'other', where: null } },
        { op: 'drop_input', relay: 'events' },
        { op: 'alter_input', relay: 'other', where },
        { op: 'set_collect', collect: { interval: '1s', maxBatchSize: null } },
        { op: 'set_acknowledgement', acknowledgement: 'DETACHED' },
        { op: 'set_filter', filter: where },
        { op: 'add_dependency', dependency },
        { op: 'alter_dependency', relay: 'rates', policy: { kind: 'required_wait' } },
        { op: 'add_route', route },
        { op: 'replace_route', route: { ...route, flush: { kind: 'immediate' } } },
        { op: 'drop_route', relay: 'copies' },
        { op: 'set_branching', branching: BY_TENANT },
      ),
    ).toEqual({
      ...junction,
      inputs: {
        relays: [{ relay: 'other', where }],
        collect: { interval: '1s', maxBatchSize: null },
      },
      acknowledgement: 'DETACHED',
      filter: where,
      dependencies: [{ relay: 'rates', policy: { kind: 'required_wait' } }],
      routes: [{ ...route, flush: { kind: 'immediate' } }],
      branching: BY_TENANT,
    });
  });

  test('what only some processors have', () => {
    const keys = [field('tenant')];
    expect(
      altered(
        'deduplicator',
        'once',
        { op: 'set_deduplicate_on', keys },
        { op: 'set_max_time', maxTime: '1m' },
      ),
    ).toEqual(change(deduplicator, { deduplicateOn: keys, maxTime: '1m' }));
    expect(altered('reorderer', 'sort', { op: 'set_by', keys })).toEqual(
      change(reorderer, { by: keys }),
    );
    expect(
      altered(
        'reingestor',
        'again',
        { op: 'add_dependency', dependency },
        { op: 'set_filter', filter: field('id') },
      ),
    ).toMatchObject({ dependencies: [dependency], filter: field('id') });
    expect(
      altered(
        'generator',
        'tick',
        { op: 'set_each', eachNanos: '7' },
        { op: 'set_state', relay: 'copies' },
      ),
    ).toEqual(change(generator, { eachNanos: '7', state: 'copies' }));
  });

  test('an ingestor and an emitter', () => {
    expect(
      altered(
        'ingestor',
        'intake',
        { op: 'set_quiesce', quiesce: { kind: 'drop' } },
        { op: 'drop_timestamp' },
        { op: 'drop_decode_error' },
        { op: 'set_general_error', policy: 'IGNORE' },
        { op: 'drop_route', relay: 'events' },
      ),
    ).toMatchObject({
      source: { ...ingestor.source, quiesce: { kind: 'drop' } },
      timestamp: null,
      decodeError: null,
      generalError: 'IGNORE',
      routes: ingestor.routes.slice(1),
    });
    const mode = { kind: 'ack', retry: { backoff: '1s', max: '2s' } } as const;
    expect(
      altered(
        'emitter',
        'publish',
        { op: 'set_client', client: 'spare' },
        { op: 'set_mode', mode },
        { op: 'set_flush', flush: { kind: 'immediate' } },
        { op: 'drop_encode' },
      ),
    ).toEqual(
      change(emitter, {
        sink: { ...emitter.sink, client: 'spare', mode },
        flush: { kind: 'immediate' },
        encodeUsing: null,
      }),
    );
  });

  test('a placement rule keeps its clauses under its new name', () => {
    const result = outcome(
      'placement',
      'near',
      { op: 'set_rank', rank: '2' },
      { op: 'rename', name: 'far' },
    );
    const models = result.kind === 'accepted' ? result.models : domainModels([]);
    expect(models.get('placement/far')).toEqual({ ...rule, rank: '2', name: 'far' });
    expect(models.has('placement/near')).toBe(false);
  });
});

describe('CP-33 a clause whose target is missing fails the statement', () => {
  test('CP-36 fields', () => {
    expect(refused('schema', 'out', { op: 'drop_field', field: 'missing' })).toBe(
      'field `missing` does not exist',
    );
    expect(refused('schema', 'out', { op: 'add_field', field: column('id', 'I64') })).toBe(
      'field `id` already exists',
    );
    expect(refused('schema', 'out', { op: 'rename_field', field: 'id', name: 'text' })).toBe(
      'field `text` already exists',
    );
  });

  test.each([
    ['input', { op: 'drop_input', relay: 'x' }, "input relay 'x' does not exist"],
    ['last input', { op: 'drop_input', relay: 'events' }, 'its last input stays'],
    ['route', { op: 'drop_route', relay: 'x' }, "route to relay 'x' does not exist"],
    ['last route', { op: 'drop_route', relay: 'copies' }, 'its last route stays'],
    ['new route', { op: 'replace_route', route }, "route to relay 'other' does not exist"],
    [
      'dependency',
      { op: 'drop_dependency', relay: 'x' },
      "materialized state of relay 'x' does not exist",
    ],
  ] as const)('%s of a junction', (_, operation, reason) => {
    expect(refused('junction', 'split', operation)).toBe(
      `model 'split' in domain '${DOMAIN}' is invalid: ${reason}`,
    );
  });

  test('modes and commits that a sink does not have', () => {
    const retry = { backoff: '1s', max: '2s' };
    expect(
      refused('emitter', 'publish', { op: 'set_mode', mode: { kind: 'no_ack', retry } }),
    ).toContain('does not have this MODE');
    const commit = { interval: '1m', maxSize: '1MiB' };
    expect(refused('emitter', 'publish', { op: 'set_commit', commit })).toContain('ICEBERG');
  });

  test('a model that does not exist', () => {
    expect(refused('relay', 'nope', { op: 'set_capacity', capacity: '1' })).toBe(
      `model 'nope' does not exist in domain '${DOMAIN}'`,
    );
  });
});
