import { RaftError } from '@nervix/consensus';
import type { TransactionDocument } from '@nervix/planner';
import { describe, expect, test } from 'vitest';
import { type Asked, type ControlNode, openWithRelay } from '../support/control-node.ts';
import { drainTimeout } from '../support/drain-timeout.ts';

const X = 'CREATE SCHEMA x (id I64);';
const Q = 'CREATE RELAY q SCHEMA s UNBRANCHED CAPACITY 8;';

/** Everything of the domain that a refusal may have changed. */
function domainOf({ state, dataPlane }: ControlNode) {
  return structuredClone({
    domain: state.domain('d'),
    models: [...state.models('d').values()],
    schedule: state.schedule('d'),
    transactions: state.transactions().map(({ id, state: own, accepted }) => [id, own, accepted]),
    operations: state.transactions().map(({ id }) => state.operations(id)),
    leases: state.leases(),
    running: dataPlane.relaysOf('d'),
    held: dataPlane.held.size,
  });
}

interface Refused {
  readonly query: string;
  readonly asked?: Asked;
}

async function stepsOf(node: ControlNode, id: string) {
  const text = await node.text(`DESCRIBE TRANSACTION '${id}' FORMAT JSON;`);
  return (JSON.parse(text) as TransactionDocument).report.execution_steps;
}

/** Refusals by category, each with what leads to it in a running domain with an open transaction. */
const UNCHANGED: readonly (readonly [
  category: string,
  code: string,
  given: (node: ControlNode, transaction: string) => Refused | Promise<Refused>,
])[] = [
  ['parse', 'PARSE_FAILED', () => ({ query: 'CREATE SCHEMA (;' })],
  [
    'parse, of the second of two',
    'PARSE_FAILED',
    () => ({ query: `BEGIN; ${X} CREATE (; COMMIT;` }),
  ],
  ['request shape', 'REQUEST_SHAPE', () => ({ query: `${X} ${Q}` })],
  ['selection', 'NO_DOMAIN_SELECTED', () => ({ query: X, asked: { domain: null } })],
  ['binding', 'TRANSACTION_STATE', () => ({ query: 'COMMIT;' })],
  [
    'ownership of a transaction',
    'PERMISSION_DENIED',
    (_, transaction) => ({ query: X, asked: { transaction, user: 'bob' } }),
  ],
  [
    'limit',
    'LIMIT_REACHED',
    (_, transaction) => ({ query: 'CREATE SCHEMA z (id I64);', asked: { transaction } }),
  ],
  ['preflight', 'ALREADY_EXISTS', () => ({ query: 'CREATE RELAY r SCHEMA s UNBRANCHED;' })],
  ['preflight of the whole graph', 'IN_USE', () => ({ query: 'DROP SCHEMA s;' })],
  [
    'lease busy',
    'DOMAIN_BUSY',
    async ({ context }) => {
      const reference = '0197a1b2-c3d4-7e5f-8a6b-0123456789ab';
      const owner = { kind: 'command', reference } as const;
      await context.log.write({ put: [{ kind: 'lease', domain: 'd', owner }] });
      return { query: Q };
    },
  ],
  [
    'quiesce failure',
    'QUIESCE_FAILED',
    ({ dataPlane }) => {
      dataPlane.onPrepare = () => drainTimeout('d', ["emitter 'e'"]);
      return { query: Q };
    },
  ],
  [
    'publication failure',
    'LIMIT_REACHED',
    ({ context: { log } }) => {
      const write = log.write.bind(log);
      log.write = async (command) => {
        if (!command.put?.some(({ kind }) => kind === 'model')) return write(command);
        throw new RaftError('RAFT_ENTRY_TOO_LARGE', { bytes: 9, bytesMax: 8 });
      };
      return { query: Q };
    },
  ],
];

async function openRunning() {
  const node = await openWithRelay({ limits: { transactionMaxStatements: 1 } });
  await node.run('START;');
  const transaction = await node.begin();
  await node.run('CREATE SCHEMA y (id I64);', { transaction });
  return { node, transaction };
}

describe('CP-133: what a refusal leaves behind', () => {
  test.each(UNCHANGED)('%s, %s: the domain and its transactions as they were', async (...row) => {
    const [, code, given] = row;
    const { node, transaction } = await openRunning();
    const { query, asked = {} } = await given(node, transaction);
    const before = domainOf(node);
    const error = await node.refuse(query, asked);
    expect(error.code).toBe(code);
    expect(domainOf(node)).toEqual(before);
    expect(error.diagnostics.length, 'CP-132: a failure is told').toBeGreaterThan(0);
  });

  test('a stale preview: nothing, and the same COMMIT goes through with the new basis', async () => {
    const { node, transaction } = await openRunning();
    await node.run(X);
    const before = domainOf(node);
    const { code, current } = await node.refuse('COMMIT;', { transaction });
    expect(code).toBe('PREVIEW_STALE');
    expect(domainOf(node)).toEqual(before);
    if (current === undefined) throw new Error('the refusal names no preview');
    await node.run('COMMIT;', { transaction, expected_preview: current });
    expect(node.state.models('d').has('schema/y')).toBe(true);
  });

  test('a quiesce failure of a commit: nothing of the step, and what was tried is told', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const transaction = await node.begin();
    await node.run(Q, { transaction });
    node.dataPlane.onPrepare = () => drainTimeout('d', ["emitter 'e'"]);
    const { transactions: _, operations: __, ...before } = domainOf(node);
    await node.refuse('COMMIT;', { transaction });
    expect(domainOf(node)).toMatchObject(before);
    const [step] = await stepsOf(node, transaction);
    expect(step?.actual.quiescence[0]?.outcomes.map(({ kind }) => kind).slice(0, 2)).toEqual([
      'REQUESTED',
      'FAILED',
    ]);
  });

  test('an activation failure: the effect, while what ran goes on', async () => {
    const { node } = await openRunning();
    node.dataPlane.onInstall = ({ relays }) =>
      relays.some(({ name }) => name === 'q') ? 'no memory' : undefined;
    const { code } = await node.refuse(Q);
    expect(code).toBe('ACTIVATION_FAILED');
    expect(node.state.models('d').has('relay/q')).toBe(true);
    expect(domainOf(node)).toMatchObject({ running: ['r'], held: 0, leases: [] });
  });
});
