import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  MemoryDisk,
  MemoryLogStorage,
  RaftNode,
  type RetentionPolicy,
  type WriteInterceptor,
} from '../../src/index.ts';
import { encodeCommand, type LedgerCommand, LedgerMachine } from '../support/ledger-machine.ts';
import { propRuns } from '../support/prop-runs.ts';

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const command: fc.Arbitrary<LedgerCommand> = fc.oneof(
  fc.record({ op: fc.constant('put' as const), key, value: fc.string({ maxLength: 3 }) }),
  fc.record({ op: fc.constant('delete' as const), key }),
  fc.record({ op: fc.constant('putAll' as const), keys: fc.array(key), value: fc.string() }),
  fc.constant({ op: 'touch' as const }),
);

/** One process: bursts of commands, and the write at which it dies, before or after the disk. */
const life = fc.record({
  bursts: fc.array(fc.array(command, { maxLength: 6 }), { maxLength: 5 }),
  fatalWrite: fc.option(fc.nat(8), { nil: undefined }),
  isWrittenAtDeath: fc.boolean(),
  groupOperationsMax: fc.integer({ min: 1, max: 8 }),
});

const retentions: fc.Arbitrary<Partial<RetentionPolicy>> = fc.oneof(
  fc.constant({}),
  fc.record({ entriesThreshold: fc.nat(4), entriesKept: fc.nat(4) }),
);

interface Step {
  readonly index: bigint;
  readonly command: LedgerCommand;
}

class Model {
  /** Commands by index that are surely in the log. */
  readonly acknowledged: Step[] = [];
  /** Commands of the last life without an answer, in order. */
  unanswered: LedgerCommand[] = [];
  state = new Map<string, string>();

  /** The possible states after a restart: acknowledged, then any prefix of the unanswered. */
  possibleStates(): Map<string, string>[] {
    const states = [this.state];
    for (const it of this.unanswered) states.push(applied(states.at(-1)!, it));
    return states;
  }
}

function applied(before: Map<string, string>, it: LedgerCommand): Map<string, string> {
  const state = new Map(before);
  if (it.op === 'put') state.set(it.key, it.value);
  if (it.op === 'delete') state.delete(it.key);
  if (it.op === 'putAll') for (const name of it.keys) state.set(name, it.value);
  return state;
}

const sorted = (state: ReadonlyMap<string, string>): [string, string][] =>
  [...state].sort(([left], [right]) => (left < right ? -1 : 1));

function dyingAt(
  fatalWrite: number | undefined,
  isWritten: boolean,
  disk: MemoryDisk,
): { readonly intercept: WriteInterceptor; readonly hasHappened: () => boolean } {
  let writes = 0;
  let hasHappened = false;
  const intercept: WriteInterceptor = async (_points, commit) => {
    const isFatal = writes === fatalWrite;
    writes += 1;
    if (!isFatal) return commit();
    hasHappened = true;
    if (isWritten) await commit();
    disk.crash();
    throw new Error('the process is gone');
  };
  return { intercept, hasHappened: () => hasHappened };
}

async function live(
  disk: MemoryDisk,
  model: Model,
  plan: typeof life extends fc.Arbitrary<infer T> ? T : never,
  retention: Partial<RetentionPolicy>,
): Promise<void> {
  const { fatalWrite, isWrittenAtDeath, groupOperationsMax, bursts } = plan;
  const death = dyingAt(fatalWrite, isWrittenAtDeath, disk);
  const { intercept } = death;
  const storage = await MemoryLogStorage.open({ disk, clusterId: 'c1', nodeId: 'n1', intercept });
  const machine = new LedgerMachine();
  // What a former process left unanswered is there as a prefix or not at all.
  const possible = model.possibleStates().map(sorted);
  let node: RaftNode;
  try {
    const limits = { groupOperationsMax };
    node = await RaftNode.open({ storage, stateMachine: machine, limits, retention });
  } catch (error) {
    // Only the planned death keeps a node from opening.
    if (!death.hasHappened()) throw error;
    disk.crash();
    return;
  }
  expect(possible).toContainEqual(sorted(machine.published));
  model.state = new Map(machine.published);
  model.unanswered = [];
  let newest = 0n;
  for (const burst of bursts) {
    const outcomes = await Promise.allSettled(burst.map((it) => node.propose(encodeCommand(it))));
    outcomes.forEach((outcome, i) => {
      const it = burst[i]!;
      if (outcome.status === 'rejected') {
        expect(death.hasHappened(), String(outcome.reason)).toBe(true);
        model.unanswered.push(it);
        return;
      }
      expect(model.unanswered).toEqual([]);
      const { index } = outcome.value;
      if (newest > 0n) expect(index).toBe(newest + 1n);
      newest = index;
      model.acknowledged.push({ index, command: it });
      model.state = applied(model.state, it);
    });
    expect(sorted(machine.published)).toEqual(sorted(model.state));
  }
  if (node.status().failure === undefined) {
    expect(node.status().appliedIndex).toBe(node.status().lastIndex);
    await node.close();
  }
  disk.crash();
}

test('CS-86 CS-87 CS-319 over random crashes every answered command is kept, in order, once', async () => {
  const property = fc.asyncProperty(
    fc.array(life, { minLength: 1, maxLength: 5 }),
    retentions,
    async (lives, retention) => {
      const disk = new MemoryDisk();
      const model = new Model();
      for (const plan of lives) await live(disk, model, plan, retention);
      await live(
        disk,
        model,
        { bursts: [[]], fatalWrite: undefined, isWrittenAtDeath: false, groupOperationsMax: 8 },
        retention,
      );
      const indexes = model.acknowledged.map(({ index }) => index);
      expect(indexes).toEqual([...new Set(indexes)].sort((a, b) => Number(a - b)));
    },
  );
  await fc.assert(property, { numRuns: propRuns(200) });
});
