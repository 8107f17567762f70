import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RandomSource } from '../../src/simulation/random-source.ts';
import { BatchEncoder, readOperations } from '../../src/storage/batch-encoder.ts';
import { BLOCK_BYTES } from '../../src/storage/journal-frame.ts';
import { type FoundJournal, scanJournal } from '../../src/storage/journal-scan.ts';
import { RECORD_KIND } from '../../src/storage/record-frame.ts';
import { StoreJournal } from '../../src/storage/store-journal.ts';
import { propRuns } from '../support/prop-runs.ts';
import { PowerLoss, SimulatedJournalDisk, SyncFailure } from '../support/simulated-journal-disk.ts';

const storeId = new Uint8Array(16).fill(7);
const NAMES = 12;
const seeds = fc.integer();

/** What a batch does to the records: a name gets the number of the batch, or loses it. */
interface Change {
  readonly seq: number;
  readonly name: number;
  readonly isPut: boolean;
  readonly bytes: number;
}

function batchOf({ seq, name, isPut, bytes }: Change): BatchEncoder {
  const batch = new BatchEncoder(1, bytes);
  const key = Uint8Array.of(name);
  const value = new Uint8Array(bytes + 4).fill(seq);
  new DataView(value.buffer).setUint32(0, seq);
  if (isPut) batch.put(RECORD_KIND.state, key, value);
  else batch.delete(key);
  // Some of its own names are in every batch of a store.
  batch.put(RECORD_KIND.witness, Uint8Array.of(NAMES + (seq % 64)), value.subarray(0, 4));
  return batch;
}

/** Carries out batches on records in memory. */
function carryOut(records: Map<number, string>, batch: Uint8Array): void {
  for (const operation of readOperations(batch)) {
    const name = operation.key[0]!;
    if (operation.type === 'del') records.delete(name);
    // The frame of a record, and the number in front of its value.
    else records.set(name, Buffer.from(operation.value.subarray(0, 10)).toString('hex'));
  }
}

/** A journal with a database behind it that may lose any of what it has not synced. */
class JournalledRecords {
  readonly disk: SimulatedJournalDisk;
  readonly #random: RandomSource;
  /** What each batch of the history has, from number 1 on. */
  readonly history: Uint8Array[] = [];
  #durable = new Map<number, string>();
  /** Batches that the database has and has not synced. */
  #unsynced: Uint8Array[] = [];
  #journal: StoreJournal | undefined;
  #lives = 0;
  acknowledged = 0;

  constructor(random: RandomSource) {
    this.#random = random;
    this.disk = new SimulatedJournalDisk(random.fork(1));
  }

  get #parts() {
    return { files: this.disk.files, storeId, checkpoint: () => this.#checkpoint() };
  }

  async create(): Promise<void> {
    this.#journal = await StoreJournal.create(this.#parts, 0n);
  }

  async write(): Promise<void> {
    const random = this.#random;
    const seq = this.history.length + 1;
    const bytes = random.chance(0.02) ? random.below(700_000) : random.below(40_000);
    const change = { seq, name: random.below(NAMES), isPut: random.chance(0.8), bytes };
    const batch = batchOf(change);
    const content = new Uint8Array(batch.blocks().subarray(56, 56 + batch.byteLength));
    this.history.push(content);
    await this.#journal!.append(batch, BigInt(seq));
    this.acknowledged = seq;
    this.#unsynced.push(content);
  }

  settle(): Promise<void> {
    return this.#journal!.settle();
  }

  async #checkpoint(): Promise<void> {
    const shown = [...this.#unsynced];
    const life = this.#lives;
    // Many batches may be written meanwhile.
    for (let turns = this.#random.below(800); turns > 0; turns -= 1) await Promise.resolve();
    if (life !== this.#lives) throw new PowerLoss();
    this.disk.step();
    for (const batch of shown) carryOut(this.#durable, batch);
    this.#unsynced = this.#unsynced.slice(shown.length);
    this.disk.step();
  }

  async scan(): Promise<ReturnType<typeof scanJournal>> {
    return scanJournal(await Promise.all(this.disk.files.map((file) => file.read())));
  }

  /** Opens after a failure: replays what is found, and holds the records against the history. */
  async recover(): Promise<void> {
    this.#lives += 1;
    this.disk.restart();
    for (const batch of this.#unsynced) {
      if (this.#random.chance(0.5)) carryOut(this.#durable, batch);
    }
    const found = await this.scan();
    if (found === undefined || 'missing' in found) throw new Error('the journal is damaged');
    const newest = Number(found.newest.seq);
    // The batch that was under way may be there as a whole.
    expect([this.acknowledged, this.history.length]).toContain(newest);
    this.history.length = newest;
    this.acknowledged = newest;
    this.#unsynced = found.batches.map(({ payload }) => payload);
    this.#expectWhole(found);
    this.#journal = new StoreJournal(this.#parts, found);
    // Again and again, when the power fails in the middle.
    this.disk.failAfter(this.#random.below(40), false);
    if (found.batches.length > 0) await this.#journal.settle();
  }

  #expectWhole({ batches }: FoundJournal): void {
    const expected = new Map<number, string>();
    for (const batch of this.history) carryOut(expected, batch);
    const records = new Map(this.#durable);
    for (const { payload } of batches) carryOut(records, payload);
    expect(records).toEqual(expected);
  }
}

function isFailure(error: unknown): boolean {
  return error instanceof PowerLoss || error instanceof SyncFailure;
}

/** Writes until the disk fails, a number of times. */
async function live(
  records: JournalledRecords,
  random: RandomSource,
  lives: number,
): Promise<void> {
  await records.create();
  for (let life = 0; life < lives; life += 1) {
    try {
      records.disk.failAfter(1 + random.below(250), random.chance(0.3));
      const writes = random.below(120);
      for (let i = 0; i < writes; i += 1) await records.write();
      if (random.chance(0.3)) await records.settle();
      throw new PowerLoss();
    } catch (error) {
      if (!isFailure(error)) throw error;
    }
    await recovered(records);
  }
}

async function recovered(records: JournalledRecords): Promise<void> {
  for (;;) {
    try {
      await records.recover();
      return;
    } catch (error) {
      if (!isFailure(error)) throw error;
    }
  }
}

test('CS-85 CS-302 whatever a disk forgets, the database gets every batch that was acknowledged', async () => {
  await fc.assert(
    fc.asyncProperty(seeds, async (seed) => {
      const random = new RandomSource(seed);
      await live(new JournalledRecords(random.fork(2)), random, 3);
    }),
    { numRuns: propRuns(30) },
  );
});

test('CS-84 CS-302 a changed bit of the journal is a missing batch, or changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(seeds, async (seed) => {
      const random = new RandomSource(seed);
      const records = new JournalledRecords(random.fork(2));
      await records.create();
      for (let i = 0; i < 100; i += 1) await records.write();
      for (let i = 0; i < 25; i += 1) {
        const file = records.disk.files[random.below(2)]!;
        // Where most frames have their heads as often as anywhere.
        const block = random.below(file.size / BLOCK_BYTES) * BLOCK_BYTES;
        const bit = 8 * block + random.below(random.chance(0.5) ? 8 * 60 : 8 * BLOCK_BYTES);
        file.flip(bit);
        const found = await records.scan();
        file.flip(bit);
        if (found === undefined) throw new Error('no frame is found');
        if ('missing' in found) continue;
        // Only the newest one can vanish so; the anchor has its number.
        expect([99n, 100n]).toContain(found.newest.seq);
        for (const { seq, payload } of found.batches) {
          expect(Buffer.compare(payload, records.history[Number(seq) - 1]!)).toBe(0);
        }
      }
    }),
    { numRuns: propRuns(4) },
  );
});
