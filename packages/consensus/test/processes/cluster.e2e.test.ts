import { expect, test, vi } from 'vitest';
import { eventually } from '../support/processes/eventually.ts';
import { progress, startCluster, surviving, working } from '../support/processes/fixture.ts';
import { PROCESS_TIMING } from '../support/processes/process-cluster.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

test('CS-330 processes are killed: the leader, a follower, and all at once', async () => {
  const made = await startCluster();
  await surviving(made, async () => {
    const leader = await made.awaitLeader();
    await leader.kill();
    await made.awaitLeader();
    await leader.start();
    await working(300);
    const follower = await made.awaitFollower();
    await follower.kill();
    await working(300);
    await follower.start();
    await working(300);
    await Promise.all(made.processes.map((it) => it.kill()));
    await Promise.all(made.processes.map((it) => it.start()));
    await made.awaitLeader();
  });
});

test('CS-3 CS-25 CS-330 BC-28 the leader stands still, shorter and longer than elections', async () => {
  const made = await startCluster();
  await surviving(made, async (clients) => {
    for (const timeouts of [0.5, 2, 8]) {
      const leader = await made.awaitLeader();
      leader.signal('SIGSTOP');
      await working(PROCESS_TIMING.electionMaxMs * timeouts);
      leader.signal('SIGCONT');
      await made.awaitLeader();
      await progress(clients, 20);
    }
  });
});

test('CS-301 CS-330 links are cut: the leader alone, one way, and in a ring', async () => {
  const made = await startCluster();
  await surviving(made, async () => {
    const leader = await made.awaitLeader();
    const others = made.processes.filter((it) => it !== leader).map(({ number }) => number);
    made.partition([leader.number], others);
    await working(PROCESS_TIMING.electionMaxMs * 3);
    made.heal();
    const next = await made.awaitLeader();
    for (const { number } of made.processes) {
      if (number !== next.number) made.link(next.number, number).cut('forward');
    }
    await working(PROCESS_TIMING.electionMaxMs * 3);
    made.heal();
    await made.awaitLeader();
    made.partition([1], [2]);
    await working(PROCESS_TIMING.electionMaxMs * 2);
    made.heal();
  });
});

test('CS-330 five processes lose two, twice', async () => {
  const made = await startCluster({ size: 5 });
  await surviving(made, async () => {
    for (let round = 0; round < 2; round += 1) {
      const leader = await made.awaitLeader();
      const follower = await made.awaitFollower();
      await Promise.all([leader.kill(), follower.kill()]);
      await made.awaitLeader();
      await working(300);
      await Promise.all([leader.start(), follower.start()]);
      await made.settled();
    }
  });
});

test('CS-100 CS-113 CS-330 a member behind the log gets a snapshot', async () => {
  const retention = { entriesThreshold: 50, bytesThreshold: 1e9, entriesKept: 10, bytesKept: 1e9 };
  const made = await startCluster({ retention });
  await surviving(made, async (clients) => {
    const follower = await made.awaitFollower();
    const seen = Number((await follower.status())?.applied);
    await follower.kill();
    await eventually(async () => {
      const leader = await made.leader();
      return Number((await leader?.status())?.first) > seen + 1;
    }, 'a log that begins behind the member');
    const before = clients.acknowledged;
    await follower.start();
    await eventually(async () => Number((await follower.status())?.snapshot) > seen, 'a snapshot');
    expect(clients.acknowledged).toBeGreaterThanOrEqual(before);
  });
});

test('CS-28 CS-137 CS-330 a member whose disk was wiped comes back as another store', async () => {
  const made = await startCluster();
  await surviving(made, async () => {
    const follower = await made.awaitFollower();
    const before = (await follower.status())?.storeId;
    await follower.kill();
    await follower.wipe();
    await follower.start();
    await eventually(async () => {
      const status = await follower.status();
      return status?.isVoter === true && !status.isJoint;
    }, 'the vote of the new store');
    expect((await follower.status())?.storeId).not.toBe(before);
  });
});
