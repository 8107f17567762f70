import { describe, expect, test } from 'vitest';
import { type ControlNode, openWithRelay } from '../support/control-node.ts';

const LEASE_MS = 1_000;
const DETACH = 'ALTER DEDUPLICATOR once SET DETACHED;';
const LATE =
  "timed out draining domain 'd' for deduplicator 'once': pending_node=n1, relay_buffers=0, " +
  'node_work_items=0, outstanding_acks=0 (less than a tenth of the gate lease of 1000ms is left)';

/** A node whose domain runs with `once` between two relays; what is prepared takes `drainMs`. */
async function opened(drainMs: () => number): Promise<ControlNode> {
  const clock = { nowMs: 0 };
  const gates = { leaseMs: LEASE_MS, monotonicMs: () => clock.nowMs };
  const node = await openWithRelay({ gates });
  await node.run('CREATE RELAY p SCHEMA s UNBRANCHED CAPACITY 8;');
  await node.run(`CREATE DEDUPLICATOR once FROM r DEDUPLICATE ON input.id MAX TIME 10m UNBRANCHED
    TO p INHERIT ALL FLUSH IMMEDIATE ON MESSAGE ERROR LOG;`);
  await node.run('START;');
  node.dataPlane.onPrepare = () => {
    clock.nowMs += drainMs();
    return undefined;
  };
  return node;
}

function isDetached(node: ControlNode): boolean {
  return JSON.stringify(node.state.models('d').get('deduplicator/once')).includes('DETACHED');
}

describe('an effect under gates is written while a tenth of their lease is left (CP-106)', () => {
  test.each([
    [0, true],
    [LEASE_MS * 0.9, true],
    [LEASE_MS * 0.9 + 1, false],
    [LEASE_MS * 2, false],
  ])('behind a drain of %i ms of 1000: %s', async (drainMs, isApplied) => {
    let takesMs = drainMs;
    const node = await opened(() => takesMs);
    const { revision } = node.dataPlane.plans.get('d') ?? {};
    const reply = await node.execute(DETACH);
    expect([reply.kind === 'completed', isDetached(node)]).toEqual([isApplied, isApplied]);
    expect([node.dataPlane.held.size, node.state.leases()]).toEqual([0, []]);
    if (isApplied) return;
    expect(reply).toMatchObject({
      error: { code: 'QUIESCE_FAILED', message: expect.stringContaining(LATE) },
    });
    expect(node.dataPlane.plans.get('d')?.revision).toBe(revision);
    takesMs = 0;
    expect(await node.text(DETACH)).toContain('quiesce level: ENTITY_PAUSE');
    expect(isDetached(node)).toBe(true);
  });

  test('a transaction fails at the step, whose gates were closed and are let go (CP-102, CP-107)', async () => {
    const node = await opened(() => LEASE_MS);
    const transaction = await node.begin();
    await node.run('CREATE SCHEMA more (id I64);', { transaction });
    await node.run('STOP;', { transaction });
    await node.run('START;', { transaction });
    await node.run(DETACH, { transaction });
    const error = await node.refuse('COMMIT;', { transaction });
    expect(error.code).toBe('QUIESCE_FAILED');
    expect(error.message).toBe(`${LATE}; quiesce level: ENTITY_PAUSE`);
    expect(error.transaction).toMatchObject({ state: 'Failed', applied_operations: 3 });
    const text = await node.text(`DESCRIBE TRANSACTION '${transaction}';`);
    expect(text).toContain(`REQUESTED, CONFIRMED, FAILED (${LATE}), RELEASED`);
    expect(text).toContain('planned ENTITY_PAUSE, actual ENTITY_PAUSE, outcome FAILED');
    expect(isDetached(node)).toBe(false);
  });

  test('a pause of the whole domain has no lease: its record says who holds it (CP-105)', async () => {
    const node = await opened(() => LEASE_MS * 5);
    expect(await node.text('ALTER SCHEMA s ADD FIELD extra I64 OPTIONAL;')).toContain(
      'quiesce level: DOMAIN_PAUSE',
    );
  });
});
