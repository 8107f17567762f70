import type { CommandOutcome, ErrorBody, PreviewIdentity } from '@nervix/protocol';
import { describe, expect, test } from 'vitest';
import { type ControlNode, openWithRelay, until } from '../support/control-node.ts';
import { CrashPoint } from '../support/crash-point.ts';
import { WriteGate } from '../support/write-gate.ts';

const X = 'CREATE SCHEMA x (id I64);';
const Y = 'CREATE SCHEMA y (id I64);';
const UNRELATED = 'CREATE SCHEMA unrelated (id I64);';

/** The preview that an accepted append was answered with. */
function previewOf({ transaction_admission }: CommandOutcome): PreviewIdentity {
  if (transaction_admission === undefined) throw new Error('nothing was appended');
  return transaction_admission.preview;
}

async function opened(node: ControlNode, ...statements: readonly string[]) {
  const transaction = await node.begin();
  let preview: PreviewIdentity | undefined;
  for (const statement of statements) {
    preview = previewOf(await node.run(statement, { transaction }));
  }
  if (preview === undefined) throw new Error('nothing was appended');
  return { transaction, preview };
}

function expectWritten({ transaction_id, position, planning_basis }: PreviewIdentity): string {
  return `COMMIT EXPECT '${transaction_id}' POSITION ${position} BASIS '${planning_basis}';`;
}

function identities({ expected, current }: ErrorBody['error']) {
  return { expected, current };
}

describe('identity of a preview', () => {
  test('CP-59, CP-56: an append is answered with its number and the preview of the whole', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    const first = await node.run(X, { transaction });
    const second = await node.run(Y, { transaction });
    expect(first.transaction_admission).toEqual({
      operation: 1,
      preview: {
        transaction_id: transaction,
        position: 1,
        planning_basis: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    expect(second.transaction_admission).toEqual({
      operation: 2,
      preview: { ...previewOf(first), position: 2 },
    });
  });

  test('CS-93, CP-40, CP-55: one write stores statement, place, result and report', async () => {
    const point = new CrashPoint();
    const node = await openWithRelay({ intercept: point.intercept });
    const transaction = await node.begin();
    const execution_reference = node.reference();
    // The write behind the append's own does not come.
    point.arm(2, false);
    await node.run(X, { transaction, execution_reference });
    expect(point.isReached).toBe(false);
    const record = node.state.transaction(transaction);
    expect(record).toMatchObject({
      owner: { user: 'ada' },
      domain: 'd',
      state: 'OPEN',
      accepted: 1,
      preview: { position: 1, basis: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(node.state.operations(transaction)).toMatchObject([
      {
        number: 1,
        text: X,
        statement: { kind: 'create_model', model: { kind: 'schema', name: 'x' } },
        reference: execution_reference,
        message: 'quiesce level: DYNAMIC',
        alreadyExisted: false,
      },
    ]);
    for (const digest of record?.preview?.report ?? ['none']) {
      expect(node.state.contents(transaction).has(digest)).toBe(true);
    }
  });

  test('CP-54: an exact repetition is answered with the stored admission, whatever changed', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    const asked = { transaction, execution_reference: node.reference() };
    const first = await node.run(X, asked);
    await node.run(UNRELATED);
    expect((await node.run(X, asked)).transaction_admission).toEqual(first.transaction_admission);
  });

  test.each<[string, (node: ControlNode) => Promise<unknown>]>([
    ['a model of the domain', (node) => node.run(UNRELATED)],
    ['the schedule', (node) => node.run('CREATE RELAY other SCHEMA s UNBRANCHED;')],
    ['the status', (node) => node.run('START;')],
    ['the default policy', (node) => node.run('ALTER DOMAIN SET PLACEMENT PREFER COLOCATION;')],
    ['a cordon', (node) => node.run('CORDON NODE n1;')],
    [
      'an incarnation',
      async (node) => {
        const incarnation = { admitted: 'i2', observed: 'i2' };
        node.members = [{ name: 'n1', isLive: true, isTerminating: false, incarnation }];
      },
    ],
    [
      'a member',
      async (node) => {
        node.members = [...node.members, { name: 'n2', isLive: true, isTerminating: false }];
      },
    ],
  ])('CP-66, CP-65: %s that changes makes it stale', async (_name, change) => {
    const node = await openWithRelay();
    const { transaction, preview } = await opened(node, X);
    await change(node);
    const error = await node.refuse('COMMIT;', { transaction });
    expect(error.code).toBe('PREVIEW_STALE');
    expect(error.expected).toEqual(preview);
    expect(error.current).toMatchObject({ transaction_id: transaction, position: 1 });
    expect(error.current?.planning_basis).not.toBe(preview.planning_basis);
  });

  test.each<[string, (node: ControlNode) => Promise<unknown>]>([
    ['another domain', (node) => node.run('CREATE DOMAIN e;')],
    ['another transaction', async (node) => opened(node, Y)],
    ['a user', (node) => node.run("CREATE USER bob WITH PASSWORD 'p';")],
    [
      'a change that was taken back',
      async (node) => {
        await node.run(UNRELATED);
        await node.run('DROP SCHEMA unrelated;');
      },
    ],
  ])('CP-66: %s leaves it fresh', async (_name, change) => {
    const node = await openWithRelay();
    const { transaction } = await opened(node, X);
    await change(node);
    expect(await node.text('COMMIT;', { transaction })).toBe('quiesce level: DYNAMIC');
  });
});

describe('a stale preview', () => {
  test('CP-64, CP-133: refuses the COMMIT, changes nothing but the stored preview', async () => {
    const node = await openWithRelay();
    const { transaction, preview } = await opened(node, X, 'START;');
    await node.run(UNRELATED);
    const before = node.state.transaction(transaction);
    const offered = node.dataPlane.offered.length;
    const error = await node.refuse('COMMIT;', { transaction });
    expect([error.code, error.message]).toEqual([
      'PREVIEW_STALE',
      `transaction '${transaction}' was planned from different inputs before this commit; ` +
        'it still holds 2 accepted operation(s) and nothing was applied',
    ]);
    expect(error.transaction).toMatchObject({ state: 'Open', applied_operations: 0 });
    const { preview: stored, ...rest } = node.state.transaction(transaction) ?? {};
    const { preview: former, ...unchanged } = before ?? {};
    expect(rest).toEqual(unchanged);
    expect(former?.basis).toBe(preview.planning_basis);
    expect([stored?.position, stored?.basis]).toEqual([2, error.current?.planning_basis]);
    expect(node.dataPlane.offered).toHaveLength(offered);
    expect(node.state.domain('d')?.status).toBe('stopped');
  });

  test('CP-65: a plain COMMIT is refused once; under a new reference it commits', async () => {
    const node = await openWithRelay();
    const { transaction } = await opened(node, X);
    await node.run(UNRELATED);
    const asked = { transaction, execution_reference: node.reference() };
    const first = await node.refuse('COMMIT;', asked);
    expect(await node.refuse('COMMIT;', asked), 'the old reference keeps its refusal').toEqual(
      first,
    );
    expect(await node.text('COMMIT;', { transaction })).toBe('quiesce level: DYNAMIC');
    expect(await node.refuse('COMMIT;', asked)).toMatchObject(identities(first));
  });

  test('CP-65, CP-62: whoever keeps naming its old preview is refused every time', async () => {
    const node = await openWithRelay();
    const { transaction, preview } = await opened(node, X);
    await node.run(UNRELATED);
    for (const ask of [
      () => node.refuse(expectWritten(preview), { transaction }),
      () => node.refuse('COMMIT;', { transaction, expected_preview: preview }),
      () => node.refuse('COMMIT;', { transaction, expected_preview: preview }),
    ]) {
      const error = await ask();
      expect([error.code, error.expected]).toEqual(['PREVIEW_STALE', preview]);
    }
    const { diagnostics } = await node.refuse('COMMIT;', {
      transaction,
      expected_preview: preview,
    });
    const [commit] =
      /COMMIT EXPECT \S+ POSITION 1 BASIS \S+/.exec(diagnostics[0]?.hint ?? '') ?? [];
    await node.run(commit ?? 'the refusal tells no way on', { transaction });
    expect(node.state.models('d').has('schema/x')).toBe(true);
  });

  test('CP-139, CP-66, CP-71: another feature level makes it stale', async () => {
    const node = await openWithRelay();
    const { transaction, preview } = await opened(node, X);
    node.activateLevel(2);
    const error = await node.refuse(expectWritten(preview), { transaction });
    expect([error.code, error.expected]).toEqual(['PREVIEW_STALE', preview]);
    expect(error.current?.planning_basis).not.toBe(preview.planning_basis);
    if (error.current === undefined) throw new Error('the refusal tells no way on');
    await node.run(expectWritten(error.current), { transaction });
    expect(node.state.models('d').has('schema/x')).toBe(true);
  });

  test('CP-64: another position is told as such', async () => {
    const node = await openWithRelay();
    const { transaction, preview } = await opened(node, X);
    await node.run(Y, { transaction });
    const error = await node.refuse(expectWritten(preview), { transaction });
    expect(error.message).toBe(
      `transaction '${transaction}' moved from 1 to 2 accepted operation(s) before this commit; ` +
        'nothing was applied',
    );
    expect(error.current).toEqual({ ...preview, position: 2 });
  });

  test('CP-64: where nothing can be planned any more, that is the refusal', async () => {
    const node = await openWithRelay();
    const { transaction, preview } = await opened(node, X);
    await node.run(X);
    const error = await node.refuse('COMMIT;', { transaction });
    expect([error.code, error.message]).toEqual([
      'ALREADY_EXISTS',
      "transaction operation 1 failed: model 'x' already exists in domain 'd'",
    ]);
    expect(node.state.transaction(transaction)).toMatchObject({
      state: 'OPEN',
      preview: { basis: preview.planning_basis },
    });
  });

  test('CP-64, CP-67: a refreshed preview may be incomplete, its COMMIT ends it', async () => {
    const node = await openWithRelay();
    const { transaction } = await opened(node, 'CREATE RELAY q SCHEMA late UNBRANCHED;');
    await node.run(UNRELATED);
    expect((await node.refuse('COMMIT;', { transaction })).code).toBe('PREVIEW_STALE');
    const error = await node.refuse('COMMIT;', { transaction });
    expect([error.code, error.transaction?.state]).toEqual(['NOT_FOUND', 'Failed']);
    const text = await node.text(`DESCRIBE TRANSACTION '${transaction}';`);
    expect(text).toContain('state: FAILED\nfailing operation: 1\n');
    expect(text).toContain(
      "report: INCOMPLETE\n- kind=PLANNING operation=1 model 'q' in domain 'd' requires missing " +
        "schema 'late'",
    );
  });

  test('CP-64: a crash between refusal and answer commits nothing that nobody saw', async () => {
    for (const isDurable of [false, true]) {
      const point = new CrashPoint();
      const node = await openWithRelay({ intercept: point.intercept });
      const { transaction } = await opened(node, X);
      await node.run(UNRELATED);
      const asked = { transaction, execution_reference: node.reference() };
      point.arm(1, isDurable);
      await node.execute('COMMIT;', asked);
      const restarted = await node.restart();
      const error = await restarted.refuse('COMMIT;', asked);
      expect([error.code, error.transaction?.state]).toEqual(['PREVIEW_STALE', 'Open']);
      expect(restarted.state.models('d').has('schema/x')).toBe(false);
    }
  });
});

describe('what a COMMIT names', () => {
  test('CP-62: the statement and the field must agree', async () => {
    const node = await openWithRelay();
    const { transaction, preview } = await opened(node, X);
    const expected_preview = { ...preview, position: 7 };
    const error = await node.refuse(expectWritten(preview), { transaction, expected_preview });
    expect(error.code).toBe('INVALID_REQUEST');
    expect(node.state.transaction(transaction)?.state).toBe('OPEN');
    await node.run(expectWritten(preview), { transaction, expected_preview: preview });
  });

  test('CP-135: a position that no number holds is refused, not rounded', async () => {
    const node = await openWithRelay();
    const { transaction, preview } = await opened(node, X);
    const commit = expectWritten(preview).replace('POSITION 1', 'POSITION 9007199254740993');
    expect((await node.refuse(commit, { transaction })).code).toBe('INVALID_REQUEST');
    const query = `DESCRIBE TRANSACTION '${transaction}' OPERATION 9007199254740993;`;
    expect((await node.refuse(query)).message).toContain('operation 9007199254740993 does not');
  });

  test('CP-62: it fences no transaction that its request began or appended to', async () => {
    const node = await openWithRelay();
    const { transaction, preview } = await opened(node, X);
    await node.run(`${Y} ${expectWritten(preview)}`, { transaction, expected_preview: preview });
    expect(node.state.models('d').has('schema/y')).toBe(true);
    await node.run(`BEGIN; ${UNRELATED} ${expectWritten(preview)}`);
  });

  test('CP-61, CP-110: a transaction that has ended answers again, whatever is named', async () => {
    const node = await openWithRelay();
    const { transaction, preview } = await opened(node, X);
    const first = await node.run(expectWritten(preview), { transaction });
    await node.run(UNRELATED);
    const again = await node.run(expectWritten(preview), { transaction });
    expect(again.message).toBe(first.message);
  });

  test('CP-110, CP-64: a commit that is refused takes none with it that expects another', async () => {
    const gate = new WriteGate();
    const node = await openWithRelay({ intercept: gate.intercept });
    const { transaction, preview } = await opened(node, X);
    await node.run(UNRELATED);
    const { current } = await node.refuse('COMMIT;', { transaction, expected_preview: preview });
    if (current === undefined) throw new Error('the refusal names no preview');
    gate.shut();
    const stale = node.refuse('COMMIT;', { transaction, expected_preview: preview });
    await until(() => gate.isReached);
    const fresh = node.run('COMMIT;', { transaction, expected_preview: current });
    const again = node.refuse('COMMIT;', { transaction, expected_preview: preview });
    gate.open();
    expect((await stale).code).toBe('PREVIEW_STALE');
    expect((await again).code).toBe('PREVIEW_STALE');
    expect((await fresh).message).toBe('quiesce level: DYNAMIC');
    expect(node.state.models('d').has('schema/x')).toBe(true);
  });

  test('CP-63: inputs that race the admission are captured anew, and refuse it', async () => {
    const gate = new WriteGate();
    const node = await openWithRelay({ intercept: gate.intercept });
    const { transaction } = await opened(node, X);
    gate.shut();
    const cordon = node.run('CORDON NODE n1;');
    await until(() => gate.isReached);
    const commit = node.refuse('COMMIT;', { transaction });
    gate.open();
    await cordon;
    expect((await commit).code).toBe('PREVIEW_STALE');
    expect(node.state.transaction(transaction)?.state).toBe('OPEN');
  });
});

describe('what is kept', () => {
  test('CP-44, CP-69: the report of an ended transaction outlives what it changed, then goes', async () => {
    const node = await openWithRelay();
    const { transaction } = await opened(node, X);
    await node.run('COMMIT;', { transaction });
    const text = await node.text(`DESCRIBE TRANSACTION '${transaction}';`);
    await node.run('DROP SCHEMA x;');
    expect(await node.text(`DESCRIBE TRANSACTION '${transaction}';`)).toBe(text);
    const restarted = await node.restart();
    expect(await restarted.text(`DESCRIBE TRANSACTION '${transaction}';`)).toBe(text);
    expect(restarted.state.contents(transaction).size).toBeGreaterThan(0);
    await restarted.run('DROP DOMAIN d CASCADE;');
    expect(restarted.state.contents(transaction).size).toBe(0);
  });

  test('CP-69: equal graphs of one transaction are stored once, former revisions go', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    const { transaction } = await opened(node, 'CREATE RELAY q SCHEMA s UNBRANCHED;');
    const size = node.state.contents(transaction).size;
    for (const name of ['a', 'b', 'c', 'e']) {
      await node.run(`CREATE IF NOT EXISTS RELAY q SCHEMA s UNBRANCHED CAPACITY 4;`, {
        transaction,
      });
      await node.run(`CREATE SCHEMA ${name} (id I64);`, { transaction });
    }
    expect(node.state.contents(transaction).size).toBe(size);
  });

  test('CP-137: a text is kept for display without the secrets that the statement holds', async () => {
    const node = await openWithRelay();
    const client =
      "CREATE CLIENT c TYPE HTTP CONFIG {'endpoint' = 'http://h', 'token' = 'canary'};";
    const { transaction } = await opened(node, client);
    const [operation] = node.state.operations(transaction);
    expect(operation?.text).toContain('<redacted>');
    expect(operation?.text).not.toContain('canary');
    await node.run('COMMIT;', { transaction });
    expect(await node.text('SHOW CREATE CLIENT c WITH SECRETS;')).toContain('canary');
    expect(await node.text(`DESCRIBE TRANSACTION '${transaction}' FORMAT JSON;`)).not.toContain(
      'canary',
    );
  });
});
