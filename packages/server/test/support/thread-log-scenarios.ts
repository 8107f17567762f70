import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ReplicatedLog } from '../../src/replicated-state/replicated-log.ts';

/** Runs one scenario, named first, on a store in the folder named second, with built files. */
const [name = '', folder = ''] = process.argv.slice(2);
const dist = path.join(import.meta.dirname, '..', '..', 'dist', 'replicated-state');
const built = pathToFileURL(path.join(dist, 'replicated-log.js')).href;
const { ReplicatedLog: Log } = (await import(built)) as { ReplicatedLog: typeof ReplicatedLog };

const options = { directory: path.join(folder, 'consensus'), clusterId: 'c', nodeId: 'n1' };
const user = (userName: string, passwordHash = 'x') => ({
  kind: 'user' as const,
  name: userName,
  incarnation: userName,
  passwordHash,
});

const SCENARIOS: Readonly<Record<string, () => Promise<void>>> = {
  async answers() {
    const first = await Log.openInThread(options);
    assert.equal((await first.write({ put: [user('ada')] })).kind, 'applied');
    // What is answered is readable here.
    assert.equal(first.state.user('ada')?.passwordHash, 'x');
    const fence = { key: 'user/ada', revision: first.state.revisionOf('user/ada') };
    const answers = await Promise.all([
      first.write({ fences: [fence], put: [user('ada', 'y')] }),
      first.write({ fences: [fence], put: [user('bob')] }),
    ]);
    assert.deepEqual(
      answers.map(({ kind }) => kind),
      ['applied', 'raced'],
    );
    assert.deepEqual(
      first.state.users().map((it) => [it.name, it.passwordHash]),
      [['ada', 'y']],
    );
    assert.equal(first.status().revision, BigInt(first.state.revision ?? 0));
    await first.read();
    await first.close();
    const direct = await Log.open(options);
    assert.equal(direct.state.user('ada')?.passwordHash, 'y');
    await direct.write({ remove: ['user/ada'], put: [user('eve')] });
    await direct.close();
    const again = await Log.openInThread(options);
    assert.deepEqual(
      again.state.users().map((it) => it.name),
      ['eve'],
    );
    assert.equal(again.state.revision, Number(again.status().revision));
    await again.close();
    await assert.rejects(again.write({}), { code: 'RAFT_CLOSED' });
  },

  async busy() {
    let stalls = 0;
    const observe = ({ kind }: { readonly kind: string }): void => {
      if (kind === 'stalled') stalls += 1;
    };
    // Long ticks, so that a busy machine alone loses none: more than two must be late.
    const timing = { heartbeatMs: 2_000, electionMinMs: 6_000, electionMaxMs: 9_000 };
    const work = (ms: number): void => {
      const end = performance.now() + ms;
      while (performance.now() < end);
    };
    const told = async (open: () => Promise<ReplicatedLog>): Promise<number> => {
      const log = await open();
      await log.write({ put: [user('ada')] });
      stalls = 0;
      work(3_000);
      // Behind it everything has been told that happened before.
      await log.write({ put: [user('eve')] });
      await new Promise((resolve) => setImmediate(resolve));
      await log.close();
      return stalls;
    };
    assert.ok((await told(() => Log.open({ ...options, timing, observe }))) > 0);
    assert.equal(await told(() => Log.openInThread({ ...options, timing, observe })), 0);
  },
};

const scenario = SCENARIOS[name];
assert.ok(scenario, `there is no scenario '${name}'`);
await scenario();
