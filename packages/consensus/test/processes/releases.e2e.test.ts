import { expect, test, vi } from 'vitest';
import type { ClusterProcess } from '../support/processes/cluster-process.ts';
import { eventually } from '../support/processes/eventually.ts';
import { progress, startCluster, surviving } from '../support/processes/fixture.ts';
import type { ProcessCluster } from '../support/processes/process-cluster.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** Stops a node and starts it with the release that has this newest level. */
async function upgrade(made: ProcessCluster, process: ClusterProcess, featureLevel: number) {
  await process.kill();
  made.install(process.number, featureLevel);
  await process.start();
}

/** What the leader answers when it is asked to activate a level. */
async function activation(made: ProcessCluster, level: number): Promise<string> {
  const leader = await made.awaitLeader();
  try {
    return `activated at ${await leader.tell({ op: 'activate', level })}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test('CS-343 CS-344 CS-345 CS-346 releases are exchanged one by one and a level is activated', async () => {
  const made = await startCluster();
  await surviving(made, async (clients) => {
    const levels = async () =>
      (await Promise.all(made.processes.map((it) => it.status()))).map((status) => status?.level);
    for (const process of made.processes) {
      // Both releases are members together, in every role, and nothing has changed yet.
      expect(await activation(made, 2)).toMatch(
        /cannot activate feature level 2: node 'n\d' supports 1 to 1$|another change|not lead/,
      );
      await upgrade(made, process, 2);
      await made.settled();
      await progress(clients, 30);
    }
    expect(await levels()).toEqual([1, 1, 1]);
    // Until then the way back is open.
    const taken = await made.awaitFollower();
    await upgrade(made, taken, 1);
    await made.settled();
    await upgrade(made, taken, 2);
    await made.settled();
    expect(await activation(made, 3)).toContain('supports 1 to 2');
    await eventually(
      async () => (await activation(made, 2)).startsWith('activated at'),
      'reports of all members and the activation',
    );
    await eventually(async () => (await levels()).join() === '2,2,2', 'the level on all nodes');
    await progress(clients, 100);

    // The release before does not start on its store any more, nor does one two levels above.
    const victim = await made.awaitFollower();
    await expect(upgrade(made, victim, 1)).rejects.toThrow(
      'the store was written at feature level 2; this release reads 1 to 1; start the newer release',
    );
    await expect(upgrade(made, victim, 4)).rejects.toThrow(
      'the store was written at feature level 2; this release reads 3 to 4; start a release that',
    );
    expect(victim.exitCode).toBe(2);
    // With an empty store it is refused by the others, who say why.
    await victim.kill();
    await victim.wipe();
    await upgrade(made, victim, 4);
    const text =
      `${victim.nodeId}: node '${victim.nodeId}' supports feature levels 3 to 4;` +
      ' the cluster has activated level 2; start a release that supports it';
    const leader = await made.awaitLeader();
    await eventually(async () => (await leader.refusals()).includes(text), 'the refusal');
    expect((await victim.status())?.voters).toEqual([]);
    await victim.kill();
    await victim.wipe();
    await upgrade(made, victim, 3);
    await made.settled();
    expect((await victim.status())?.level).toBe(2);
    await progress(clients, 50);
  });
});
