import { expect, test } from 'vitest';
import { openWithRelay } from '../support/control-node.ts';

test('CS-77: a store that failed makes one outcome unknown and refuses every later command', async () => {
  let isFull = false;
  const node = await openWithRelay({
    intercept: async (_points, commit) => {
      if (isFull) throw new Error('no space left on device');
      await commit();
    },
  });
  const asked = { execution_reference: node.reference() };
  await node.run('CREATE RELAY kept SCHEMA s UNBRANCHED;', asked);
  isFull = true;
  const first = await node.run('CREATE RELAY lost SCHEMA s UNBRANCHED;');
  expect(first.disposition.t).toBe('OutcomeUnknown');
  for (const statement of ['CREATE RELAY q SCHEMA s UNBRANCHED;', 'START;', 'BEGIN;']) {
    expect((await node.refuse(statement)).code).toBe('STORAGE_FAILED');
  }
  // What is known stays known, and reads go on.
  const again = await node.run('CREATE RELAY kept SCHEMA s UNBRANCHED;', asked);
  expect(again.origin).toBe('Recovered');
  expect(await node.text('SHOW CREATE RELAY kept;')).toContain('CREATE RELAY kept');
});
