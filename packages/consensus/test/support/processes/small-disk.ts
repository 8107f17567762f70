import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** What a script inside of the mount is told to do. */
const WRITE_BALLAST = `
const fs = require('node:fs');
const [file, left] = process.argv.slice(1);
const handle = fs.openSync(file, 'a');
for (let size = 1 << 20; size >= 512; size >>= 1) {
  try {
    for (;;) {
      const { bavail, bsize } = fs.statfsSync(file);
      if (bavail * bsize - Number(left) < size) break;
      if (fs.writeSync(handle, Buffer.alloc(size)) === 0) break;
    }
  } catch (error) {
    if (error.code !== 'ENOSPC') throw error;
  }
}
fs.closeSync(handle);
`;

/**
 * A file system in memory of a fixed size, which can be filled and emptied. Who may not mount gets
 * it inside of a mount namespace of its own: then everything that uses it must be started with
 * {@link prefix}.
 */
export class SmallDisk {
  readonly directory: string;
  /** Words in front of the command line of a process that is to see the disk. */
  readonly prefix: readonly string[];
  readonly #keeper: ChildProcess | undefined;

  private constructor(directory: string, keeper: ChildProcess | undefined) {
    this.directory = directory;
    this.#keeper = keeper;
    this.prefix =
      keeper === undefined
        ? []
        : ['nsenter', `--target=${keeper.pid}`, '--user', '--mount', '--preserve-credentials'];
  }

  /** Rejects when this machine lets nobody mount anything, with what was tried. */
  static async create(directory: string, bytes: number): Promise<SmallDisk> {
    mkdirSync(directory, { recursive: true });
    const mount = ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', directory];
    const direct = spawnSync('mount', mount, { encoding: 'utf8' });
    if (direct.status === 0) return new SmallDisk(directory, undefined);
    const script = `mount ${mount.join(' ')} && echo mounted && exec sleep 86400`;
    const keeper = spawn('unshare', ['-Urm', 'sh', '-c', script], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errors = '';
    keeper.on('error', (error) => {
      errors += String(error);
    });
    keeper.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      errors += chunk;
    });
    const isMounted = await new Promise<boolean>((resolve) => {
      createInterface({ input: keeper.stdout }).once('line', () => resolve(true));
      keeper.once('close', () => resolve(false));
    });
    if (isMounted) return new SmallDisk(directory, keeper);
    throw new Error(
      'a full disk needs a small file system, and this machine mounts none: neither directly' +
        ` (${direct.error ?? direct.stderr.trim()}) nor in a namespace (${errors.trim()});` +
        ' run the tests as root or allow unprivileged user namespaces',
    );
  }

  /** Leaves only so many bytes free. */
  fill(bytesLeft = 0): void {
    this.#run(process.execPath, ['-e', WRITE_BALLAST, this.#ballast, String(bytesLeft)]);
  }

  /** Gives the space back that {@link fill} took. */
  free(): void {
    this.#run('rm', ['-f', this.#ballast]);
  }

  /** Removes everything from the disk but what {@link fill} wrote. */
  wipe(): void {
    const { directory } = this;
    this.#run('find', [directory, '-mindepth', '1', '-not', '-path', this.#ballast, '-delete']);
  }

  async close(): Promise<void> {
    if (this.#keeper === undefined) {
      this.#run('umount', [this.directory]);
      return;
    }
    const ended = once(this.#keeper, 'close');
    this.#keeper.kill('SIGKILL');
    await ended;
  }

  get #ballast(): string {
    return join(this.directory, 'ballast');
  }

  #run(command: string, args: readonly string[]): void {
    const [program = command, ...rest] = [...this.prefix, command, ...args];
    const { status, stderr, error } = spawnSync(program, rest, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command} failed on a small disk: ${error ?? stderr}`);
  }
}
