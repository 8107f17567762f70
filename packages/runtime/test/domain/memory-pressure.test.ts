import { expect, test } from 'vitest';
import { createInProcessDataPlane } from '../../src/index.js';
import * as p from '../support/plans.js';
import { event, post } from '../support/post.js';
import { until } from '../support/until.js';

test('RT-81, RT-82: short of memory, a data plane takes nothing in, also for what it installs then', async () => {
  // No process of Node's gets by with a byte, so the pressure is on from the first look.
  const memory = { highBytes: 1, lowBytes: 0, intervalMs: 5 };
  const plane = await createInProcessDataPlane({ http: { host: '127.0.0.1', port: 0 }, memory });
  try {
    await plane.install(p.plan());
    await until('intake is held', async () => (await post(plane, event(1))).status === 503);
    expect((await plane.nodeStatus('shop')).ingestors[0]?.quiesceCauses).toEqual([
      'memory pressure',
    ]);
    const relays = [...p.plan().relays, p.relay('more')];
    await plane.install(p.plan({ revision: 2, relays }));
    expect((await post(plane, event(2))).status).toBe(503);
  } finally {
    await plane.close();
  }
});
