import { describe, expect, test } from 'vitest';
import { type ControlNode, openWithRelay, START_MS } from '../support/control-node.ts';
import { CrashPoint } from '../support/crash-point.ts';

const LATER_MS = 7_000;

function lastStart({ state }: ControlNode) {
  return state.domain('d')?.lastStart;
}

describe('CP-24: where a domain started', () => {
  test.each([
    ['START;', 'resume'],
    ['START AT NOW;', 'instant'],
    ['START AT NOW TIME RATE 1.0;', 'instant'],
  ])('CP-1: %s is stored with the moment at which it was admitted', async (statement, kind) => {
    const node = await openWithRelay();
    expect(lastStart(node)).toBeNull();
    node.clock.nowMs += LATER_MS;
    await node.run(statement);
    const first = { kind, atMs: START_MS + LATER_MS, timeRate: 1 };
    expect(lastStart(node)).toEqual(first);
    node.clock.nowMs += LATER_MS;
    await node.run('STOP;');
    expect(lastStart(node), 'a stop is no start').toEqual(first);
    await node.run(statement);
    expect(lastStart(node)).toEqual({ ...first, atMs: START_MS + 2 * LATER_MS });
    expect(lastStart(await node.restart())).toEqual({ ...first, atMs: START_MS + 2 * LATER_MS });
  });

  test.each(["START AT '2027-01-01T00:00:00Z';", 'START AT NOW TIME RATE 2.0;'])(
    '%s needs a paced domain, and is refused whole',
    async (statement) => {
      const node = await openWithRelay();
      expect((await node.refuse(statement)).code).toBe('UNSUPPORTED_CAPABILITY');
      const transaction = await node.begin();
      expect((await node.refuse(statement, { transaction })).code).toBe('UNSUPPORTED_CAPABILITY');
      expect(node.state.domain('d')).toMatchObject({ status: 'stopped', lastStart: null });
    },
  );

  test('CP-61: in a transaction NOW is when its COMMIT is admitted, in each of its steps', async () => {
    const node = await openWithRelay();
    const transaction = await node.begin();
    for (const statement of ['START AT NOW;', 'STOP;', 'START AT NOW;']) {
      await node.run(statement, { transaction });
      node.clock.nowMs += LATER_MS;
    }
    const admittedMs = node.clock.nowMs;
    node.dataPlane.onInstall = () => {
      node.clock.nowMs += LATER_MS;
      return undefined;
    };
    await node.run('COMMIT;', { transaction });
    expect(node.clock.nowMs).toBeGreaterThan(admittedMs);
    expect(lastStart(node)).toEqual({ kind: 'instant', atMs: admittedMs, timeRate: 1 });
  });
});

const WRITES_MAX = 8;

/** Ends the process at a write of a START that is resumed much later. */
async function startedAcross(write: number, isDurable: boolean, isTransaction: boolean) {
  const point = new CrashPoint();
  const node = await openWithRelay({ intercept: point.intercept });
  const transaction = isTransaction ? await node.begin() : undefined;
  if (transaction !== undefined) await node.run('START AT NOW;', { transaction });
  const query = transaction === undefined ? 'START AT NOW;' : 'COMMIT;';
  const place = transaction === undefined ? {} : { transaction };
  const asked = { ...place, execution_reference: node.reference() };
  point.arm(write, isDurable);
  await node.execute(query, asked);
  node.clock.nowMs += LATER_MS;
  const restarted = await node.restart();
  const reply = await restarted.execute(query, asked);
  return { isReached: point.isReached, restarted, reply };
}

describe('CP-24, CP-109: a START that another process goes on with', () => {
  test.each([
    ['alone', false],
    ['in a transaction', true],
  ])('%s began when it was admitted, whichever write was the last', async (_, isTransaction) => {
    const kept = new Set<number>();
    for (let write = 1; write <= WRITES_MAX; write += 1) {
      for (const isDurable of [false, true]) {
        const run = await startedAcross(write, isDurable, isTransaction);
        if (!run.isReached) {
          expect(kept).toEqual(new Set([0, LATER_MS]));
          return;
        }
        expect(run.reply.kind).toBe('completed');
        // Only what was not admitted before the end begins when it is asked for again.
        const wasAdmitted = write > 1 || isDurable;
        const start = lastStart(run.restarted);
        expect(start?.atMs).toBe(START_MS + (wasAdmitted ? 0 : LATER_MS));
        kept.add((start?.atMs ?? 0) - START_MS);
      }
    }
    throw new Error(`a START has more than ${WRITES_MAX} writes`);
  });
});
