import type { Model } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import { planningBasis, planTransaction } from '../../src/index.js';
import { deduplicator, emitter, junction, relay, SAMPLE, vhost } from '../support/models.js';
import { levels, NODE, planned, read, running } from '../support/transactions.js';

const domain = running(SAMPLE);
const refusalsOf = (text: string, snapshot = domain) => {
  const outcome = planTransaction(snapshot, read(text));
  return outcome.kind === 'planned'
    ? []
    : outcome.refusals.map(({ operation, message }) => `${operation}: ${message}`);
};

describe('CP-95 levels of a running domain', () => {
  test.each([
    ['ALTER RELAY events SET CAPACITY 8', 'DYNAMIC'],
    ['ALTER SCHEMA summary ADD FIELD extra I64 OPTIONAL', 'DOMAIN_PAUSE'],
    ['ALTER DEDUPLICATOR once SET MAX TIME 1m', 'DYNAMIC'],
    ['ALTER DEDUPLICATOR once SET DEDUPLICATE ON input.tenant', 'ENTITY_PAUSE'],
    ['CREATE RELAY fresh SCHEMA event UNBRANCHED', 'DOMAIN_PAUSE'],
    ['CREATE SCHEMA fresh (id I64)', 'DYNAMIC'],
    ['ALTER RELAY events SET CAPACITY 8; ALTER RELAY events SET CAPACITY 1', 'DYNAMIC'],
  ])('CP-79 CP-94 %s: %s', (text, level) => {
    expect(levels(planned(domain, text))).toEqual([level]);
  });

  test('CP-94 the level of a run comes from its ends, not from its statements', () => {
    const add = 'ALTER SCHEMA summary ADD FIELD extra I64 OPTIONAL';
    const cancelled = planned(domain, `${add}; ALTER SCHEMA summary DROP FIELD extra`);
    expect(levels(cancelled)).toEqual(['DYNAMIC']);
    expect(cancelled.steps[0]?.decision).toMatchObject({ transitions: [], noOpOperations: [1, 2] });
    const again = `DROP SCHEMA summary; CREATE SCHEMA summary
      (tenant STRING OPTIONAL, rows I64, mean F64 OPTIONAL, more I64 OPTIONAL)`;
    expect(levels(planned(domain, again))).toEqual(['DOMAIN_PAUSE']);
  });

  test('CP-74 steps are planned against what the steps before leave', () => {
    const alter = 'ALTER SCHEMA summary ADD FIELD extra I64 OPTIONAL';
    expect(levels(planned(domain, `STOP; ${alter}`))).toEqual(['DYNAMIC', 'DYNAMIC']);
    const stopped = { ...domain, status: 'stopped' } as const;
    expect(levels(planned(stopped, `START; ${alter}`))).toEqual(['DYNAMIC', 'DOMAIN_PAUSE']);
  });
});

describe('CP-73 steps', () => {
  test('runs of model changes are one step, everything else stands alone', () => {
    const { report } = planned(
      domain,
      `ALTER RELAY events SET CAPACITY 2; ALTER RELAY copies SET CAPACITY 2; CREATE RESOURCE r;
       ALTER RELAY events SET CAPACITY 3; STOP`,
    );
    expect(report.execution_steps.map(({ operations }) => operations)).toEqual([
      { first: 1, last: 2 },
      { first: 3, last: 3 },
      { first: 4, last: 4 },
      { first: 5, last: 5 },
    ]);
    expect(report.operations.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('refusals', () => {
  test('CP-52 what may not be queued is named', () => {
    expect(refusalsOf('CREATE DOMAIN other; SHOW CLUSTER STATUS')).toEqual([
      expect.stringContaining('1: CREATE DOMAIN cannot be queued in a transaction; a transaction'),
      expect.stringContaining('2: SHOW cannot be queued in a transaction'),
    ]);
  });

  test('CP-57 the whole list is judged, each fault at its statement', () => {
    expect(
      refusalsOf(
        `CREATE RELAY events SCHEMA event UNBRANCHED; ALTER RELAY nope SET CAPACITY 1;
         DROP SCHEMA out; START; CREATE RESOURCE r; CREATE RESOURCE r;
         ALTER SCHEMA summary DROP FIELD missing`,
      ),
    ).toEqual([
      "1: model 'events' already exists in domain 'taxi'",
      "2: model 'nope' does not exist in domain 'taxi'",
      "3: cannot delete model 'out' in domain 'taxi' because it is used by out_json",
      "4: domain 'taxi' is already running",
      "6: resource 'r' already exists",
      '7: field `missing` does not exist',
    ]);
  });

  test('CP-58 vector A: only the last run may be incomplete', () => {
    const open = 'CREATE RELAY r SCHEMA s UNBRANCHED';
    const allowing = { allowsIncompleteRun: true };
    const { report } = planned(domain, open, allowing);
    expect(report.completeness).toMatchObject({
      status: 'INCOMPLETE',
      diagnostics: [{ kind: 'PLANNING', operation: 1 }],
    });
    expect(report.summary.pause).toEqual({ kind: 'NO_PAUSE' });
    const closed = planTransaction(domain, read(`${open}; CREATE RESOURCE x`), allowing);
    expect(closed).toMatchObject({
      kind: 'refused',
      refusals: [{ operation: 1, message: expect.stringContaining("requires missing schema 's'") }],
    });
    const mended = `${open}; CREATE SCHEMA s (id I64); CREATE RESOURCE x`;
    expect(planned(domain, mended).report.completeness).toEqual({ status: 'COMPLETE' });
  });
});

describe('pauses', () => {
  test('CP-89 vector C: only the input of what changes is gated', () => {
    const names = ['input', 'middle', 'output'];
    const models: Model[] = [
      ...SAMPLE,
      ...names.map((name) => relay(name, 'event')),
      chain('source', 'events', 'input'),
      chain('changed', 'input', 'middle'),
      chain('downstream', 'middle', 'output'),
    ];
    const { report } = planned(running(models), 'ALTER JUNCTION changed SET DETACHED');
    const [step] = report.execution_steps;
    const pause = step?.planned.pause;
    if (pause?.kind !== 'SUBGRAPH') throw new Error('nothing is paused in part');
    expect(pause.scope.nodes.map(({ coverage }) => coverage.node.identifier)).toEqual([
      'changed',
      'downstream',
      'middle',
      'output',
    ]);
    expect(pause.scope.gate_boundaries.map(({ boundary }) => boundary.relay)).toEqual(['input']);
  });

  test('CP-84 the summary joins the pauses of all steps', () => {
    const { report } = planned(
      domain,
      `ALTER JUNCTION split SET DETACHED; CREATE RESOURCE r; ALTER JUNCTION split SET ATTACHED`,
    );
    const { pause } = report.summary;
    if (pause.kind !== 'SUBGRAPH') throw new Error('nothing is paused in part');
    expect(pause.scope.gate_boundaries).toEqual([
      {
        boundary: { relay: 'events', branches: { kind: 'UNBRANCHED' } },
        attribution: [1, 3],
      },
    ]);
  });

  test('CP-92 a pause flushes every node of the running graph', () => {
    const { report } = planned(domain, 'ALTER JUNCTION split SET DETACHED');
    const flushed = report.execution_steps[0]?.planned.effects.force_flushes.length;
    expect(flushed).toBe(domain.schedule.length);
  });

  test.each(['running', 'stopped'] as const)(
    'CP-91 CP-96 Q-46 in a %s domain another version of a certificate refreshes listeners, and no more',
    (status) => {
      const withTls = { ...vhost, tls: { resource: 'certs', version: '1' } };
      const models = SAMPLE.map((model) => (model === vhost ? withTls : model));
      const resources = [{ name: 'certs', versions: [1, 2] }];
      const base = { ...domain, models, resources, status };
      const { report } = planned(base, 'REBIND RESOURCE certs TO VERSION LATEST', {
        isWholeLanguage: true,
      });
      const node = { kind: 'vhost', identifier: 'web' };
      const attribution = [1];
      expect(report.execution_steps[0]?.planned).toMatchObject({
        pause: { kind: 'NO_PAUSE' },
        effects: {
          activations: [
            { node: { node, branches: null }, action: 'REFRESH_HTTPS_LISTENER', attribution },
          ],
          rebuilds: [],
          force_flushes: [],
          resource_bindings: [
            { node, resource: 'certs', requested: 'LATEST', version: 2, attribution },
          ],
        },
      });
    },
  );

  test('CP-146 state is lost when the schema of what arrives changes', () => {
    const field = 'ALTER SCHEMA event ADD FIELD extra I64 OPTIONAL';
    const wire = 'ALTER WIRE JSON SCHEMA event_wire ADD FIELD extra INTEGER OPTIONAL';
    const copy = 'ALTER SCHEMA event_copy ADD FIELD extra I64 OPTIONAL';
    const { report } = planned(domain, `${field}; ${wire}; ${copy}`);
    const resets = report.execution_steps[0]?.planned.effects.state_resets ?? [];
    expect(resets.map(({ node, state }) => [node.node.identifier, state])).toEqual([
      [deduplicator.name, 'DEDUPLICATOR_KEYSPACE'],
      ['per_minute', 'WINDOW_ACCUMULATOR'],
    ]);
  });
});

describe('CP-59 CP-66 CP-72 the basis', () => {
  const basis = planningBasis(domain);

  test('is the same for the same inputs in any order, at any revision', () => {
    const shuffled = { ...domain, revision: 99, models: [...domain.models].reverse() };
    expect(planningBasis(shuffled)).toBe(basis);
    expect(basis).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ['a model', { models: domain.models.filter(({ name }) => name !== emitter.name) }],
    ['the schedule', { schedule: domain.schedule.slice(1) }],
    ['a resource', { resources: [{ name: 'r', versions: [] }] }],
    ['the status', { status: 'stopped' }],
    ['a cordon', { nodes: [{ ...NODE, isCordoned: true }] }],
    ['an incarnation', { nodes: [{ ...NODE, incarnation: { admitted: 'b', observed: 'b' } }] }],
    ['CP-71 another member', { nodes: [NODE, { ...NODE, name: 'n2' }] }],
    ['CP-71 another voter', { nodes: [{ ...NODE, isVoter: false }] }],
    ['CP-71 the loss of a member', { nodes: [{ ...NODE, isLive: false }] }],
    ['CP-71 a destination that ends', { nodes: [{ ...NODE, isTerminating: true }] }],
    ['CP-71 a completed version', { resources: [{ name: 'r', versions: [1] }] }],
    ['the replica count', { replicaCount: 1 }],
    ['the feature level (CP-139)', { featureLevel: 2 }],
  ] as const)('changes with %s', (_, change) => {
    expect(planningBasis({ ...domain, ...change })).not.toBe(basis);
  });

  describe('CP-71 of a former owner that is cordoned', () => {
    const cordoned = { ...NODE, isCordoned: true };
    const basisOf = (node: (typeof domain.nodes)[number]) =>
      planningBasis({ ...domain, nodes: [node] });

    test('does not change when it begins to terminate', () => {
      expect(basisOf({ ...cordoned, isTerminating: true })).toBe(basisOf(cordoned));
    });

    test.each([
      ['it is lost', { isLive: false }],
      ['it ends while it terminates', { isLive: false, isTerminating: true }],
      ['another process takes its place', { incarnation: { admitted: 'b', observed: 'b' } }],
      ['its cordon is taken away', { isCordoned: false }],
    ])('changes when %s', (_, change) => {
      expect(basisOf({ ...cordoned, ...change })).not.toBe(basisOf(cordoned));
    });
  });
});

test('a relay that is fed and never read is remarked upon, and allowed', () => {
  const text = `CREATE RELAY cleaned SCHEMA event UNBRANCHED;
    CREATE JUNCTION clean_up FROM events UNBRANCHED
      TO cleaned INHERIT ALL FLUSH IMMEDIATE ON MESSAGE ERROR LOG`;
  expect(planned(domain, text).warnings.map(({ message }) => message)).toContain(
    "relay 'cleaned' is produced and never consumed",
  );
});

function chain(name: string, input: string, output: string): Model {
  const [route] = junction.routes;
  if (route === undefined) throw new Error('the sample has no routes');
  return {
    ...junction,
    name,
    inputs: { relays: [{ relay: input, where: null }], collect: null },
    routes: [{ ...route, relay: output, messageError: { kind: 'log' } }],
  };
}
