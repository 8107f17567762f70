import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ConfigurationRecord, type Entry, ZERO_CHAIN } from '../../src/raft/entry.ts';
import type { HardState } from '../../src/raft/hard-state.ts';
import { LevelLogStorage } from '../../src/storage/level-log-storage.ts';
import type { LogStorage, StateWrite, StoreJob } from '../../src/storage/log-storage.ts';
import { MemoryDisk, MemoryLogStorage } from '../../src/storage/memory-log-storage.ts';
import { configurationAt } from '../../src/storage/stored-configurations.ts';
import { propRuns } from '../support/prop-runs.ts';
import { withDatabase } from '../support/raw-database.ts';
import { printOf } from '../support/scripted-history.ts';
import {
  CLUSTER_UID,
  configuration,
  configurationEntry,
  entryBehind,
  job,
} from '../support/store-jobs.ts';
import { build, FIRST, finish, founded, receive } from '../support/store-snapshots.ts';
import { BLOCKS, blockStarts, entriesOf } from '../support/stored-blocks.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
/** Payload sizes in bytes; two of the largest do not fit one block. */
const sizes = fc.array(
  fc.oneof({ arbitrary: fc.nat(60), weight: 9 }, { arbitrary: fc.constant(140_000), weight: 1 }),
  { maxLength: 7 },
);
const change = fc.record({
  kind: fc.constant('job' as const),
  isNewTerm: fc.boolean(),
  cut: maybe(share),
  sizes,
  hasConfiguration: fc.boolean(),
  applied: maybe(share),
  record: fc.nat(4),
  purge: maybe(share),
});
const installation = fc.record({
  kind: fc.constantFrom('installKept' as const, 'installOther' as const),
  share,
  beyond: fc.nat(3),
});
const steps = fc.array(
  fc.record({
    step: fc.oneof({ arbitrary: change, weight: 5 }, { arbitrary: installation, weight: 1 }),
    isReopened: fc.boolean(),
    limit: fc.oneof(fc.nat(300), fc.nat(400_000)),
  }),
  { minLength: 1, maxLength: 14 },
);

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;
type Installation = typeof installation extends fc.Arbitrary<infer T> ? T : never;

/** A point of a range by its share of it; `undefined` in an empty range, or when none is drawn. */
function pointOf(from: bigint, through: bigint, drawn: number | undefined): bigint | undefined {
  if (drawn === undefined || from > through) return undefined;
  const count = Number(through - from) + 1;
  return from + BigInt(Math.min(count - 1, Math.floor(drawn * count)));
}

/** A store on disk beside one in memory that is given the same, and the whole log as an array. */
class Twins {
  readonly #directory: string;
  readonly #disk = new MemoryDisk();
  /** All entries from the first on, purged ones as well. */
  log: readonly Entry[] = [];
  #level: LevelLogStorage | undefined;
  #memory: MemoryLogStorage | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  get level(): LevelLogStorage {
    if (this.#level === undefined) throw new Error('the stores are open');
    return this.#level;
  }

  get both(): readonly LogStorage[] {
    if (this.#memory === undefined) throw new Error('the stores are open');
    return [this.level, this.#memory];
  }

  async open(): Promise<void> {
    const identity = { clusterId: 'c1', nodeId: 'n1' };
    this.#level = await LevelLogStorage.open({ directory: this.#directory, ...identity });
    this.#memory = await MemoryLogStorage.open({ disk: this.#disk, ...identity });
  }

  async close(): Promise<void> {
    for (const storage of this.both) await storage.close();
  }

  async write(written: StoreJob): Promise<void> {
    for (const storage of this.both) await storage.write(written);
  }

  async found(): Promise<void> {
    this.log = founded(3);
    // The first configuration is committed, so that there always is one.
    const hardState = hardStateOf(1n, 1n);
    const parts = { clusterUid: CLUSTER_UID, hardState, configurations: [FIRST] };
    await this.write(job({ ...parts, entries: this.log }));
  }

  async change(drawn: Change): Promise<void> {
    const { hardState, applied, bounds } = this.level;
    const term = hardState.term + (drawn.isNewTerm ? 1n : 0n);
    const truncateFrom = pointOf(hardState.commit + 1n, bounds.last.index, drawn.cut);
    const purgeThrough = pointOf(bounds.purged.index + 1n, applied.index, drawn.purge);
    const start = this.log.slice(0, Number((truncateFrom ?? bounds.last.index + 1n) - 1n));
    const added = entriesDrawn(start, term, drawn);
    this.log = [...start, ...added.map(({ entry }) => entry)];
    const last = BigInt(this.log.length);
    const index = pointOf(applied.index + 1n, last, drawn.applied);
    const moved = index && {
      index,
      term: this.entryAt(index).term,
      revision: applied.revision + 1n,
    };
    const commit = moved ? moved.index : hardState.commit;
    await this.write({
      entries: added.map(({ entry }) => entry),
      configurations: added.flatMap(({ record }) => record ?? []),
      hardState: hardStateOf(term, commit),
      writes: moved ? writesOf(drawn.record, moved.index) : [],
      ...(moved ? { applied: moved } : {}),
      ...(truncateFrom ? { truncateFrom } : {}),
      ...(purgeThrough ? { purgeThrough } : {}),
    });
  }

  /** Installs the snapshot of a store that has a part of this log, or another one behind it. */
  async install({ kind, share: drawn, beyond }: Installation): Promise<void> {
    const { hardState, applied, bounds } = this.level;
    const term = hardState.term + 1n;
    const own = pointOf(applied.index + 1n, bounds.last.index, drawn);
    await this.write(job({ hardState: hardStateOf(term, hardState.commit) }));
    if (kind === 'installKept') {
      if (own !== undefined) await this.#installFrom(this.log.slice(0, Number(own)), term);
      return;
    }
    const common = this.log.slice(0, Number(applied.index));
    const count = 1 + beyond + Number((own ?? applied.index) - applied.index);
    const parts = { sizes: new Array<number>(count).fill(9), hasConfiguration: true };
    const other = entriesDrawn(common, term, parts);
    this.log = [...common, ...other.map(({ entry }) => entry)];
    await this.#installFrom(this.log, term);
  }

  async #installFrom(log: readonly Entry[], term: bigint): Promise<void> {
    const disk = new MemoryDisk();
    const from = await MemoryLogStorage.open({ disk, clusterId: 'c1', nodeId: 'n2' });
    const last = log.at(-1)!;
    const configurations = recordsIn(log);
    await from.write({
      clusterUid: CLUSTER_UID,
      hardState: hardStateOf(term, last.index),
      entries: log,
      configurations,
      applied: { index: last.index, term: last.term, revision: 100n + last.index },
      writes: writesOf(1, last.index),
    });
    await build(from, configurationAt(configurations, last.index)!);
    for (const storage of this.both) {
      await finish(storage.installSnapshot(await receive(from, storage)));
    }
    await from.close();
  }

  entryAt(index: bigint): Entry {
    return this.log[Number(index) - 1]!;
  }

  async check(limit: number): Promise<void> {
    const [level, memory] = this.both;
    expect(await printOf(level!)).toBe(await printOf(memory!));
    expect(level!.hardState).toEqual(memory!.hardState);
    const { purged, last } = level!.bounds;
    const kept = this.log.slice(Number(purged.index));
    expect(last.index).toBe(BigInt(this.log.length));
    if (kept.length === 0) return;
    const first = purged.index + 1n;
    expect(await level!.entries(first, last.index, Number.MAX_SAFE_INTEGER)).toEqual(kept);
    for (const drawn of [0, 0.3, 0.6, 1]) {
      const from = pointOf(first, last.index, drawn)!;
      const wanted = await memory!.entries(from, last.index, limit);
      expect(await level!.entries(from, last.index, limit)).toEqual(wanted);
    }
  }

  /** Of a closed store nothing is left in the end but what the log needs. */
  async checkBlocks(purged: bigint): Promise<void> {
    await withDatabase(this.#directory, async (database) => {
      const starts = await blockStarts(database);
      expect(starts.filter((first) => first <= purged).length).toBeLessThanOrEqual(1);
      const stored: Entry[] = [];
      for (const [key, value] of await database.iterator(BLOCKS).all()) {
        const block = entriesOf({ key, value });
        expect(block.at(-1)!.index).toBeGreaterThan(purged);
        stored.push(...block.filter(({ index }) => index > purged));
      }
      expect(stored).toEqual(this.log.slice(Number(purged)));
    });
  }
}

function hardStateOf(term: bigint, commit: bigint): HardState {
  return { term, commit, votedFor: { nodeId: 'n1', storeId: 'aa'.repeat(16) } };
}

function writesOf(record: number, index: bigint): readonly StateWrite[] {
  const key = Uint8Array.of(record);
  const value = record === 0 ? undefined : new TextEncoder().encode(`as of ${index}`);
  return [
    { key, value },
    { key: Uint8Array.of(9, record), value: key },
  ];
}

interface Drawn {
  readonly entry: Entry;
  readonly record: ConfigurationRecord | undefined;
}

/** Entries behind a log, the last of which may introduce a configuration. */
function entriesDrawn(
  start: readonly Entry[],
  term: bigint,
  { sizes: drawn, hasConfiguration }: Pick<Change, 'sizes' | 'hasConfiguration'>,
): readonly Drawn[] {
  let chain = start.at(-1)?.chain ?? ZERO_CHAIN;
  return drawn.map((size, i) => {
    const index = start.length + 1 + i;
    const isConfiguration = hasConfiguration && i === drawn.length - 1;
    const introduced = configuration('n1', `m${index}`);
    const entry = isConfiguration
      ? configurationEntry(chain, index, introduced, Number(term))
      : entryBehind(chain, index, Number(term), 'p'.repeat(size));
    chain = entry.chain;
    const record = { index: entry.index, configuration: introduced };
    return { entry, record: isConfiguration ? record : undefined };
  });
}

/** The configurations that a log introduces, known by the index in them. */
function recordsIn(log: readonly Entry[]): readonly ConfigurationRecord[] {
  return log
    .filter(({ kind }) => kind === 'configuration')
    .map(({ index }) =>
      index === 1n ? FIRST : { index, configuration: configuration('n1', `m${index}`) },
    );
}

test('CS-311 CS-352 CS-115 random jobs, cuts, purges and snapshots lead where they do in memory', {
  timeout: 120_000,
}, async () => {
  const root = temporaryDirectory();
  let run = 0;
  const property = fc.asyncProperty(steps, async (script) => {
    run += 1;
    const twins = new Twins(path.join(root, String(run)));
    await twins.open();
    try {
      await twins.found();
      for (const { step, isReopened, limit } of script) {
        if (step.kind === 'job') await twins.change(step);
        else await twins.install(step);
        await twins.check(limit);
        if (!isReopened) continue;
        await twins.close();
        await twins.open();
        await twins.check(limit);
      }
      await twins.close();
      await twins.open();
      await twins.write(job({}));
    } finally {
      await twins.close();
    }
    await twins.checkBlocks(twins.level.bounds.purged.index);
  });
  await fc.assert(property, { numRuns: propRuns(10) });
});
