import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { LinkProxy } from '../link-proxy.ts';
import { ClusterProcess } from './cluster-process.ts';
import { eventually } from './eventually.ts';
import type { RegisterServerOptions } from './register-protocol.ts';
import type { SmallDisk } from './small-disk.ts';

/** Elections within a second, so that tests are short, and with room for a busy machine. */
export const PROCESS_TIMING = { heartbeatMs: 60, electionMinMs: 450, electionMaxMs: 900 };

async function freePort(host: string): Promise<number> {
  const server = createServer();
  server.listen({ host, port: 0 });
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** How a cluster of processes is made. */
export interface ProcessClusterOptions {
  readonly size: number;
  readonly directory: string;
  readonly retention?: RegisterServerOptions['retention'] | undefined;
  readonly diskSpace?: RegisterServerOptions['diskSpace'] | undefined;
  /** Credentials for a node, which is reached under a name. */
  readonly tls?: ((nodeId: string, name: string) => RegisterServerOptions['tls']) | undefined;
  /** Disks of their own, for the processes of these numbers. */
  readonly disks?: ReadonlyMap<number, SmallDisk> | undefined;
}

/** Name under which the others reach a node. */
const nameOf = (number: number): string => `n${number}.test`;

/**
 * Processes on loopback with a proxy for every directed link: each process sees the others at
 * addresses of its own.
 */
export class ProcessCluster {
  readonly #options: ProcessClusterOptions;
  readonly #numbers: readonly number[];
  readonly #processes = new Map<number, ClusterProcess>();
  readonly #links = new Map<string, LinkProxy>();
  readonly #spare: ClusterProcess[] = [];
  readonly #endpoints = new Map<number, string>();
  /** Newest feature level of the release on each node; 1 when absent. */
  readonly #releases = new Map<number, number>();
  #isFounded = false;

  private constructor(options: ProcessClusterOptions) {
    this.#options = options;
    this.#numbers = Array.from({ length: options.size }, (_, i) => i + 1);
  }

  static async create(options: ProcessClusterOptions): Promise<ProcessCluster> {
    const cluster = new ProcessCluster(options);
    for (const number of cluster.#numbers) {
      cluster.#processes.set(number, await cluster.#createProcess(number));
    }
    return cluster;
  }

  get processes(): readonly ClusterProcess[] {
    return [...this.#processes.values()];
  }

  /** Starts the first process and then the others, and waits until all of them vote. */
  async start(): Promise<void> {
    for (const process of this.processes) await process.start();
    await this.settled();
    this.#isFounded = true;
  }

  process(number: number): ClusterProcess {
    const found = this.#processes.get(number);
    if (found === undefined) throw new Error(`there is no process ${number}`);
    return found;
  }

  /** From its next start on the node runs the release with this newest feature level. */
  install(number: number, featureLevel: number): void {
    this.#releases.set(number, featureLevel);
  }

  /** Another process for the name of one that is there, with a store and a port of its own. */
  async twin(number: number, directory: string): Promise<ClusterProcess> {
    const twin = await this.#createProcess(number, directory);
    this.#spare.push(twin);
    return twin;
  }

  /** From now on this process counts in place of the one that had its name. */
  adopt(twin: ClusterProcess): void {
    this.#spare.push(this.process(twin.number));
    this.#processes.set(twin.number, twin);
  }

  /** The link over which `from` opens connections to `to`. */
  link(from: number, to: number): LinkProxy {
    const link = this.#links.get(`${from}>${to}`);
    if (link === undefined) throw new Error(`there is no link ${from}>${to}`);
    return link;
  }

  /** The links to and from a process. */
  linksOf(number: number): readonly LinkProxy[] {
    const others = this.#numbers.filter((it) => it !== number);
    return others.flatMap((other) => [this.link(number, other), this.link(other, number)]);
  }

  /** Cuts every link between two groups, both ways. */
  partition(left: readonly number[], right: readonly number[]): void {
    for (const one of left) {
      for (const other of right) {
        this.link(one, other).cut();
        this.link(other, one).cut();
      }
    }
  }

  heal(): void {
    for (const link of this.#links.values()) link.heal();
  }

  /** The process that leads and that a majority follows. */
  async leader(): Promise<ClusterProcess | undefined> {
    const processes = this.processes;
    const statuses = await Promise.all(processes.map((it) => it.status()));
    const leading = statuses
      .map((status, i) => ({ status, process: processes[i] }))
      .filter(({ status }) => status?.role === 'leader')
      .sort((left, right) => Number(right.status?.term) - Number(left.status?.term));
    const [newest] = leading;
    const followers = statuses.filter((status) => status?.term === newest?.status?.term);
    return followers.length > processes.length / 2 ? newest?.process : undefined;
  }

  async awaitLeader(limitMs = 30_000): Promise<ClusterProcess> {
    let leader: ClusterProcess | undefined;
    await eventually(
      async () => {
        leader = await this.leader();
        return leader !== undefined;
      },
      'a leader',
      limitMs,
    );
    if (leader === undefined) throw new Error('there is no leader');
    return leader;
  }

  /** A process that runs and does not lead. */
  async awaitFollower(): Promise<ClusterProcess> {
    const leader = await this.awaitLeader();
    const follower = this.processes.find((it) => it !== leader && it.isRunning);
    if (follower === undefined) throw new Error('there is no follower');
    return follower;
  }

  /** Resolves when all processes vote, agree on a leader and have applied the same. */
  async settled(limitMs = 60_000): Promise<void> {
    let seen: readonly unknown[] = [];
    try {
      await eventually(
        async () => {
          const statuses = await Promise.all(this.processes.map((it) => it.status()));
          seen = statuses;
          const [first] = statuses;
          const voters = this.processes.map(({ nodeId }) => nodeId);
          return statuses.every(
            (status) =>
              status !== undefined &&
              status.leader !== undefined &&
              status.leader === first?.leader &&
              status.applied === first.applied &&
              !status.isJoint &&
              voters.length === status.voters.length &&
              voters.every((voter) => status.voters.includes(voter)),
          );
        },
        'a settled cluster',
        limitMs,
      );
    } catch (error) {
      throw new Error(`${String(error)}: ${JSON.stringify(seen)}`, { cause: error });
    }
  }

  async close(): Promise<void> {
    const processes = [...this.processes, ...this.#spare];
    for (const process of processes) process.signal('SIGCONT');
    await Promise.all(processes.map((process) => process.kill()));
    await Promise.all([...this.#links.values()].map((link) => link.close()));
  }

  async #createProcess(number: number, twinDirectory?: string): Promise<ClusterProcess> {
    const port = await freePort('127.0.0.1');
    const endpoint = `${nameOf(number)}:${port}`;
    if (twinDirectory === undefined) this.#endpoints.set(number, endpoint);
    for (const from of this.#numbers) {
      if (from === number) continue;
      const link = await LinkProxy.start(`127.0.0.1:${port}`, `127.0.${from}.${number}`, port);
      const name = `${from}>${number}${twinDirectory === undefined ? '' : `:${port}`}`;
      this.#links.set(name, link);
    }
    const disk = twinDirectory === undefined ? this.#options.disks?.get(number) : undefined;
    const ownDirectory = disk?.directory ?? join(this.#options.directory, `n${number}`);
    const directory = twinDirectory ?? ownDirectory;
    mkdirSync(directory, { recursive: true });
    const options = (): RegisterServerOptions => ({
      ...this.#common(number),
      directory: join(directory, 'store'),
      listen: `127.0.0.1:${port}`,
      advertise: endpoint,
      ...this.#entrance(number),
    });
    return new ClusterProcess({ number, directory, disk, options });
  }

  /** The first process founds the cluster, once; whoever comes later is to find it. */
  #entrance(number: number): Pick<RegisterServerOptions, 'bootstrap' | 'contacts'> {
    if (!this.#isFounded && number === 1) return { bootstrap: true, contacts: [] };
    const others = this.#numbers.filter((it) => (this.#isFounded ? it !== number : it === 1));
    const contacts = others.map((it) => this.#endpoints.get(it) ?? '');
    return { bootstrap: false, contacts };
  }

  /** What does not depend on the place of a process. */
  #common(
    number: number,
  ): Omit<RegisterServerOptions, 'directory' | 'listen' | 'advertise' | 'bootstrap' | 'contacts'> {
    const { retention, tls, diskSpace } = this.#options;
    const nodeId = `n${number}`;
    return {
      clusterId: 'registers',
      nodeId,
      hosts: Object.fromEntries(this.#numbers.map((to) => [nameOf(to), `127.0.${number}.${to}`])),
      timing: PROCESS_TIMING,
      retention: retention ?? {},
      tls: tls?.(nodeId, nameOf(number)) ?? 'plaintext',
      diskSpace: diskSpace ?? 'unwatched',
      featureLevel: this.#releases.get(number) ?? 1,
    };
  }
}
