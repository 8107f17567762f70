import type { WasmProcessorModel } from '@nervix/model';
import { describe, expect, test } from 'vitest';
import type { Effects } from '../../src/control-plane/execution/effects.ts';
import { type ControlNode, type ControlNodeSetup, openWithRelay } from '../support/control-node.ts';
import { CrashPoint } from '../support/crash-point.ts';
import { SeededRandom } from '../support/simulation/seeded-random.ts';
import { SimulatedEffects } from '../support/simulation/simulated-effects.ts';

const RESET = 'RESET WASM PROCESSOR guest STATE IN DOMAIN d FOR UNBRANCHED;';

const GUEST: WasmProcessorModel = {
  kind: 'wasm_processor',
  name: 'guest',
  resource: { resource: 'modules', version: '1' },
  file: 'guest.wasm',
  acknowledgement: 'ATTACHED',
  inputs: { relays: [{ relay: 'r', where: null }], collect: null },
  filter: null,
  branching: { kind: 'unbranched' },
  dependencies: [],
  routes: [],
  maxFuel: '1000',
  maxMemory: '65536',
  onRejectedState: 'PRESERVE',
  globalError: 'LOG',
};

interface GuestNode {
  readonly node: ControlNode;
  readonly effects: SimulatedEffects;
}

/** A running domain with a guest, which no statement can define: no engine of this release runs it. */
async function openWithGuest(setup: ControlNodeSetup = {}, timeouts = 0): Promise<GuestNode> {
  const wrapped = simulated(timeouts);
  const node = await openWithRelay({ ...setup, wrapEffects: wrapped.wrap });
  await node.run('START;');
  const entry = { kind: 'wasm_processor', name: 'guest', nodes: ['n1'] } as const;
  const domain = node.state.domain('d');
  if (domain === undefined) throw new Error('the domain is gone');
  await node.context.log.write({
    put: [
      { kind: 'model', domain: 'd', model: GUEST },
      { kind: 'assignment', domain: 'd', entry },
      domain,
    ],
  });
  return { node, effects: wrapped.effects() };
}

function simulated(timeouts: number) {
  let made: SimulatedEffects | undefined;
  return {
    wrap: (inner: Effects) => {
      made = new SimulatedEffects(inner, new SeededRandom(1), timeouts);
      return made;
    },
    effects: () => {
      if (made === undefined) throw new Error('the node has no effects yet');
      return made;
    },
  };
}

function generationOf(node: ControlNode): number {
  const entry = node.state.schedule('d').find(({ name }) => name === 'guest');
  return entry?.guestGenerations?.common ?? 1;
}

describe('RESET WASM by itself (CP-112)', () => {
  test('publishes the next generation, replaces the guest and answers', async () => {
    const { node, effects } = await openWithGuest();
    expect(await node.text(RESET)).toBe('quiesce level: ENTITY_PAUSE; planned relocations: 0');
    expect(generationOf(node)).toBe(2);
    expect(effects.guests.get('d/guest')).toBe(2);
    expect(effects.held.size).toBe(0);
    expect(node.state.leases()).toEqual([]);
    await node.run(RESET);
    expect([generationOf(node), effects.guests.get('d/guest')]).toEqual([3, 3]);
  });

  test('restores what was where it fails before the generation is published', async () => {
    const { node, effects } = await openWithGuest({}, 1);
    const error = await node.refuse(RESET);
    expect(error.message).toContain("timed out draining domain 'd' for guest");
    expect(generationOf(node)).toBe(1);
    expect(effects.guests.size).toBe(0);
    expect(node.state.leases()).toEqual([]);
  });

  test('keeps its scope closed where the guest is not usable, and goes on with the same reference', async () => {
    const { node, effects } = await openWithGuest();
    effects.onReset = () => 'no replica answers';
    const execution_reference = node.reference();
    const cut = await node.run(RESET, { execution_reference });
    expect([cut.disposition.t, cut.message]).toEqual([
      'OutcomeUnknown',
      "wasm processor 'guest' committed the WASM state reset, but it did not become usable: " +
        'no replica answers',
    ]);
    expect(generationOf(node)).toBe(2);
    expect([...effects.held]).toEqual(['d']);
    const busy = `domain 'd' mutation is owned by command '${execution_reference}'`;
    expect((await node.refuse(RESET)).message, 'no other reset in progress').toBe(busy);
    effects.onReset = () => undefined;
    const done = await node.run(RESET, { execution_reference });
    expect(done.disposition.t).toBe('CommandCompleted');
    expect([generationOf(node), effects.guests.get('d/guest')]).toEqual([2, 2]);
    expect(effects.held.size).toBe(0);
    expect((await node.run(RESET, { execution_reference })).message).toBe(done.message);
    expect(generationOf(node), 'nor is it done twice').toBe(2);
  });

  test.each([
    ['RESET WASM PROCESSOR other STATE IN DOMAIN d FOR UNBRANCHED;', 'does not exist in domain'],
    ['RESET WASM PROCESSOR guest STATE IN DOMAIN d FOR ALL BRANCHES;', 'is unbranched'],
    ['RESET WASM PROCESSOR guest STATE IN DOMAIN e FOR UNBRANCHED;', "domain 'e' does not exist"],
  ])('%s is refused: %s', async (statement, reason) => {
    const { node } = await openWithGuest();
    expect((await node.refuse(statement)).message).toContain(reason);
    expect(generationOf(node)).toBe(1);
  });

  test('is refused by name where the node runs no WASM, and of a stopped domain', async () => {
    const { node } = await openWithGuest();
    const { effects } = node.context;
    const restarted = await node.restart({ isIdle: true });
    expect(restarted.context.effects).not.toBe(effects);
    expect((await restarted.refuse(RESET)).message).toBe(
      "wasm processor 'guest' has no state here: this release runs no WASM",
    );
    expect(generationOf(restarted)).toBe(1);
    const domain = restarted.state.domain('d');
    if (domain === undefined) throw new Error('the domain is gone');
    await restarted.context.log.write({ put: [{ ...domain, status: 'stopped' }] });
    expect((await restarted.refuse(RESET)).message).toContain("'guest' is not running");
  });
});

describe('RESET WASM as a step of a transaction (CP-112)', () => {
  test('is queued, planned with its scope and applied once', async () => {
    const { node, effects } = await openWithGuest();
    const transaction = await node.begin();
    expect(await node.text(RESET, { transaction })).toBe('quiesce level: ENTITY_PAUSE');
    const report = await node.text(`DESCRIBE TRANSACTION '${transaction}';`);
    expect(report).toContain('operation 1: RESET_WASM_STATE processor=guest');
    expect(report).toContain('  reason: WASM_STATE_RESET kind=wasm_processor name=guest');
    expect(report).toContain(
      '  effect: state reset WASM_GUEST_STATE kind=wasm_processor name=guest branches=UNBRANCHED',
    );
    expect(await node.text('COMMIT;', { transaction })).toBe('quiesce level: ENTITY_PAUSE');
    expect([generationOf(node), effects.guests.get('d/guest')]).toEqual([2, 2]);
    const actual = await node.text(`DESCRIBE TRANSACTION '${transaction}';`);
    expect(actual).toContain('planned ENTITY_PAUSE, actual ENTITY_PAUSE, outcome APPLIED');
    expect(actual).toContain('REQUESTED, CONFIRMED, RELEASED');
  });

  test('goes on with the same generation behind a failure and behind a crash', async () => {
    const { node, effects } = await openWithGuest();
    const transaction = await node.begin();
    await node.run(RESET, { transaction });
    effects.onReset = () => 'no replica answers';
    const cut = await node.run('COMMIT;', { transaction });
    expect(cut.message).toBe(
      `transaction '${transaction}' commit remains in progress after an execution error: ` +
        "wasm processor 'guest' committed the WASM state reset, but it did not become usable: " +
        'no replica answers',
    );
    expect([node.state.transaction(transaction)?.state, generationOf(node)]).toEqual([
      'COMMITTING',
      2,
    ]);
    const wrapped = simulated(0);
    const restarted = await node.restart({ wrapEffects: wrapped.wrap });
    expect(restarted.state.transaction(transaction)?.state).toBe('COMMITTED');
    expect([generationOf(restarted), wrapped.effects().guests.get('d/guest')]).toEqual([2, 2]);
  });

  test.each([
    [1, false],
    [1, true],
    [2, false],
    [2, true],
    [3, false],
    [3, true],
  ])(
    'CP-16: by itself goes on behind a stop at its write %i too, durable: %s, once',
    async (write, isDurable) => {
      const point = new CrashPoint();
      const { node } = await openWithGuest({ intercept: point.intercept });
      const execution_reference = node.reference();
      point.arm(write, isDurable);
      await node.execute(RESET, { execution_reference });
      expect(point.isReached).toBe(true);
      const wrapped = simulated(0);
      const incarnation = { admitted: 'i2', observed: 'i2' };
      const restarted = await node.restart({ wrapEffects: wrapped.wrap, incarnation });
      expect(await restarted.text(RESET, { execution_reference })).toBe(
        'quiesce level: ENTITY_PAUSE; planned relocations: 0',
      );
      expect([generationOf(restarted), wrapped.effects().guests.get('d/guest')]).toEqual(
        // Behind its end a reset asks no guest any more.
        write === 3 && isDurable ? [2, undefined] : [2, 2],
      );
      expect(wrapped.effects().held.size).toBe(0);
      expect([restarted.state.leases(), restarted.state.executions()]).toEqual([[], []]);
    },
  );
});
