import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import { runChild } from '../support/child-lines.ts';
import { applyingJob } from '../support/store-jobs.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const OPENER = new URL('../support/open-trials.ts', import.meta.url);
const identity = { clusterId: 'c1', nodeId: 'n1' };
/** Distance in bytes between two damaged places; smaller is slower and more thorough. */
const STRIDE = Number(process.env.SWEEP_STRIDE ?? 997);
const BATCHES = 200;

type Outcome = string;

/** One damage of a copy of the store: the file and its bytes afterwards. */
interface Damage {
  readonly name: string;
  readonly file: string;
  readonly content: Uint8Array | undefined;
}

/** Opens copies of a store in child processes and collects how each opening ended. */
class Sweep {
  readonly #root = temporaryDirectory();
  readonly #directory = path.join(this.#root, 'origin', 'consensus');

  get directory(): string {
    return this.#directory;
  }

  /** Files of the store: those of the database, and the anchor. */
  get files(): readonly string[] {
    const names = readdirSync(this.#directory).filter((name) => !/^LO(CK|G)/.test(name));
    return [...names.map((name) => path.join('consensus', name)), 'consensus.anchor'];
  }

  read(file: string): Uint8Array {
    return new Uint8Array(readFileSync(path.join(this.#root, 'origin', file)));
  }

  async create(): Promise<void> {
    const storage = await LevelLogStorage.open({ directory: this.#directory, ...identity });
    for (let i = 1; i <= BATCHES; i += 1) await storage.write(applyingJob(2 * i - 1, 2));
    await storage.close();
  }

  async outcomes(damages: readonly Damage[]): Promise<ReadonlyMap<string, Outcome>> {
    const outcomes = new Map<string, Outcome>();
    const directories = damages.map((damage, i) => this.#copy(damage, i));
    while (outcomes.size < damages.length) {
      const first = outcomes.size;
      const record = (outcome: Outcome) => outcomes.set(damages[outcomes.size]!.name, outcome);
      let begun = first;
      const end = await runChild(OPENER, directories.slice(first), (line) => {
        if (line.startsWith('begin ')) begun += 1;
        else record(line);
      });
      if (end.code === 0) break;
      expect(end.signal, end.errors).toMatch(/SIGABRT|SIGSEGV|SIGBUS/);
      expect(begun).toBe(outcomes.size + 1);
      record('aborted');
    }
    for (const directory of directories) {
      rmSync(path.dirname(directory), { recursive: true });
    }
    return outcomes;
  }

  #copy({ file, content }: Damage, i: number): string {
    const root = path.join(this.#root, `trial-${i}`);
    mkdirSync(root);
    cpSync(this.#directory, path.join(root, 'consensus'), { recursive: true });
    copyFileSync(`${this.#directory}.anchor`, path.join(root, 'consensus.anchor'));
    if (content === undefined) rmSync(path.join(root, file));
    else writeFileSync(path.join(root, file), content);
    return path.join(root, 'consensus');
  }
}

function flips(sweep: Sweep, file: string, stride: number): Damage[] {
  const content = sweep.read(file);
  const damages: Damage[] = [];
  for (let at = 0; at < content.length; at += stride) {
    const bit = 1 << (at % 8);
    damages.push({
      name: `${file} byte ${at}`,
      file,
      content: content.map((byte, i) => (i === at ? byte ^ bit : byte)),
    });
  }
  return damages;
}

async function pristine(sweep: Sweep): Promise<Outcome> {
  const file = 'consensus.anchor';
  const outcomes = await sweep.outcomes([{ name: 'none', file, content: sweep.read(file) }]);
  const outcome = outcomes.get('none')!;
  expect(outcome).toMatch(/^opened /);
  return outcome;
}

/** Every outcome is the whole content, a refusal by name, or an abort; never a silent loss. */
function expectNoSilentLoss(outcomes: ReadonlyMap<string, Outcome>, whole: Outcome): void {
  const allowed = [whole, 'refused RAFT_STORAGE_CORRUPT', 'aborted'];
  const silent = [...outcomes].filter(([, outcome]) => !allowed.includes(outcome));
  expect(silent).toEqual([]);
}

test('CS-322 CS-76 a write-ahead file cut anywhere is refused', async () => {
  const sweep = new Sweep();
  await sweep.create();
  const file = sweep.files.find((name) => name.endsWith('.log'))!;
  const content = sweep.read(file);
  const cuts = new Set<number>();
  for (let cut = 0; cut < content.length; cut += STRIDE) cuts.add(cut);
  for (let cut = content.length - 1; cut > content.length - 400; cut -= 13) cuts.add(cut);
  const damages = [...cuts].map((cut) => ({
    name: `cut at ${cut}`,
    file,
    content: content.slice(0, cut),
  }));
  const outcomes = await sweep.outcomes(damages);
  expect(new Set(outcomes.values())).toEqual(new Set(['refused RAFT_STORAGE_CORRUPT']));
});

test('CS-322 a changed byte in the write-ahead file loses nothing silently', async () => {
  const sweep = new Sweep();
  await sweep.create();
  const whole = await pristine(sweep);
  const file = sweep.files.find((name) => name.endsWith('.log'))!;
  expectNoSilentLoss(await sweep.outcomes(flips(sweep, file, STRIDE)), whole);
});

test('CS-322 a changed byte in a table, MANIFEST, CURRENT, journal or anchor loses nothing', async () => {
  const sweep = new Sweep();
  await sweep.create();
  // Each open moves the write-ahead file into a table.
  await (await LevelLogStorage.open({ directory: sweep.directory, ...identity })).close();
  const whole = await pristine(sweep);
  const damages = sweep.files.flatMap((file) => {
    const isLarge = file.endsWith('.ldb');
    const isAnchor = file.endsWith('.anchor');
    // Mostly frames that are not needed any more, and zeros.
    if (path.basename(file).startsWith('JOURNAL')) return flips(sweep, file, 7 * STRIDE);
    return flips(sweep, file, isLarge ? STRIDE : isAnchor ? 331 : 7);
  });
  expectNoSilentLoss(await sweep.outcomes(damages), whole);
});

test('CS-322 each missing file is refused', async () => {
  const sweep = new Sweep();
  await sweep.create();
  await (await LevelLogStorage.open({ directory: sweep.directory, ...identity })).close();
  const needed = sweep.files.filter((file) => !file.endsWith('.log'));
  const damages = needed.map((file) => ({ name: file, file, content: undefined }));
  const outcomes = await sweep.outcomes(damages);
  expect([...outcomes]).toEqual(needed.map((file) => [file, 'refused RAFT_STORAGE_CORRUPT']));
});
