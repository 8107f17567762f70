import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ResourceStore } from '../../src/resources/store/resource-store.ts';
import { DamagedVersionError, expectedOf } from '../../src/resources/store/version-folder.ts';
import { CrashingFiles } from '../support/resources/crashing-files.ts';
import { openStore, pathsBelow, temporaryFolder } from '../support/resources/open-store.ts';
import { inPieces, tarBytes } from '../support/resources/tar-bytes.ts';

const ARCHIVE = tarBytes([
  { path: 'tls.crt', content: 'certificate' },
  { path: 'deep/er/lookup.jsonl', content: '{"k":1}\n' },
  { path: 'empty/' },
]);

async function install(store: ResourceStore, bytes: Buffer = ARCHIVE) {
  const staged = await store.stage({ bytes: bytes.length }, inPieces(bytes, 600));
  await staged.install();
  return expectedOf(staged.manifest);
}

describe('the store of resource versions (CP-123)', () => {
  test('keeps equal archives once', async () => {
    const { store, directory } = await openStore();
    const { archiveDigest } = await install(store);
    await install(store);
    expect((await pathsBelow(directory)).filter((name) => !name.includes('tree/'))).toEqual([
      'objects',
      `objects/${archiveDigest}`,
      `objects/${archiveDigest}/archive.tar`,
      `objects/${archiveDigest}/manifest`,
      `objects/${archiveDigest}/tree`,
      'staging',
    ]);
    expect(await store.has(archiveDigest)).toBe(true);
    expect(await store.has('0'.repeat(64))).toBe(false);
  });

  test('leaves a version that is whole in its place, and replaces a damaged one', async () => {
    const { store } = await openStore();
    const expected = await install(store);
    const folder = store.folder(expected.archiveDigest);
    const file = path.join(folder.tree, 'tls.crt');
    const { ino } = await stat(file);
    await install(store);
    expect((await stat(file)).ino).toBe(ino);
    await chmod(file, 0o600);
    await writeFile(file, 'certificatE');
    await expect(store.verify(expected)).rejects.toThrow("'tls.crt' is not as installed");
    await install(store);
    await expect(store.verify(expected)).resolves.toMatchObject({ version: 1 });
  });

  test('removes what nothing refers to, unless it is held', async () => {
    const { store } = await openStore();
    const kept = await install(store);
    const held = await install(store, tarBytes([{ path: 'held', content: '1' }]));
    const lost = await install(store, tarBytes([{ path: 'lost', content: '1' }]));
    const release = store.hold(held.archiveDigest);
    const referenced = (): ReadonlySet<string> => new Set([kept.archiveDigest]);
    expect(await store.collect(referenced)).toEqual([lost.archiveDigest]);
    expect(await store.has(held.archiveDigest)).toBe(true);
    release();
    release();
    expect(await store.collect(referenced)).toEqual([held.archiveDigest]);
    await expect(store.verify(kept)).resolves.toMatchObject({ version: 1 });
  });

  test('gives up what is discarded, and nothing once it is installed', async () => {
    const { store, directory } = await openStore();
    const staged = await store.stage({ bytes: ARCHIVE.length }, inPieces(ARCHIVE, 600));
    expect((await pathsBelow(directory)).length).toBeGreaterThan(2);
    await staged.discard();
    await staged.discard();
    expect(await pathsBelow(directory)).toEqual(['objects', 'staging']);
    const other = await store.stage({ bytes: ARCHIVE.length }, inPieces(ARCHIVE, 600));
    await other.install();
    await other.discard();
    await expect(store.verify(expectedOf(other.manifest))).resolves.toMatchObject({ version: 1 });
  });

  test('can be read by its owner only, and changed by nobody', async () => {
    const { store } = await openStore();
    const { archiveDigest } = await install(store);
    const folder = store.folder(archiveDigest);
    const modes = await Promise.all(
      [path.join(folder.tree, 'tls.crt'), path.join(folder.directory, 'archive.tar')].map(
        async (name) => ((await stat(name)).mode & 0o777).toString(8),
      ),
    );
    expect(modes).toEqual(['400', '400']);
    expect(((await stat(folder.directory)).mode & 0o777).toString(8)).toBe('700');
  });
});

describe('a version whose bytes are not those that were installed is refused by name (CP-124)', () => {
  const ways: [string, (folder: { directory: string; tree: string }) => Promise<void>, string][] = [
    [
      'a flipped bit of a file',
      async ({ tree }) => flip(path.join(tree, 'deep', 'er', 'lookup.jsonl')),
      "'deep/er/lookup.jsonl' is not as installed",
    ],
    [
      'a flipped bit of the archive',
      async ({ directory }) => flip(path.join(directory, 'archive.tar')),
      'the archive is not as installed',
    ],
    [
      'a flipped bit of the manifest',
      async ({ directory }) => flip(path.join(directory, 'manifest')),
      'the manifest is not as installed',
    ],
    ['a missing file', async ({ tree }) => rm(path.join(tree, 'tls.crt')), "'tls.crt' is missing"],
    [
      'a file that nobody installed',
      async ({ tree }) => writeFile(path.join(tree, 'empty', 'more'), ''),
      "'empty/more' was not installed",
    ],
    [
      'a longer file',
      async ({ tree }) => {
        await chmod(path.join(tree, 'tls.crt'), 0o600);
        await writeFile(path.join(tree, 'tls.crt'), 'x', { flag: 'a' });
      },
      "'tls.crt' is not as installed",
    ],
    [
      'no folder at all',
      async ({ directory }) => rm(directory, { recursive: true }),
      'the manifest cannot be read (ENOENT)',
    ],
  ];

  async function flip(name: string): Promise<void> {
    await chmod(name, 0o600);
    const bytes = await readFile(name);
    const middle = Math.floor(bytes.length / 2);
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 4, middle);
    await writeFile(name, bytes);
  }

  test.each(ways)('%s', async (_what, damage, message) => {
    const { store } = await openStore();
    const expected = await install(store);
    await damage(store.folder(expected.archiveDigest));
    const refused = store.verify(expected);
    await expect(refused).rejects.toThrow(DamagedVersionError);
    await expect(refused).rejects.toThrow(message);
  });

  test('a flipped bit met by a read of that file alone', async () => {
    const { store } = await openStore();
    const expected = await install(store);
    const folder = store.folder(expected.archiveDigest);
    const { entries } = await folder.manifest(expected);
    const entry = entries.find(({ path: name }) => name === 'tls.crt');
    if (entry?.type !== 'file') throw new Error('the manifest has no such file');
    expect((await folder.readFile(entry)).toString()).toBe('certificate');
    await flip(path.join(folder.tree, 'tls.crt'));
    await expect(folder.readFile(entry)).rejects.toThrow("'tls.crt' is not as installed");
  });

  test('a comparison that nobody waits for any more ends', async () => {
    const { store } = await openStore();
    const expected = await install(store);
    const reason = new Error('no more');
    await expect(store.verify(expected, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test('another version under the same digest', async () => {
    const { store } = await openStore();
    const expected = await install(store);
    await expect(store.verify({ ...expected, rootChecksum: '0'.repeat(64) })).rejects.toThrow(
      'the manifest is of another archive',
    );
  });
});

describe('whatever ends the process, a version is whole or absent (CP-123)', () => {
  async function countOperations(): Promise<number> {
    const files = new CrashingFiles();
    const { store } = await openStore({ files });
    const before = files.count;
    await install(store);
    return files.count - before;
  }

  test.each([
    ['before the system does the operation', false],
    ['right after it', true],
  ])('%s', async (_when, isDone) => {
    const operations = await countOperations();
    expect(operations).toBeGreaterThan(15);
    const installed: number[] = [];
    for (let operation = 1; operation <= operations; operation += 1) {
      const directory = path.join(await temporaryFolder(), 'resources');
      const files = new CrashingFiles();
      const { store: crashed } = await openStore({ directory, files });
      files.arm(operation, isDone);
      await expect(install(crashed)).rejects.toThrow();
      expect(files.openFiles).toBe(0);
      files.losePower();
      const { store } = await openStore({ directory });
      const left = await pathsBelow(directory);
      const names = left.filter((name) => name.startsWith('objects/'));
      expect(left.filter((name) => name.startsWith('staging/'))).toEqual([]);
      if (names.length > 0) installed.push(operation);
      const expected = await install(store);
      await expect(store.verify(expected)).resolves.toMatchObject({ version: 1 });
    }
    // Only the very last operation, which makes the name durable, can leave it installed.
    expect(installed).toEqual(isDone ? [operations] : []);
  });

  test('a removal that is cut off leaves no part of a version', async () => {
    for (const operation of [1, 2, 3]) {
      for (const isDone of [false, true]) {
        const directory = path.join(await temporaryFolder(), 'resources');
        const files = new CrashingFiles();
        const { store: crashed } = await openStore({ directory, files });
        const expected = await install(crashed);
        files.arm(operation, isDone);
        await expect(crashed.collect(() => new Set())).rejects.toThrow();
        files.losePower();
        const { store } = await openStore({ directory });
        if (await store.has(expected.archiveDigest)) {
          await expect(store.verify(expected)).resolves.toMatchObject({ version: 1 });
        } else {
          expect(await pathsBelow(directory)).toEqual(['objects', 'staging']);
        }
      }
    }
  });
});
