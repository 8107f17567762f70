import { describe, expect, test } from 'vitest';
import { newReference, referenceTimeMs } from '../../src/control-plane/execution-reference.ts';
import {
  type ControlNode,
  openControlNode,
  openWithRelay,
  START_MS,
  until,
} from '../support/control-node.ts';
import { WriteGate } from '../support/write-gate.ts';

const CREATE = 'CREATE SCHEMA x (id I64);';

describe('the reference itself', () => {
  test('CP-10: a new one is a UUIDv7 of its time', () => {
    const reference = newReference(START_MS);
    expect(reference).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(referenceTimeMs(reference)).toBe(START_MS);
    expect(newReference(START_MS)).not.toBe(reference);
    expect(referenceTimeMs(newReference(0))).toBe(0);
    expect(referenceTimeMs(newReference(2 ** 48 - 1))).toBe(2 ** 48 - 1);
  });

  test.each([
    ['', undefined],
    ['not a reference', undefined],
    ['0196aa00-0000-4000-8000-000000000000', undefined],
    ['0196aa00-0000-7000-c000-000000000000', undefined],
    ['0196AA00-0000-7000-8000-00000000000A', 0x0196aa000000],
    [' 0196aa00-0000-7000-8000-000000000000', undefined],
  ])('CP-10: %j has the time %s', (text, time) => {
    expect(referenceTimeMs(text)).toBe(time);
  });

  test('CP-10: one that is no UUIDv7 is refused and stays usable for nothing', async () => {
    const node = await openWithRelay();
    const error = await node.refuse(CREATE, { execution_reference: 'abc' });
    expect([error.code, error.message]).toEqual([
      'INVALID_REQUEST',
      'the execution reference must be a UUIDv7',
    ]);
    expect(node.state.models('d').size).toBe(2);
  });

  test('CP-10: letter case makes no difference', async () => {
    const node = await openWithRelay();
    const reference = node.reference();
    const first = await node.run(CREATE, { execution_reference: reference.toUpperCase() });
    expect(first.execution_reference).toBe(reference);
    expect((await node.run(CREATE, { execution_reference: reference })).origin).toBe('Recovered');
  });
});

describe('repetition', () => {
  test('CP-12: answers with the first outcome, which alone had an effect', async () => {
    const node = await openWithRelay();
    const execution_reference = node.reference();
    const first = await node.run(CREATE, { execution_reference });
    const revision = node.context.log.status().revision;
    const second = await node.run(CREATE, { execution_reference });
    expect(first.origin).toBe('Executed');
    expect(second).toEqual({ ...first, origin: 'Recovered' });
    expect(node.context.log.status().revision).toBe(revision);
  });

  test('CP-11: spelling of an ordinary command does not count, its meaning does', async () => {
    const node = await openWithRelay();
    const execution_reference = node.reference();
    await node.run(CREATE, { execution_reference });
    const again = await node.run('create  schema X\n(ID i64)', { execution_reference });
    expect(again.origin).toBe('Recovered');
    const other = await node.refuse('CREATE SCHEMA x (id I32);', { execution_reference });
    expect(other.message).toBe(
      `execution reference '${execution_reference}' was already used with another content`,
    );
  });

  test.each([
    ['a refusal', 'CREATE RELAY r SCHEMA s UNBRANCHED CAPACITY 8;', 'DROP RELAY r;'],
    ['a busy domain', CREATE, undefined],
  ])('CP-144: %s is the outcome too', async (_name, statement, mends) => {
    const node = await openWithRelay();
    const execution_reference = node.reference();
    if (mends === undefined) node.context.locks.acquire('d', "command 'other'");
    const first = await node.refuse(statement, { execution_reference });
    if (mends === undefined) node.context.locks.release('d');
    else await node.run(mends);
    expect(await node.refuse(statement, { execution_reference })).toEqual(first);
    // Under a reference of its own the same statement is possible by now.
    await node.run(statement);
  });

  test.each([
    ['CREATE IF NOT EXISTS DOMAIN d;', "domain 'd' already exists"],
    ["CREATE IF NOT EXISTS USER ada WITH PASSWORD 'p';", "user 'ada' already exists"],
    ['CREATE IF NOT EXISTS SCHEMA s (a I64);', "model 's' already exists in domain 'd'"],
  ])('CP-144: what existed already is recorded as well: %s', async (statement, text) => {
    const node = await openWithRelay();
    await node.run("CREATE USER ada WITH PASSWORD 'q';");
    const execution_reference = node.reference();
    const first = await node.run(statement, { execution_reference });
    expect(first).toMatchObject({
      message: text,
      origin: 'Executed',
      disposition: { t: 'CommandCompleted', already_existed: true },
    });
    const second = await node.run(statement, { execution_reference });
    expect(second).toEqual({ ...first, origin: 'Recovered' });
    const changed = `${statement.slice(0, -1).replace('IF NOT EXISTS ', '')};`;
    const conflict = await node.refuse(changed, { execution_reference });
    expect(conflict.code).toBe('EXECUTION_REFERENCE_CONFLICT');
  });

  test('CP-144: a malformed request settles nothing, so its reference stays usable', async () => {
    const node = await openWithRelay();
    const execution_reference = node.reference();
    await node.refuse('CREATE SCHEMA', { execution_reference });
    await node.refuse(`${CREATE}${CREATE}`, { execution_reference });
    expect((await node.run(CREATE, { execution_reference })).origin).toBe('Executed');
  });

  test('CS-92 CP-12: one that is under way is joined', async () => {
    const gate = new WriteGate();
    const node = await openWithRelay({ intercept: gate.intercept });
    const execution_reference = node.reference();
    gate.shut();
    const first = node.run(CREATE, { execution_reference });
    const second = node.run(CREATE, { execution_reference });
    const conflict = node.refuse('DROP RELAY r;', { execution_reference });
    expect((await conflict).message).toContain('was already used with another content');
    await until(() => gate.isReached);
    gate.open();
    expect([(await first).origin, (await second).origin]).toEqual(['Executed', 'Recovered']);
    expect((await second).message).toBe((await first).message);
    expect(node.state.models('d').size).toBe(3);
  });

  test('CP-12: the outcome survives a crash of the node', async () => {
    const node = await openWithRelay();
    const execution_reference = node.reference();
    const first = await node.run(CREATE, { execution_reference });
    const restarted = await node.restart();
    const again = await restarted.run(CREATE, { execution_reference });
    expect(again).toEqual({ ...first, origin: 'Recovered' });
  });
});

describe('conflict', () => {
  async function conflictOf(
    asked: Parameters<ControlNode['refuse']>[1],
    statement = CREATE,
  ): Promise<string> {
    const node = await openWithRelay();
    await node.run('CREATE DOMAIN e;');
    const execution_reference = node.reference();
    await node.run(CREATE, { execution_reference });
    const error = await node.refuse(statement, { ...asked, execution_reference });
    expect(error.code).toBe('EXECUTION_REFERENCE_CONFLICT');
    return error.message.replace(/^.* with another /, '');
  }

  test.each([
    ['owner', { user: 'bob', domain: 'e', expected_transaction_position: 3 }, 'DROP RELAY r;'],
    ['domain', { domain: 'e', expected_transaction_position: 3 }, 'DROP RELAY r;'],
    ['position', { expected_transaction_position: 3 }, 'DROP RELAY r;'],
    ['content', {}, 'DROP RELAY r;'],
  ] as const)('CS-92 CP-13: names the first difference: %s', async (name, asked, statement) => {
    expect(await conflictOf(asked, statement)).toBe(name);
  });

  test('CP-13: a reference of another transaction differs in its position', async () => {
    const node = await openWithRelay();
    const [first, second] = [await node.begin(), await node.begin()];
    const execution_reference = node.reference();
    await node.run(CREATE, { transaction: first, execution_reference });
    const error = await node.refuse(CREATE, { transaction: second, execution_reference });
    expect(error.message).toContain('with another position');
  });
});

describe('time', () => {
  test('CP-14: a reference more than 5 minutes ahead is refused', async () => {
    const node = await openWithRelay();
    const ahead = newReference(START_MS + 300_001);
    expect((await node.refuse(CREATE, { execution_reference: ahead })).code).toBe(
      'INVALID_REQUEST',
    );
    const edge = newReference(START_MS + 300_000);
    expect((await node.run(CREATE, { execution_reference: edge })).origin).toBe('Executed');
  });

  test('CS-92 CP-14: a reclaimed reference is expired for ever, never executed again', async () => {
    const node = await openWithRelay();
    const execution_reference = node.reference();
    await node.run(CREATE, { execution_reference });
    node.clock.nowMs += 900_000;
    await node.executor.history.reclaim();
    expect(node.state.referenceCount).toBe(0);
    await node.run('DROP SCHEMA x;');
    const restarted = await node.restart();
    const error = await restarted.refuse(CREATE, { execution_reference });
    expect(error.code).toBe('EXECUTION_REFERENCE_EXPIRED');
    expect(restarted.state.models('d').size).toBe(2);
  });

  test('CS-92 CP-14: an outcome younger than the retry validity is kept', async () => {
    const node = await openWithRelay();
    const execution_reference = node.reference();
    await node.run(CREATE, { execution_reference });
    node.clock.nowMs += 899_999;
    await node.executor.history.reclaim();
    expect((await node.run(CREATE, { execution_reference })).origin).toBe('Recovered');
  });

  test('CP-14: a reference ahead of the clock is kept until the fence may pass it', async () => {
    const node = await openWithRelay();
    const execution_reference = newReference(START_MS + 240_000);
    await node.run(CREATE, { execution_reference });
    await node.run('DROP SCHEMA x;');
    for (const passed of [900_000, 1_139_999, 1_140_000]) {
      node.clock.nowMs = START_MS + passed;
      await node.executor.history.reclaim();
      const reply = await node.execute(CREATE, { execution_reference });
      if (reply.kind === 'completed') expect(reply.outcome.origin).toBe('Recovered');
      else expect(reply.error.code).toBe('EXECUTION_REFERENCE_EXPIRED');
      expect(node.state.models('d').has('schema/x'), `after ${passed} ms`).toBe(false);
    }
    expect(node.state.reference(execution_reference)).toBeUndefined();
  });

  test('CP-14: the fence never moves back, whatever the clock does', async () => {
    const node = await openWithRelay();
    node.clock.nowMs += 900_000;
    await node.executor.history.reclaim();
    const fence = node.state.retryFenceMs;
    expect(fence).toBe(START_MS);
    await node.run(CREATE, { execution_reference: newReference(fence + 1) });
    node.clock.nowMs += 899_000;
    await node.executor.history.reclaim();
    expect(node.state.retryFenceMs).toBeGreaterThanOrEqual(fence);
  });
});

describe('capacity', () => {
  test('CP-14: a full history refuses new references and keeps the old', async () => {
    const node = await openControlNode({ limits: { commandExecutionCapacity: 2 } });
    const execution_reference = node.reference();
    await node.run('CREATE DOMAIN a;', { execution_reference });
    await node.run('CREATE DOMAIN b;');
    const error = await node.refuse('CREATE DOMAIN c;');
    expect(error.code).toBe('HISTORY_FULL');
    expect(node.state.domain('c')).toBeUndefined();
    const again = await node.run('CREATE DOMAIN a;', { execution_reference });
    expect(again.origin).toBe('Recovered');
  });

  test('CP-14, CP-16: a command that was interrupted counts, and goes on in a full history', async () => {
    const node = await openWithRelay({ limits: { commandExecutionCapacity: 6 } });
    await node.run('START;');
    const { activate } = node.context.effects;
    node.context.effects.activate = () => Promise.reject(new Error('no thread'));
    const execution_reference = node.reference();
    await node.run(CREATE, { execution_reference });
    await node.run('CREATE DOMAIN e;');
    expect((await node.refuse('CREATE DOMAIN f;')).code).toBe('HISTORY_FULL');
    node.context.effects.activate = activate.bind(node.context.effects);
    const conflict = await node.refuse('DROP RELAY r;', { execution_reference });
    expect(conflict.code, 'CP-13').toBe('EXECUTION_REFERENCE_CONFLICT');
    expect((await node.run(CREATE, { execution_reference })).disposition.t).toBe(
      'CommandCompleted',
    );
  });

  test('CP-14: commands that arrive together do not pass the bound either', async () => {
    const node = await openControlNode({ limits: { commandExecutionCapacity: 3 } });
    const replies = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((name) => node.execute(`CREATE DOMAIN ${name};`)),
    );
    expect(replies.filter(({ kind }) => kind === 'completed')).toHaveLength(3);
    expect(node.state.referenceCount).toBe(3);
  });
});
