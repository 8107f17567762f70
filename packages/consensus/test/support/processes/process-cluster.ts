import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { LinkProxy } from '../link-proxy.ts';
import { RegisterClient } from './register-client.ts';
import type { RegisterServerOptions } from './register-server.ts';

/** What a process says of itself. */
export interface ProcessStatus {
  readonly role: string;
  readonly term: string;
  readonly leader: string | undefined;
  readonly applied: string;
  readonly first: string;
  readonly snapshot: string;
  readonly storeId: string;
  readonly voters: readonly string[];
  readonly learners: readonly string[];
  readonly isJoint: boolean;
  readonly failure: string | undefined;
}

/** Elections within a second, so that tests are short, and with room for a busy machine. */
export const PROCESS_TIMING = { heartbeatMs: 60, electionMinMs: 450, electionMaxMs: 900 };

const SCRIPT = fileURLToPath(new URL('./register-server.ts', import.meta.url));

/** Resolves once `isMet` does with `true`. */
export async function eventually(
  isMet: () => Promise<boolean> | boolean,
  what: string,
  limitMs = 30_000,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await isMet())) {
    if (performance.now() > deadline) throw new Error(`${what} did not come about in time`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

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

/** One process of the cluster, which may end and begin again. */
export class ClusterProcess {
  readonly number: number;
  readonly nodeId: string;
  readonly directory: string;
  readonly #options: () => RegisterServerOptions;
  #child: ChildProcess | undefined;
  #client: RegisterClient | undefined;
  #port = 0;
  errors = '';

  constructor(number: number, directory: string, options: () => RegisterServerOptions) {
    this.number = number;
    this.nodeId = `n${number}`;
    this.directory = directory;
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  /** Exit code of the last run; `null` while it runs and after a signal. */
  get exitCode(): number | null {
    return this.#child?.exitCode ?? null;
  }

  /** Starts the process; resolves when it serves clients. */
  async start(): Promise<void> {
    const child = spawn(
      process.execPath,
      ['--no-warnings', SCRIPT, JSON.stringify(this.#options())],
      { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, UV_THREADPOOL_SIZE: '16' } },
    );
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.errors += chunk;
    });
    const lines = createInterface({ input: child.stdout });
    const started = new Promise<number>((resolve, reject) => {
      lines.once('line', (line) => resolve((JSON.parse(line) as { port: number }).port));
      child.once('exit', (code) => {
        reject(new Error(`${this.nodeId} ended with ${code}: ${this.errors}`));
      });
    });
    this.#port = await started;
  }

  /** A connection of its own for a client. */
  connect(): RegisterClient {
    return new RegisterClient(this.#port);
  }

  /** What the process says; `undefined` when it does not answer. */
  async status(limitMs = 500): Promise<ProcessStatus | undefined> {
    if (!this.isRunning) return undefined;
    if (this.#client === undefined || this.#client.isClosed) this.#client = this.connect();
    const { answer } = await this.#client.request({ op: 'status' }, limitMs);
    return answer as ProcessStatus | undefined;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Ends the process as a power cut of its machine would end it. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#client?.close();
    this.#client = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** Resolves when the process has ended by itself. */
  async exited(limitMs = 20_000): Promise<number | null> {
    await eventually(() => this.#child?.exitCode !== null, `the end of ${this.nodeId}`, limitMs);
    return this.exitCode;
  }

  /** Removes everything that the process has stored. */
  async wipe(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
    mkdirSync(this.directory, { recursive: true });
  }
}

/** How a cluster of processes is made. */
export interface ProcessClusterOptions {
  readonly size: number;
  readonly directory: string;
  readonly retention?: RegisterServerOptions['retention'];
  readonly tls?: (nodeId: string, name: string) => RegisterServerOptions['tls'];
  /** Folder of a node's store, when it is not one below `directory`. */
  readonly directoryOf?: (number: number) => string | undefined;
}

/**
 * Processes on loopback with a proxy for every directed link: each process sees the others at
 * addresses of its own.
 */
export class ProcessCluster {
  readonly processes: readonly ClusterProcess[];
  readonly #links: ReadonlyMap<string, LinkProxy>;

  private constructor(processes: readonly ClusterProcess[], links: ReadonlyMap<string, LinkProxy>) {
    this.processes = processes;
    this.#links = links;
  }

  static async create(options: ProcessClusterOptions): Promise<ProcessCluster> {
    const numbers = Array.from({ length: options.size }, (_, i) => i + 1);
    const ports = new Map<number, number>();
    for (const number of numbers) ports.set(number, await freePort('127.0.0.1'));
    const links = new Map<string, LinkProxy>();
    for (const from of numbers) {
      for (const to of numbers) {
        const port = ports.get(to) ?? 0;
        const host = `127.0.${from}.${to}`;
        if (from !== to) {
          links.set(`${from}>${to}`, await LinkProxy.start(`127.0.0.1:${port}`, host, port));
        }
      }
    }
    const processes = numbers.map((number) => {
      const directory = options.directoryOf?.(number) ?? join(options.directory, `n${number}`);
      mkdirSync(directory, { recursive: true });
      return new ClusterProcess(number, directory, () =>
        serverOptions(options, { number, numbers, ports, directory }),
      );
    });
    return new ProcessCluster(processes, links);
  }

  /** Starts the first process and then the others, and waits until all of them vote. */
  async start(): Promise<void> {
    for (const process of this.processes) await process.start();
    await this.settled();
  }

  process(number: number): ClusterProcess {
    const found = this.processes[number - 1];
    if (found === undefined) throw new Error(`there is no process ${number}`);
    return found;
  }

  /** The link over which `from` opens connections to `to`. */
  link(from: number, to: number): LinkProxy {
    const link = this.#links.get(`${from}>${to}`);
    if (link === undefined) throw new Error(`there is no link ${from}>${to}`);
    return link;
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
    const statuses = await Promise.all(this.processes.map((it) => it.status()));
    const leading = statuses
      .map((status, i) => ({ status, process: this.processes[i] }))
      .filter(({ status }) => status?.role === 'leader')
      .sort((left, right) => Number(right.status?.term) - Number(left.status?.term));
    const [newest] = leading;
    const followers = statuses.filter((status) => status?.term === newest?.status?.term);
    return followers.length > this.processes.length / 2 ? newest?.process : undefined;
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
    for (const process of this.processes) process.signal('SIGCONT');
    await Promise.all(this.processes.map((process) => process.kill()));
    await Promise.all([...this.#links.values()].map((link) => link.close()));
  }
}

function serverOptions(
  { retention, tls }: ProcessClusterOptions,
  place: {
    readonly number: number;
    readonly numbers: readonly number[];
    readonly ports: ReadonlyMap<number, number>;
    readonly directory: string;
  },
): RegisterServerOptions {
  const { number, numbers, ports, directory } = place;
  const name = (of: number) => `n${of}.test`;
  return {
    nodeId: `n${number}`,
    directory: join(directory, 'store'),
    listen: `127.0.0.1:${ports.get(number)}`,
    advertise: `${name(number)}:${ports.get(number)}`,
    hosts: Object.fromEntries(numbers.map((of) => [name(of), `127.0.${number}.${of}`])),
    bootstrap: number === 1,
    contacts: number === 1 ? [] : [`${name(1)}:${ports.get(1)}`],
    timing: PROCESS_TIMING,
    retention: retention ?? {},
    tls: tls?.(`n${number}`, name(number)) ?? 'plaintext',
    watchesDisk: false,
  };
}
