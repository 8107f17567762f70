import path from 'node:path';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { BatchEncoder } from '../../src/storage/batch-encoder.ts';
import { JournalWatch } from '../../src/storage/journal-watch.ts';
import {
  newestJournal,
  openDatabase,
  type StoreDatabase,
  syncDirectory,
  WRITE_BUFFER_BYTES,
} from '../../src/storage/level-directory.ts';
import { RECORD_KIND } from '../../src/storage/record-frame.ts';
import { propRuns } from '../support/prop-runs.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

vi.mock('../../src/storage/level-directory.ts', async (load) => {
  const actual = await load<typeof import('../../src/storage/level-directory.ts')>();
  return {
    ...actual,
    newestJournal: vi.fn(actual.newestJournal),
    syncDirectory: vi.fn(actual.syncDirectory),
  };
});

/** How an operation of a batch looks; no value for a deletion. */
interface Shape {
  readonly keyBytes: number;
  readonly valueBytes: number | undefined;
}

const shape: fc.Arbitrary<Shape> = fc.record({
  keyBytes: fc.integer({ min: 1, max: 40 }),
  valueBytes: fc.oneof(
    fc.constant(undefined),
    fc.nat(40),
    fc.integer({ min: 200, max: 2_000 }),
    // The sizes around which LevelDB changes how it takes memory.
    fc.integer({ min: 900, max: 1_100 }),
    fc.integer({ min: 4_000, max: 5_000 }),
    fc.integer({ min: 50_000, max: 400_000 }),
  ),
});
/** A command with its positions, a record and the witness. */
const USUAL: readonly Shape[] = [310, 260, 30, 50].map((valueBytes) => ({
  keyBytes: 5,
  valueBytes,
}));
/** Batches of a few shapes, in turns. */
const batches = fc.array(fc.array(shape, { minLength: 1, maxLength: 40 }), {
  minLength: 1,
  maxLength: 4,
});

/** Write buffers that each run fills. */
const BUFFERS = 2;
const BATCH_BYTES_MIN = 1_500;
const BATCHES_MAX = 20_000;

let drawn = 0;

function batchOf(shapes: readonly Shape[]): BatchEncoder {
  const batch = new BatchEncoder(1);
  while (batch.byteLength < BATCH_BYTES_MIN) addShapes(batch, shapes);
  return batch;
}

function addShapes(batch: BatchEncoder, shapes: readonly Shape[]): void {
  for (const { keyBytes, valueBytes } of shapes) {
    const key = new Uint8Array(keyBytes + 4);
    drawn += 1;
    // In no order, like hashed keys.
    new DataView(key.buffer).setUint32(0, Math.imul(drawn, 0x9e37_79b1));
    if (valueBytes === undefined) batch.delete(key);
    else batch.put(RECORD_KIND.state, key, new Uint8Array(valueBytes));
  }
}

/** What a watch did for a run of batches. */
interface Course {
  readonly batches: number;
  readonly bytes: number;
  readonly journals: number;
  readonly looks: number;
}

/** Writes batch after batch and looks itself at the directory behind each of them. */
async function watched(
  directory: string,
  database: StoreDatabase,
  shapes: readonly (readonly Shape[])[],
): Promise<Course> {
  const actual = await vi.importActual<typeof import('../../src/storage/level-directory.ts')>(
    '../../src/storage/level-directory.ts',
  );
  const watch = new JournalWatch(directory);
  const [looks, syncs] = [vi.mocked(newestJournal), vi.mocked(syncDirectory)];
  looks.mockClear();
  let journal = actual.newestJournal(directory);
  let journals = 0;
  let count = 0;
  let bytes = 0;
  while (journals < BUFFERS && count < BATCHES_MAX && bytes < 8 * WRITE_BUFFER_BYTES) {
    const batch = batchOf(shapes[count % shapes.length] ?? []);
    await database.batch([...batch.operations]);
    syncs.mockClear();
    await watch.written(batch);
    const newest = actual.newestJournal(directory);
    const isNew = newest !== journal;
    expect(syncs.mock.calls.length, `batch ${count}, ${bytes} bytes`).toBe(isNew ? 1 : 0);
    if (isNew) journals += 1;
    journal = newest;
    count += 1;
    bytes += batch.byteLength;
  }
  return { batches: count, bytes, journals, looks: looks.mock.calls.length };
}

test('CS-351 no new write-ahead file is missed, whatever the batches look like', {
  timeout: 120_000,
}, async () => {
  let run = 0;
  const root = temporaryDirectory();
  const property = fc.asyncProperty(batches, async (shapes) => {
    run += 1;
    const directory = path.join(root, String(run));
    const database = await openDatabase(directory, true);
    try {
      const course = await watched(directory, database, shapes);
      expect(course.journals).toBe(BUFFERS);
      // Once in front of all, and for each buffer only when it is as good as full.
      const nearlyFull = Math.ceil((96 * 1_024 * course.batches) / course.bytes);
      expect(course.looks).toBeLessThanOrEqual(1 + (course.journals + 1) * (2 + nearlyFull));
    } finally {
      await database.close();
    }
  });
  await fc.assert(property, { numRuns: propRuns(6), examples: [[[[...USUAL]]]] });
});
