import { expect, test } from 'vitest';
import {
  type TransactionReport,
  type TransactionStanding,
  transactionDocument,
  transactionText,
} from '../../src/index.js';
import { SAMPLE } from '../support/models.js';
import { planned, running } from '../support/transactions.js';

const domain = running(SAMPLE);
const { report } = planned(
  domain,
  `ALTER DEDUPLICATOR once SET DEDUPLICATE ON input.tenant;
   ALTER RELAY copies SET CAPACITY 4;
   CREATE RESOURCE tables;
   STOP`,
);
const standing: TransactionStanding = {
  transaction_id: 't1',
  domain: 'taxi',
  state: 'OPEN',
  accepted_operations: 4,
  applied_operations: 0,
};

test('CP-117 the text of a transaction, line by line', async () => {
  await expect(`${transactionText(report, standing)}\n`).toMatchFileSnapshot(
    'golden/open-transaction.script.txt',
  );
});

test('CP-118 an inspected operation comes first, and everything is printed once', async () => {
  const inspected = transactionText(report, standing, 2);
  await expect(`${inspected}\n`).toMatchFileSnapshot('golden/inspected-operation.script.txt');
  const whole = transactionText(report, standing).split('\n');
  const lines = inspected.split('\n');
  const isExtra = (line: string) =>
    line.startsWith('  contribution: ') || line === 'inspected operation: 2';
  expect(lines.filter((line) => !isExtra(line)).sort()).toEqual(whole.sort());
});

test('CP-107 CP-117 actual levels, outcomes and failures', async () => {
  const [first, ...others] = report.execution_steps;
  if (first === undefined) throw new Error('nothing is planned');
  const diagnostic = {
    kind: 'QUIESCENCE',
    operation: 1,
    message: "timed out draining domain 'taxi'",
  } as const;
  const failed: TransactionReport = {
    ...report,
    execution_steps: [
      {
        ...first,
        actual: {
          outcome: { status: 'FAILED', diagnostic },
          quiescence: [
            {
              requirement: { kind: 'DOMAIN', domain: 'taxi' },
              outcomes: [
                { kind: 'REQUESTED' },
                { kind: 'CONFIRMED' },
                { kind: 'FAILED', diagnostic },
                { kind: 'RELEASED' },
              ],
            },
            {
              requirement: first.planned.pause,
              outcomes: [{ kind: 'REQUESTED' }, { kind: 'FAILED', diagnostic }],
            },
          ],
          effects: first.actual.effects,
        },
      },
      ...others,
    ],
  };
  const ended = {
    ...standing,
    state: 'FAILED',
    failing_operation: 1,
    error: diagnostic.message,
  };
  await expect(`${transactionText(failed, ended)}\n`).toMatchFileSnapshot(
    'golden/failed-transaction.script.txt',
  );
});

test('CP-117 an incomplete report names what is missing', async () => {
  const open = planned(domain, 'CREATE RELAY r SCHEMA s UNBRANCHED', { allowsIncompleteRun: true });
  const text = transactionText(open.report, { ...standing, accepted_operations: 1 });
  await expect(`${text}\n`).toMatchFileSnapshot('golden/incomplete-transaction.script.txt');
});

test('CP-119 the document, two spaces a level, reads back as an equal one', async () => {
  const document = transactionDocument(report, standing, 2);
  const text = JSON.stringify(document, null, 2);
  expect(JSON.parse(text)).toEqual(document);
  await expect(`${text}\n`).toMatchFileSnapshot('golden/transaction-document.script.txt');
});
