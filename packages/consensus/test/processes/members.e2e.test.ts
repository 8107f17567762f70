import { cp, mkdtemp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { ClusterProcess } from '../support/processes/cluster-process.ts';
import { eventually } from '../support/processes/eventually.ts';
import { progress, startCluster, surviving } from '../support/processes/fixture.ts';
import type { ProcessCluster } from '../support/processes/process-cluster.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** A folder beside that of a process, which goes with the cluster. */
function folderBeside({ directory }: ClusterProcess): Promise<string> {
  return mkdtemp(join(dirname(directory), 'other-'));
}

async function voters(made: ProcessCluster): Promise<string> {
  const status = await (await made.awaitLeader()).status();
  return status === undefined || status.isJoint ? '' : [...status.voters].sort().join(' ');
}

test('CS-43 CS-145 CS-330 a member behind a slow link catches up while others go on', async () => {
  const made = await startCluster();
  await surviving(made, async (clients) => {
    const follower = await made.awaitFollower();
    const seen = Number((await follower.status())?.applied);
    await follower.kill();
    const leader = await made.awaitLeader();
    await eventually(
      async () => Number((await leader.status())?.applied) > seen + 1_024,
      'entries that the member misses',
    );
    const missing = Number((await leader.status())?.applied);
    for (const link of made.linksOf(follower.number)) {
      link.limit(64 * 1_024);
      link.delay(40);
    }
    const toFollower = made.link(leader.number, follower.number);
    await follower.start();
    const before = toFollower.openings;
    await progress(clients, 100);
    await eventually(
      async () => Number((await follower.status())?.applied) > missing,
      'the entries that the member misses',
      20_000,
    );
    // Two streams of appends at most, and as many connections for everything else.
    expect(toFollower.openings - before).toBeLessThanOrEqual(4);
    made.heal();
  });
});

test('CS-28 CS-130 CS-131 CS-137 CS-330 names are taken over, dropped and come back', async () => {
  const made = await startCluster();
  const first = await made.awaitFollower();
  const twin = await made.twin(first.number, await folderBeside(first));
  await surviving(made, async (clients) => {
    // Another process with the same name and a disk of its own does not count beside the first.
    const former = (await first.status())?.storeId;
    await twin.start();
    await eventually(
      async () =>
        (await twin.refusals()).some((it) =>
          it.includes(`nameInUse: the name of node '${first.nodeId}'`),
        ),
      'the refusal of the second process',
    );
    const term = (await (await made.awaitLeader()).status())?.term;
    await progress(clients, 100);
    expect((await (await made.awaitLeader()).status())?.term).toBe(term);
    expect((await first.status())?.voters).toContain(first.nodeId);
    // Once that cannot be heard any more, it does.
    first.signal('SIGSTOP');
    await eventually(async () => {
      const status = await twin.status();
      return status?.isVoter === true && !status.isJoint;
    }, 'the vote of the second process');
    expect((await twin.status())?.storeId).not.toBe(former);
    expect(await voters(made)).toBe('n1 n2 n3');
    // The first one goes on. It cannot disturb those who took another in its place.
    const present = (await (await made.awaitLeader()).status())?.term;
    first.signal('SIGCONT');
    await progress(clients, 100);
    expect((await (await made.awaitLeader()).status())?.term).toBe(present);
    await first.kill();
    made.adopt(twin);
    await made.settled();

    const victim = await made.awaitFollower();
    await victim.kill();
    const leader = await made.awaitLeader();
    expect(await leader.tell({ op: 'drop', nodeId: victim.nodeId })).toBe(1);
    const others = made.processes.filter((it) => it !== victim).map(({ nodeId }) => nodeId);
    expect(await voters(made)).toBe(others.sort().join(' '));
    await progress(clients);
    await victim.wipe();
    await victim.start();
    await made.settled();

    // A copy of a store is not let in beside the process that uses it.
    const copied = await made.awaitFollower();
    const copy = await made.twin(copied.number, await folderBeside(copied));
    await copied.kill();
    await cp(copied.directory, copy.directory, { recursive: true });
    await copied.start();
    await made.settled();
    await copy.start();
    const leading = await made.awaitLeader();
    await eventually(async () => {
      const refusals = await leading.refusals();
      return refusals.some((it) => it.startsWith(`${copied.nodeId}: storeInUse: another process`));
    }, 'the refusal of the copy');
    await progress(clients, 100);
    expect((await copy.status())?.role).not.toBe('leader');
    await copy.kill();
  });
});
