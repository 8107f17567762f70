import type { CredentialBundle } from '../../../src/transport/credentials.ts';
import type { ClusterProcess } from './cluster-process.ts';
import { eventually } from './eventually.ts';
import { working } from './fixture.ts';
import type { ProcessCluster } from './process-cluster.ts';

/** What a fault may use. Whatever it breaks it mends before it resolves. */
export interface FaultContext {
  readonly cluster: ProcessCluster;
  /** The process that is never ended, so that its memory can be followed. */
  readonly survivor: ClusterProcess;
  /** A whole number from `low` on and below `high`. */
  readonly between: (low: number, high: number) => number;
  readonly certificateOf: (nodeId: string) => CredentialBundle;
}

type Fault = (context: FaultContext) => Promise<void>;

function pick<T>({ between }: FaultContext, among: readonly T[]): T {
  const picked = among[between(0, among.length)];
  if (picked === undefined) throw new Error('there is nothing to pick from');
  return picked;
}

/** The leader, once that is a process that may end. */
async function mortalLeader({ cluster, survivor }: FaultContext): Promise<ClusterProcess> {
  for (;;) {
    const leader = await cluster.awaitLeader();
    if (leader !== survivor) return leader;
    survivor.signal('SIGSTOP');
    await eventually(async () => {
      const next = await cluster.leader();
      return next !== undefined && next !== survivor;
    }, 'another leader than one that stands still');
    survivor.signal('SIGCONT');
  }
}

function mortals({ cluster, survivor }: FaultContext): readonly ClusterProcess[] {
  return cluster.processes.filter((it) => it !== survivor);
}

async function killed(context: FaultContext, ...victims: ClusterProcess[]): Promise<void> {
  await Promise.all(victims.map((it) => it.kill()));
  await working(context.between(0, 2_500));
  await Promise.all(victims.map((it) => it.start()));
}

async function stopped(context: FaultContext, victim: ClusterProcess): Promise<void> {
  victim.signal('SIGSTOP');
  await working(context.between(100, 4_000));
  victim.signal('SIGCONT');
}

async function slowDisk(context: FaultContext, victim: ClusterProcess): Promise<void> {
  const maxMs = context.between(20, 200);
  await victim.ask({ op: 'slowDisk', minMs: 5, maxMs });
  await working(context.between(500, 3_000));
  if (context.between(0, 2) === 0 && victim !== context.survivor) await killed(context, victim);
  else await victim.ask({ op: 'slowDisk', minMs: 0, maxMs: 0 });
}

async function dropped(context: FaultContext): Promise<void> {
  const { cluster, between } = context;
  const victim = pick(context, mortals(context));
  await victim.kill();
  await eventually(async () => {
    const leader = await cluster.awaitLeader();
    await leader.ask({ op: 'drop', nodeId: victim.nodeId }, 4_000);
    const status = await (await cluster.awaitLeader()).status();
    const members = [...(status?.voters ?? []), ...(status?.learners ?? [])];
    return members.length > 0 && !members.includes(victim.nodeId) && !status?.isJoint;
  }, `a cluster without ${victim.nodeId}`);
  if (between(0, 2) === 0) await victim.wipe();
  await victim.start();
}

/** Everything that can go wrong, by name. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'kill the leader': async (context) => killed(context, await mortalLeader(context)),
  'kill a process': async (context) => killed(context, pick(context, mortals(context))),
  'kill a majority': async (context) => killed(context, ...mortals(context)),
  'stop the leader': async (context) => stopped(context, await context.cluster.awaitLeader()),
  'stop a process': async (context) => stopped(context, pick(context, context.cluster.processes)),
  'isolate the leader': async (context) => {
    const { cluster, between } = context;
    const leader = await cluster.awaitLeader();
    for (const link of cluster.linksOf(leader.number)) link.cut();
    await working(between(500, 4_000));
    cluster.heal();
  },
  'cut links one way': async (context) => {
    const { cluster, between } = context;
    const victim = pick(context, cluster.processes);
    for (const link of cluster.linksOf(victim.number)) {
      if (between(0, 2) === 0) link.cut(between(0, 2) === 0 ? 'forward' : 'backward');
    }
    await working(between(500, 3_000));
    cluster.heal();
  },
  'break connections': async (context) => {
    const victim = pick(context, context.cluster.processes);
    for (let i = 0; i < 5; i += 1) {
      for (const link of context.cluster.linksOf(victim.number)) link.reset();
      await working(context.between(10, 300));
    }
  },
  'slow links': async (context) => {
    const { cluster, between } = context;
    const victim = pick(context, cluster.processes);
    for (const link of cluster.linksOf(victim.number)) {
      link.delay(between(5, 150));
      link.limit(between(32, 256) * 1_024);
    }
    await working(between(1_000, 4_000));
    cluster.heal();
  },
  'slow disk of the leader': async (context) =>
    slowDisk(context, await context.cluster.awaitLeader()),
  'slow disk of a process': async (context) =>
    slowDisk(context, pick(context, context.cluster.processes)),
  'full disk': async (context) => {
    const victim = pick(context, mortals(context));
    victim.disk?.fill();
    await victim.exited();
    await working(context.between(0, 1_000));
    victim.disk?.free();
    await victim.start();
  },
  'wiped disk': async (context) => {
    const victim = pick(context, mortals(context));
    await victim.kill();
    await victim.wipe();
    await victim.start();
  },
  'drop and rejoin': dropped,
  'new credentials': async (context) => {
    for (const victim of context.cluster.processes) {
      await victim.ask({ op: 'credentials', tls: context.certificateOf(victim.nodeId) });
      await working(context.between(0, 300));
    }
  },
};
