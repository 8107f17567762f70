import { expect, test } from 'vitest';
import type { StateMachine } from '../../src/node/state-machine.ts';
import type { StateWrite } from '../../src/storage/log-storage.ts';
import { MirroredStateMachine } from '../../src/worker/mirrored-state-machine.ts';

const entryOf = (index: bigint) => {
  const payload = Uint8Array.of(Number(index));
  return { index, term: 1n, kind: 'normal', payload, chain: new Uint8Array(16) } as const;
};

test('CS-89 what a mirror is told is what was said, whatever becomes of the buffers', () => {
  const told: StateWrite[] = [];
  const [key, value] = [new Uint8Array(1), new Uint8Array(2)];
  const careless: StateMachine = {
    async restore() {},
    apply: ({ payload, index }) => {
      key.set(payload);
      value.fill(Number(index) * 10);
      const writes = index === 3n ? [{ key, value: undefined }] : [{ key, value }];
      return { writes, result: value };
    },
  };
  const mirrored = new MirroredStateMachine(careless, {
    written: (writes) => void told.push(...writes),
    restored: async () => {},
  });
  for (const index of [1n, 2n, 3n]) mirrored.apply(entryOf(index), { revision: index, level: 1 });
  key.fill(99);
  value.fill(99);
  mirrored.publish({ index: 3n, term: 1n, revision: 3n });
  expect(told).toEqual([
    { key: Uint8Array.of(1), value: Uint8Array.of(10, 10) },
    { key: Uint8Array.of(2), value: Uint8Array.of(20, 20) },
    { key: Uint8Array.of(3), value: undefined },
  ]);
});
