import { expect, test } from 'vitest';
import { prepareUdfsApart } from '../../src/udf/udf-preparation.js';
import { udfPlan } from '../support/udf-plans.js';

const sound = udfPlan('const f = (a) => a;', ['I32'], 'I32');

test('UDFs are prepared in a thread of their own while the caller goes on (CP-31)', async () => {
  let turns = 0;
  const interval = setInterval(() => {
    turns += 1;
  }, 1);
  const endless = udfPlan('for (;;); const f = (a) => a;', ['I32'], 'I32');
  const problem = await prepareUdfsApart([sound, endless]);
  clearInterval(interval);
  expect(problem).toBe(
    "invalid UDF 'f': ECMAScript compile and test budget of 50000000 steps was exceeded",
  );
  expect(turns).toBeGreaterThan(5);
});

test('sound ones have no problem', async () => {
  expect(await prepareUdfsApart([sound, sound])).toBe(undefined);
  expect(await prepareUdfsApart([])).toBe(undefined);
});
