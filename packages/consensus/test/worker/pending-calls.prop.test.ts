import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRaftError } from '../../src/index.ts';
import { resolveLimits } from '../../src/node/raft-node-options.ts';
import { PendingCalls } from '../../src/worker/pending-calls.ts';
import { propRuns } from '../support/prop-runs.ts';

const limits = resolveLimits({
  payloadBytesMax: 50,
  queuedProposalsMax: 5,
  queuedBytesMax: 100,
  queuedReadsMax: 3,
});
const nobody = { resolve: () => undefined, reject: () => undefined };

function codeOf(call: () => void): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    return isRaftError(error, 'RAFT_OVERLOADED') || isRaftError(error, 'RAFT_ENTRY_TOO_LARGE')
      ? error.code
      : 'another error';
  }
}

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('command' as const), bytes: fc.nat({ max: 60 }) }),
    fc.record({ kind: fc.constant('request' as const) }),
    fc.record({ kind: fc.constant('answer' as const), at: fc.nat() }),
  ),
  { maxLength: 60 },
);

test('CS-1 whatever is called, never more waits at the port of a thread than the limits say', () => {
  const property = fc.property(steps, (list) => {
    const calls = new PendingCalls(limits);
    /** Numbers of what waits, with the size of commands. */
    const waiting = new Map<number, number | undefined>();
    const sizes = () => [...waiting.values()].filter((it) => it !== undefined);
    const sum = () => sizes().reduce((total, it) => total + it, 0);
    for (const step of list) {
      if (step.kind === 'command') {
        const { bytes } = step;
        const isFull = sizes().length >= 5 || sum() + bytes > 100;
        const overloaded = isFull && sizes().length > 0 ? 'RAFT_OVERLOADED' : undefined;
        const expected = bytes > 50 ? 'RAFT_ENTRY_TOO_LARGE' : overloaded;
        expect(codeOf(() => waiting.set(calls.addCommand(bytes, nobody), bytes))).toBe(expected);
      } else if (step.kind === 'request') {
        const expected = waiting.size - sizes().length >= 3 ? 'RAFT_OVERLOADED' : undefined;
        expect(codeOf(() => waiting.set(calls.addRequest(nobody), undefined))).toBe(expected);
      } else {
        const [id] = [...waiting.keys()].slice(step.at % Math.max(1, waiting.size));
        expect(calls.take(id ?? 999)).toBe(id === undefined ? undefined : nobody);
        if (id !== undefined) expect(calls.take(id)).toBeUndefined();
        waiting.delete(id ?? 999);
      }
      expect([calls.commands, calls.bytes]).toEqual([sizes().length, sum()]);
      expect(calls.commands).toBeLessThanOrEqual(5);
      expect(calls.bytes).toBeLessThanOrEqual(100);
    }
    const last = calls.addLast(nobody);
    expect(waiting.has(last)).toBe(false);
    expect(calls.takeAll()).toHaveLength(waiting.size + 1);
    expect([calls.commands, calls.bytes, calls.take(last)]).toEqual([0, 0, undefined]);
  });
  fc.assert(property, { numRuns: propRuns(200) });
});
