import { describe, expect, test } from 'vitest';
import { type ControlNode, openWithRelay } from '../support/control-node.ts';

/** Keys of everything that the store holds of domain `d`. */
function keysOfDomain(node: ControlNode): readonly string[] {
  const { state } = node;
  return [
    ...state.models('d').keys(),
    ...state.schedule('d').map(({ kind, name }) => `${kind}/${name}`),
    ...state
      .transactions()
      .filter(({ domain }) => domain === 'd')
      .map(({ id }) => id),
  ];
}

describe('CP-141: DROP DOMAIN', () => {
  test('removes an empty stopped domain, and its name begins anew', async () => {
    const node = await openWithRelay();
    await node.run('START;');
    await node.run('STOP;');
    await node.run('DROP RELAY r;');
    await node.run('DROP SCHEMA s;');
    expect(await node.text('DROP DOMAIN D;')).toBe("dropped domain 'd'");
    expect(node.plane.domains()).toEqual([]);
    expect((await node.refuse('DESCRIBE DOMAIN;')).message).toBe("domain 'd' does not exist");
    await node.run('CREATE DOMAIN d;');
    expect(node.state.domain('d')?.generation).toBe(0);
  });

  test('CASCADE removes what it holds, before and behind a restart', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    await node.run('CREATE SCHEMA x (id I64);', { transaction });
    await node.run('COMMIT;', { transaction });
    await node.run('START;');
    await node.run('STOP;');
    expect(keysOfDomain(node).length).toBeGreaterThan(3);
    await node.run('DROP DOMAIN d CASCADE;');
    expect(keysOfDomain(node)).toEqual([]);
    expect(node.dataPlane.removed).toEqual(['d']);
    const restarted = await node.restart();
    expect(keysOfDomain(restarted)).toEqual([]);
    await restarted.run('CREATE DOMAIN d;');
    await restarted.run('START;');
    expect(restarted.dataPlane.plans.get('d')?.relays).toEqual([]);
  });

  test.each<[string, (node: ControlNode) => Promise<unknown>, string, RegExp]>([
    [
      'is running',
      (node) => node.run('START;'),
      'TRANSACTION_STATE',
      /^domain 'd' is running; STOP it first$/u,
    ],
    [
      'holds models',
      async () => undefined,
      'IN_USE',
      /^domain 'd' still has 2 model\(s\); drop them or use CASCADE$/u,
    ],
    [
      'has an open transaction',
      (node) => node.begin(),
      'IN_USE',
      /^domain 'd' has an open transaction '[0-9a-f-]{36}'$/u,
    ],
  ])('a domain that %s stays', async (_, arrange, code, message) => {
    const node = await openWithRelay();
    await arrange(node);
    const error = await node.refuse('DROP DOMAIN d;');
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(node.state.models('d').size).toBe(2);
  });

  test('CASCADE does not go over a running domain or an open transaction', async () => {
    const node = await openWithRelay();
    await node.begin();
    expect((await node.refuse('DROP DOMAIN d CASCADE;')).code).toBe('IN_USE');
    await node.run('START;');
    expect((await node.refuse('DROP DOMAIN d CASCADE;')).code).toBe('TRANSACTION_STATE');
  });

  test('CP-43: a transaction whose time is over keeps no domain, swept or not', async () => {
    const node = await openWithRelay();
    await node.begin();
    node.clock.nowMs += 900_000;
    expect(await node.text('DROP DOMAIN d CASCADE;')).toBe("dropped domain 'd'");
    expect(keysOfDomain(node)).toEqual([]);
  });

  test('of an unknown domain is refused, in a transaction as well', async () => {
    const node = await openWithRelay();
    expect((await node.refuse('DROP DOMAIN e;')).message).toBe("domain 'e' does not exist");
    const transaction = await node.begin();
    const { message } = await node.refuse('DROP DOMAIN d;', { transaction });
    expect(message).toContain('cannot be queued in a transaction');
  });

  test('together with other commands leaves all of it or nothing', async () => {
    for (let turn = 0; turn < 8; turn += 1) {
      const node = await openWithRelay();
      const others = ['BEGIN;', 'CREATE SCHEMA x (id I64);', 'START;', 'BEGIN;'];
      const texts = [...others.slice(0, turn % 4), 'DROP DOMAIN d CASCADE;', ...others];
      await Promise.all(texts.map((text) => node.execute(text)));
      if (node.state.domain('d') === undefined) expect(keysOfDomain(node)).toEqual([]);
      else expect(node.state.models('d').size).toBeGreaterThanOrEqual(2);
    }
  });

  test('is repeated under its reference', async () => {
    const node = await openWithRelay();
    const execution_reference = node.reference();
    await node.run('DROP DOMAIN d CASCADE;', { execution_reference });
    await node.run('CREATE DOMAIN d;');
    const again = await node.run('DROP DOMAIN d CASCADE;', { execution_reference });
    expect([again.origin, again.message]).toEqual(['Recovered', "dropped domain 'd'"]);
    expect(node.state.domain('d')).toBeDefined();
  });
});
