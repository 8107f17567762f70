import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.ts';
import { RegisterClient } from './register-client.ts';
import type {
  ProcessMemory,
  ProcessStatus,
  RegisterCall,
  RegisterServerOptions,
} from './register-protocol.ts';
import type { SmallDisk } from './small-disk.ts';

const SCRIPT = fileURLToPath(new URL('./register-server.ts', import.meta.url));

/** How much of what a process says is kept. */
const ERRORS_KEPT = 20_000;

/** Where a process stores, and what it is told at its next start. */
export interface ClusterProcessPlace {
  readonly number: number;
  readonly directory: string;
  /** The disk that the directory lies on, when it is not that of the machine. */
  readonly disk?: SmallDisk | undefined;
  readonly options: () => RegisterServerOptions;
}

/** One process of the cluster, which may end and begin again. */
export class ClusterProcess {
  readonly number: number;
  readonly nodeId: string;
  readonly directory: string;
  readonly disk: SmallDisk | undefined;
  readonly #options: () => RegisterServerOptions;
  #child: ChildProcess | undefined;
  #client: RegisterClient | undefined;
  #port = 0;
  errors = '';

  constructor({ number, directory, disk, options }: ClusterProcessPlace) {
    this.number = number;
    this.nodeId = `n${number}`;
    this.directory = directory;
    this.disk = disk;
    this.#options = options;
  }

  /** Where it listens for the other members, without the proxies between. */
  get endpoint(): string {
    return this.#options().listen;
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
    const script = ['--no-warnings', '--expose-gc', SCRIPT, JSON.stringify(this.#options())];
    const command = [...(this.disk?.prefix ?? []), process.execPath, ...script];
    const [program = process.execPath, ...args] = command;
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, UV_THREADPOOL_SIZE: '16' },
    });
    this.#child = child;
    this.errors = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.errors = `${this.errors}${chunk}`.slice(-ERRORS_KEPT);
    });
    const lines = createInterface({ input: child.stdout });
    const started = new Promise<number>((resolve, reject) => {
      lines.once('line', (line) => resolve((JSON.parse(line) as { port: number }).port));
      child.once('error', reject);
      // Not at its exit: what it had to say may still be on its way then.
      child.once('close', (code) => {
        reject(new Error(`${this.nodeId} ended with ${code}: ${this.errors}`));
      });
    });
    this.#port = await started;
  }

  /** A connection of its own for a client. */
  connect(): RegisterClient {
    return new RegisterClient(this.#port);
  }

  /** What the process answers; `undefined` when it does not, or refuses. */
  async ask(call: RegisterCall, limitMs = 2_000): Promise<unknown> {
    if (!this.isRunning) return undefined;
    if (this.#client === undefined || this.#client.isClosed) this.#client = this.connect();
    return (await this.#client.request(call, limitMs)).answer;
  }

  /** Like {@link ask}; rejects with the reason when there is no answer. */
  async tell(call: RegisterCall, limitMs = 10_000): Promise<unknown> {
    if (this.#client === undefined || this.#client.isClosed) this.#client = this.connect();
    const { answer, refused, unknown } = await this.#client.request(call, limitMs);
    if (answer === undefined) throw new Error(`${this.nodeId} ${call.op}: ${refused ?? unknown}`);
    return answer;
  }

  async status(limitMs = 500): Promise<ProcessStatus | undefined> {
    return (await this.ask({ op: 'status' }, limitMs)) as ProcessStatus | undefined;
  }

  async memory(): Promise<ProcessMemory | undefined> {
    return (await this.ask({ op: 'memory' }, 5_000)) as ProcessMemory | undefined;
  }

  /** Why connections were refused since the start, each with the node that was refused. */
  async refusals(): Promise<readonly string[]> {
    return ((await this.ask({ op: 'refusals' })) ?? []) as readonly string[];
  }

  /** What can be said of it when something has gone wrong. */
  async describe(): Promise<string> {
    const network = JSON.stringify(await this.ask({ op: 'network' }));
    const refusals = (await this.refusals()).slice(-5).join('\n  ');
    return `${this.nodeId}: ${network}\n  ${refusals}\n${this.errors}`;
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
    if (this.disk !== undefined) {
      this.disk.wipe();
      return;
    }
    await rm(this.directory, { recursive: true, force: true });
    mkdirSync(this.directory, { recursive: true });
  }
}
