import { describe, expect, test } from 'vitest';
import { declaredChecks } from '../../src/feasibility/declared-rules.js';
import type { PlannedUse } from '../../src/feasibility/feasibility-rule.js';
import type { NodeFacts, Observed } from '../../src/feasibility/node-facts.js';
import type { Requirements } from '../../src/feasibility/requirements.js';
import { UseLedger } from '../../src/feasibility/use-ledger.js';

const seen = <Value>(value: Value, ageMs: number | null = null): Observed<Value> => ({
  value,
  ageMs,
});

const ledger = new UseLedger();
ledger.reserve(0, { capacity: { cpuCores: 1 }, ports: [70] });
const use: PlannedUse = {
  reserved: ledger.reserved(0),
  ports: ledger.ports(0),
  spreadCount: (set, failureDomain) => ({
    there: set === 's' && failureDomain === 'rack1' ? 2 : 0,
    perhaps: 0,
  }),
  elsewhereCount: (set) => (set === 's' ? 2 : 0),
  listenerCount: (port) => (port === 90 ? 2 : 1),
};

const facts: NodeFacts = {
  pools: seen(['blue']),
  isInMaintenance: seen(false),
  platform: seen({ os: 'linux', architecture: 'x64', runtime: 'node24' }),
  capabilities: seen(['wasm']),
  available: seen({ cpuCores: 3, memoryBytes: 100, diskBytes: 100, fileHandles: 10 }, 500),
  takenPorts: seen([80]),
  reachable: seen(['broker']),
  resourceVersions: seen(['model@3']),
  dataSets: seen(['orders']),
  failureDomain: seen('rack1'),
};

const check = (requirements: Requirements, known: NodeFacts = facts) =>
  declaredChecks({ facts: known, requirements, use });

describe('OP-34 declared constraints', () => {
  test('nothing declared, nothing judged', () => {
    expect(check({}, {})).toEqual([]);
    expect(check({ avoidsMaintenance: false }, {})).toEqual([]);
  });

  test.each([
    ['pool', { pool: 'blue' }, { pool: 'red' }, 'missing red'],
    ['platform', { platform: { os: 'linux' } }, { platform: { os: 'bsd' } }, 'linux x64 node24'],
    ['capabilities', { capabilities: ['wasm'] }, { capabilities: ['gpu'] }, 'missing gpu'],
    [
      'capacity',
      { capacity: { cpuCores: 2, memoryBytes: 100 } },
      { capacity: { cpuCores: 2.5 } },
      'cpuCores 2.5 of 2',
    ],
    ['reachability', { reaches: ['broker'] }, { reaches: ['broker', 'db'] }, 'missing db'],
    [
      'resource_versions',
      { resourceVersions: ['model@3'] },
      { resourceVersions: ['model@4'] },
      'missing model@4',
    ],
    ['state_source', { dataSets: ['orders'] }, { dataSets: ['bills'] }, 'missing bills'],
    [
      'spread',
      { spread: { set: 's', perFailureDomainMax: 3 } },
      { spread: { set: 's', perFailureDomainMax: 2 } },
      's 2 of 2 in rack1',
    ],
  ] satisfies [string, Requirements, Requirements, string][])(
    '%s passes, fails with its evidence, and is unknown without a fact',
    (constraint, met, unmet, evidence) => {
      expect(check(met)).toMatchObject([{ constraint, verdict: 'pass' }]);
      expect(check(unmet)).toMatchObject([{ constraint, verdict: 'fail', evidence }]);
      expect(check(met, {})).toMatchObject([
        { constraint, verdict: 'unknown', evidence: 'not observed' },
      ]);
    },
  );

  test('ports are free on the node and distinct in the group', () => {
    expect(check({ ports: [81] })).toMatchObject([
      { constraint: 'ports', verdict: 'pass', evidence: '81' },
      { constraint: 'distinct_ports', verdict: 'pass', evidence: '81' },
    ]);
    expect(check({ ports: [70, 80, 81, 90] })).toMatchObject([
      { constraint: 'ports', verdict: 'fail', evidence: 'taken 70, 80' },
      { constraint: 'distinct_ports', verdict: 'fail', evidence: 'shared in the group 90' },
    ]);
    expect(check({ ports: [81] }, {})).toMatchObject([
      { constraint: 'ports', verdict: 'unknown', evidence: 'not observed' },
      { constraint: 'distinct_ports', verdict: 'pass' },
    ]);
  });

  test('enough of a set would go on without the node', () => {
    const verdictOf = (availableMin: number) => check({ availability: { set: 's', availableMin } });
    expect(verdictOf(2)).toEqual([
      {
        constraint: 'availability',
        verdict: 'pass',
        evidence: 's keeps 2 of at least 2 without the node',
        ageMs: null,
      },
    ]);
    expect(verdictOf(3)).toMatchObject([{ verdict: 'fail' }]);
  });

  test('maintenance keeps out only what avoids it', () => {
    const open = { ...facts, isInMaintenance: seen(true) };
    expect(check({ avoidsMaintenance: true })).toMatchObject([{ verdict: 'pass' }]);
    expect(check({ avoidsMaintenance: true }, open)).toEqual([
      { constraint: 'maintenance', verdict: 'fail', evidence: 'window open', ageMs: null },
    ]);
  });

  test('an observation that is too old proves nothing', () => {
    const wanted = { capacity: { cpuCores: 1 } };
    expect(check({ ...wanted, evidenceAgeMsMax: 500 })).toMatchObject([
      { verdict: 'pass', ageMs: 500 },
    ]);
    expect(check({ ...wanted, evidenceAgeMsMax: 499 })).toEqual([
      {
        constraint: 'capacity',
        verdict: 'unknown',
        evidence: 'observed 500 ms ago, at most 499 ms allowed',
        ageMs: 500,
      },
    ]);
  });

  test('an age that is no number proves nothing', () => {
    const known = { ...facts, pools: seen(['blue'], Number.NaN) };
    expect(check({ pool: 'blue' }, known)).toMatchObject([{ verdict: 'unknown' }]);
  });
});
