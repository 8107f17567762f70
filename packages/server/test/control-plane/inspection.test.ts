import { parseStatement } from '@nervix/nspl-parser';
import type { TransactionDocument } from '@nervix/planner';
import { describe, expect, test } from 'vitest';
import { listTransactions } from '../../src/control-plane/reads/list-transactions.ts';
import { type ControlNode, openWithRelay } from '../support/control-node.ts';
import { drainTimeout } from '../support/drain-timeout.ts';

const X = 'CREATE SCHEMA x (id I64);';
const Q = 'CREATE RELAY q SCHEMA s UNBRANCHED CAPACITY 8;';

async function opened(node: ControlNode, ...statements: readonly string[]): Promise<string> {
  const transaction = await node.begin();
  for (const statement of statements) await node.run(statement, { transaction });
  return transaction;
}

async function documentOf(node: ControlNode, query: string): Promise<TransactionDocument> {
  const { message, inspection } = await node.run(query);
  const document = JSON.parse(message) as TransactionDocument;
  expect(inspection, 'CP-119: the text is the typed envelope').toEqual(document);
  return document;
}

describe('DESCRIBE TRANSACTION', () => {
  test('CP-117: prints the whole report of an open transaction', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const transaction = await opened(node, X, 'STOP;');
    const text = await node.text('DESCRIBE TRANSACTION;', { transaction });
    const basis = node.state.transaction(transaction)?.preview?.basis;
    expect(text).toBe(
      [
        `transaction: ${transaction}`,
        'domain: d',
        'state: OPEN',
        'operations: 2 accepted, 0 applied, 2 pending',
        'report: COMPLETE',
        `planning basis: ${basis}`,
        'quiesce level: DYNAMIC',
        'pause: NO_PAUSE',
        'operation 1: CREATE_CONFIGURATION kind=schema name=x',
        '  execution step: 1',
        '  reason: CONFIGURATION kind=schema name=x aspect=ENTITY_CREATED',
        'operation 2: STOP_DOMAIN domain=d',
        '  execution step: 2',
        '  reason: DOMAIN_STOP',
        'execution step 1: planned DYNAMIC, actual DYNAMIC, outcome UNATTEMPTED',
        '  pause: NO_PAUSE',
        '  effect: configuration CREATED kind=schema name=x operations=1',
        '  effect: topology before nodes=0 edges=0 after nodes=1 edges=0',
        'execution step 2: planned DYNAMIC, actual DYNAMIC, outcome UNATTEMPTED',
        '  pause: NO_PAUSE',
        '  effect: lifecycle STOP domain=d operations=2',
        '  effect: activation DEACTIVATE kind=relay name=r branches=UNBRANCHED operations=2',
      ].join('\n'),
    );
  });

  test('CP-114, CP-43: it changes nothing of the transaction and records nothing', async () => {
    const node = await openWithRelay();
    const transaction = await opened(node, X);
    const [record, references] = [node.state.transaction(transaction), node.state.referenceCount];
    node.clock.nowMs += 1_000;
    const execution_reference = node.reference();
    for (const asked of [{ transaction, execution_reference }, { execution_reference }]) {
      const outcome = await node.run(`DESCRIBE TRANSACTION '${transaction}';`, asked);
      expect(outcome.transaction?.id, 'the status is that of the request').toBe(
        'transaction' in asked ? transaction : undefined,
      );
    }
    expect(node.state.transaction(transaction)).toEqual(record);
    expect(node.state.referenceCount).toBe(references);
  });

  test('CP-115: an open transaction is planned when it is asked about', async () => {
    const node = await openWithRelay();
    const transaction = await opened(node, Q);
    const query = `DESCRIBE TRANSACTION '${transaction}' FORMAT JSON;`;
    const first = await documentOf(node, query);
    expect(await documentOf(node, query), 'equal inputs').toEqual(first);
    await node.run('START;');
    const second = await documentOf(node, query);
    expect(second.report.planning_basis).not.toBe(first.report.planning_basis);
    expect(first.report.summary.pause.kind).toBe('NO_PAUSE');
    expect(second.report.summary.pause.kind).toBe('DOMAIN');
  });

  test('CP-115, CP-106: a commit under way shows what its steps have recorded so far', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const transaction = await opened(node, X, 'STOP;', 'START;', Q);
    const installing = Promise.withResolvers<void>();
    const installed = Promise.withResolvers<undefined>();
    node.dataPlane.onInstall = (plan) => {
      if (!plan.relays.some(({ name }) => name === 'q')) return undefined;
      installing.resolve();
      return installed.promise;
    };
    const commit = node.run('COMMIT;', { transaction });
    await installing.promise;
    const { transaction: standing, report } = await documentOf(
      node,
      `DESCRIBE TRANSACTION '${transaction}' FORMAT JSON;`,
    );
    expect(standing).toMatchObject({ state: 'COMMITTING', applied_operations: 4 });
    expect(report.execution_steps.map(({ actual }) => actual.outcome.status)).toEqual([
      'APPLIED',
      'APPLIED',
      'APPLIED',
      'APPLYING',
    ]);
    expect(report.execution_steps[3]?.actual.quiescence).toEqual([
      {
        requirement: { kind: 'DOMAIN', domain: 'd' },
        outcomes: [{ kind: 'REQUESTED' }, { kind: 'CONFIRMED' }],
      },
    ]);
    expect(await node.text('DESCRIBE DOMAIN;')).toContain('status: paused');
    installed.resolve(undefined);
    await commit;
    expect(await node.text('DESCRIBE DOMAIN;')).toContain('status: running');
  });

  test('CP-117, CP-107: what was held stands in the text, with what came of it', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const transaction = await opened(node, Q);
    await node.run('COMMIT;', { transaction });
    const text = await node.text(`DESCRIBE TRANSACTION '${transaction}';`);
    expect(text).toContain('operations: 1 accepted, 1 applied, 0 pending');
    expect(text).toContain(
      'execution step 1: planned DOMAIN_PAUSE, actual DOMAIN_PAUSE, outcome APPLIED',
    );
    expect(text).toContain('  quiescence: DOMAIN domain=d REQUESTED, CONFIRMED, RELEASED');
  });

  test('CP-107, CP-105: a pause that failed held nothing, and says why', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const transaction = await opened(node, Q);
    node.dataPlane.onPrepare = () => drainTimeout('d', ["emitter 'e'"]);
    const error = await node.refuse('COMMIT;', { transaction });
    expect(error.message).toMatch(/^timed out draining domain 'd'.*; quiesce level: DYNAMIC$/);
    expect(node.state.domain('d')).not.toHaveProperty('pausedBy');
    const text = await node.text(`DESCRIBE TRANSACTION '${transaction}';`);
    expect(text).toContain('planned DOMAIN_PAUSE, actual DYNAMIC, outcome FAILED');
    expect(text).toContain("REQUESTED, FAILED (timed out draining domain 'd': pending_node=n1, ");
    expect(text).toContain("  failure: kind=QUIESCENCE operation=1 timed out draining domain 'd'");
    expect(node.state.models('d').has('relay/q')).toBe(false);
  });

  test('CP-118: a selected operation leads with its step, and nothing is left out', async () => {
    const node = await openWithRelay();
    const transaction = await opened(node, X, 'START;', Q);
    const whole = await node.text('DESCRIBE TRANSACTION;', { transaction });
    const led = await node.text('DESCRIBE TRANSACTION OPERATION 3;', { transaction });
    const rest = led
      .split('\n')
      .filter((line) => !/^( {2}contribution: |inspected operation: 3$)/.test(line));
    expect(rest.sort()).toEqual(whole.split('\n').sort());
    expect(led.indexOf('operation 3:')).toBeLessThan(led.indexOf('operation 1:'));
    expect(led).toContain('  contribution: configuration CREATED kind=relay name=q operations=3');
  });
});

describe('CP-116: refusals of an inspection, in order', () => {
  test.each<[string, string, (node: ControlNode, transaction: string) => Promise<string | null>]>([
    [
      'NO_ATTACHED_TRANSACTION',
      'no transaction is attached to this session',
      async () => 'DESCRIBE TRANSACTION OPERATION 9;',
    ],
    [
      'TRANSACTION_NOT_FOUND',
      "transaction 'nothing' is unknown",
      async () => "DESCRIBE TRANSACTION 'nothing' OPERATION 9;",
    ],
    ['NOT_OWNER', "transaction '<id>' belongs to another user", async () => null],
    [
      'REPORT_UNAVAILABLE',
      "transaction '<id>' ended before any operation was planned, so it retains no report",
      async (node) => {
        const empty = await node.begin();
        await node.run('REVERT;', { transaction: empty });
        return `DESCRIBE TRANSACTION '${empty}' OPERATION 9;`;
      },
    ],
    [
      'REPORT_UNAVAILABLE',
      "transaction '<id>' cannot be planned from a coherent basis right now: " +
        "operation 1: model 'x' already exists in domain 'd'; " +
        "transaction '<id>' accepted 1 operation(s), so operation 9 does not exist",
      async (node, transaction) => {
        await node.run(X);
        return `DESCRIBE TRANSACTION '${transaction}' OPERATION 9;`;
      },
    ],
    [
      'OPERATION_NOT_FOUND',
      "transaction '<id>' accepted 1 operation(s), so operation 9 does not exist",
      async (_node, transaction) => `DESCRIBE TRANSACTION '${transaction}' OPERATION 9;`,
    ],
  ])('%s: %s', async (code, message, arrange) => {
    const node = await openWithRelay();
    const transaction = await opened(node, X);
    const query = await arrange(node, transaction);
    const error =
      query === null
        ? await node.refuse(`DESCRIBE TRANSACTION '${transaction}' OPERATION 9;`, { user: 'bob' })
        : await node.refuse(query);
    const asked = /TRANSACTION '([^']+)'/.exec(query ?? '')?.[1] ?? transaction;
    expect([error.code, error.message]).toEqual([code, message.replaceAll('<id>', asked)]);
  });

  test('a store that lost a part of the report says so', async () => {
    const node = await openWithRelay();
    const transaction = await opened(node, X);
    await node.run('REVERT;', { transaction });
    const remove = [...node.state.contents(transaction).keys()].map(
      (digest) => `content/${transaction}/${digest}`,
    );
    await node.context.log.write({ remove });
    expect((await node.refuse(`DESCRIBE TRANSACTION '${transaction}';`)).message).toBe(
      `transaction '${transaction}' retains no readable revision of the report its commit admitted`,
    );
  });

  test('CP-116: what conflicts at present is told with its operation, in every form', async () => {
    const node = await openWithRelay();
    const id = await opened(node, X, 'ALTER RELAY r SET CAPACITY 8;');
    await node.run('DROP RELAY r;');
    const message =
      `transaction '${id}' cannot be planned from a coherent basis right now: ` +
      "operation 2: model 'r' does not exist in domain 'd'";
    for (const form of ['', ' OPERATION 1', ' FORMAT JSON']) {
      const error = await node.refuse(`DESCRIBE TRANSACTION '${id}'${form};`);
      expect([error.code, error.message]).toEqual(['REPORT_UNAVAILABLE', message]);
      expect(error.diagnostics).toEqual([
        {
          message: "model 'r' does not exist in domain 'd'",
          operation: 2,
          operation_span: { start: 12, end: 13 },
        },
      ]);
    }
    const beyond = await node.refuse(`DESCRIBE TRANSACTION '${id}' OPERATION 99;`);
    const absent = `transaction '${id}' accepted 2 operation(s), so operation 99 does not exist`;
    expect([beyond.code, beyond.message]).toEqual(['REPORT_UNAVAILABLE', `${message}; ${absent}`]);
    expect(beyond.diagnostics.at(-1)).toEqual({ message: absent });
    // What stood in the way goes away.
    await node.run('CREATE RELAY r SCHEMA s UNBRANCHED;');
    expect(await node.text(`DESCRIBE TRANSACTION '${id}';`)).toContain('report: COMPLETE');
  });

  test('CP-52: with any other statement nothing of the request runs', async () => {
    const node = await openWithRelay();
    const transaction = await opened(node, X);
    const error = await node.refuse(`${Q} DESCRIBE TRANSACTION;`, { transaction });
    expect([error.code, error.message]).toEqual([
      'REQUEST_SHAPE',
      expect.stringMatching(/^DESCRIBE TRANSACTION and SHOW TRANSACTIONS must be executed sep/),
    ]);
    expect(node.state.transaction(transaction)?.accepted).toBe(1);
  });
});

describe('EXPLAIN', () => {
  test('CP-138: plans a statement as the node would run it, and does nothing', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const references = node.state.referenceCount;
    const text = await node.text(`EXPLAIN ${Q}`);
    expect(text.split('\n').slice(0, 4)).toEqual([
      'statement: CREATE RELAY',
      'domain: d',
      'state: PLANNED',
      'report: COMPLETE',
    ]);
    expect(text).toContain('quiesce level: DOMAIN_PAUSE');
    expect(node.state.models('d').has('relay/q')).toBe(false);
    expect(node.state.referenceCount).toBe(references);
    node.context.locks.acquire('d', "command 'c'");
    expect(await node.text(`EXPLAIN ${Q}`)).toBe(text);
  });

  test('CP-138: its document has no transaction but the canonical statement', async () => {
    const node = await openWithRelay();
    const { message, inspection } = await node.run(`EXPLAIN FORMAT JSON ${Q}`);
    const document = JSON.parse(message) as Record<string, unknown>;
    expect(document).toEqual(inspection);
    expect(document).toMatchObject({ transaction: null, operation: null });
    const printed = parseStatement(String(document['statement']));
    expect(printed.kind === 'parsed' && printed.parsed.statement.kind).toBe('create_model');
  });

  test('CP-138: what cannot be planned is refused as the statement would be', async () => {
    const node = await openWithRelay();
    const query = 'EXPLAIN CREATE RELAY r SCHEMA s UNBRANCHED;';
    const error = await node.refuse(query);
    expect([error.code, error.message]).toEqual([
      'ALREADY_EXISTS',
      "model 'r' already exists in domain 'd'",
    ]);
    const { start = 0, end = 0 } = error.diagnostics[0]?.span ?? {};
    expect(query.slice(start, end)).toBe('r');
    expect((await node.refuse(`EXPLAIN ${Q}`, { domain: null })).code).toBe('NO_DOMAIN_SELECTED');
  });
});

describe('EXPLAIN of a move', () => {
  test.each(['RELOCATE RELAY r ONTO NODE n1 FOLLOW PREFERENCES;', 'REBALANCE;'])(
    'CP-138: %s prints what its own DESCRIBE prints',
    async (statement) => {
      const node = await openWithRelay();
      const described = statement
        .replace('RELOCATE', 'DESCRIBE RELOCATION')
        .replace('REBALANCE', 'DESCRIBE REBALANCE');
      expect(await node.text(`EXPLAIN ${statement}`)).toBe(await node.text(described));
    },
  );
});

describe('SHOW TRANSACTIONS', () => {
  test('CP-120, CP-44: every live transaction and tombstone, by id, with its progress', async () => {
    const node = await openWithRelay();
    expect(await node.text('SHOW TRANSACTIONS;')).toBe('no transactions');
    const first = await opened(node, X, Q);
    node.clock.nowMs += 65_000;
    const second = await opened(node, X);
    await node.run('COMMIT;', { transaction: second });
    expect((await node.text('SHOW TRANSACTIONS;')).split('\n')).toEqual([
      `id=${first} owner=ada domain=d state=OPEN pending=2 progress=0/2 age=1m 5s idle=1m 5s`,
      `id=${second} owner=ada domain=d state=COMMITTED pending=0 progress=1/1 age=0s idle=0s`,
    ]);
  });

  test('CP-43: an overdue one is expired in every list, swept or not', async () => {
    const node = await openWithRelay();
    const id = await opened(node, X);
    node.clock.nowMs += 900_000;
    expect(node.state.transaction(id)?.state).toBe('OPEN');
    expect(await node.text('SHOW TRANSACTIONS;')).toBe(
      `id=${id} owner=ada domain=d state=EXPIRED pending=0 progress=0/1 age=15m idle=15m`,
    );
    const [listed] = listTransactions(node.state, node.clock.nowMs);
    expect(listed).toMatchObject({ id, state: 'Expired' });
    expect(await node.text(`DESCRIBE TRANSACTION '${id}';`)).toContain('EXPIRED');
  });
});
