import { expect, test } from 'vitest';
import type { TransactionReport } from '../../src/index.js';
import { assertReport } from '../../src/transaction-plan/report-invariants.js';
import { SAMPLE } from '../support/models.js';
import { planned, running } from '../support/transactions.js';

const { report } = planned(
  running(SAMPLE),
  'ALTER JUNCTION split SET DETACHED; CREATE RESOURCE r; ALTER RELAY events SET CAPACITY 2',
);
const [operation, ...operations] = report.operations;
const [step, ...steps] = report.execution_steps;
if (operation === undefined || step === undefined) throw new Error('the report is empty');
const incomplete = { status: 'INCOMPLETE', diagnostics: [] } as const;
const why = { kind: 'PLANNING', operation: 1, message: 'something is missing' } as const;
const pauseOf = (keys: readonly string[]): TransactionReport['summary'] => {
  const node = { kind: 'junction', identifier: 'split' };
  const coverage = { node, branches: { kind: 'SELECTED', branch: 'b', keys } } as const;
  const nodes = [{ coverage, attribution: [1] }];
  return { pause: { kind: 'SUBGRAPH', scope: { domain: 'taxi', nodes, gate_boundaries: [] } } };
};

const broken: readonly (readonly [string, Partial<TransactionReport>])[] = [
  ['counts its operations', { position: 2 }],
  ['numbered from 1', { operations: [{ ...operation, number: 2 }, ...operations] }],
  [
    'names the step',
    { operations: [{ ...operation, execution_step: { first: 2, last: 2 } }, ...operations] },
  ],
  [
    'of its domain',
    {
      operations: [
        { ...operation, operation: { ...operation.operation, domain: 'other' } },
        ...operations,
      ],
    },
  ],
  ['contiguous', { execution_steps: steps }],
  ['hold all of its operations', { execution_steps: [step, ...steps.slice(0, 1)] }],
  ['of the domain of its report', { summary: { pause: { kind: 'DOMAIN', domain: 'other' } } }],
  ['complete if all of its steps are', { completeness: { ...incomplete, diagnostics: [why] } }],
  ['says why', { completeness: incomplete }],
  ['at least one', { summary: pauseOf([]) }],
];

test.each(broken)(
  'CP-81 no report is made in which this does not hold: %s',
  (invariant, change) => {
    expect(() => assertReport({ ...report, ...change })).toThrow(invariant);
  },
);

test('CP-81 what plans report holds, and so do single branches', () => {
  expect(() => assertReport({ ...report, summary: pauseOf(['aa']) })).not.toThrow();
});
