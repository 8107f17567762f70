import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { create } from 'tar';
import { describe, expect, test } from 'vitest';
import { ArchiveFault } from '../../src/resources/archive/archive-fault.ts';
import type { Manifest } from '../../src/resources/archive/manifest.ts';
import { manifestFigures } from '../../src/resources/archive/manifest.ts';
import { LIMITS, openStore, pathsBelow, temporaryFolder } from '../support/resources/open-store.ts';
import { inPieces, metaBytes, type TarEntry, tarBytes } from '../support/resources/tar-bytes.ts';

/** Takes an archive and gives up what came of it; the store is empty afterwards. */
async function manifestFrom(bytes: Buffer, piece = 1_000): Promise<Manifest> {
  const { store, directory } = await openStore();
  try {
    const staged = await store.stage({ bytes: bytes.length }, inPieces(bytes, piece));
    await staged.discard();
    return staged.manifest;
  } finally {
    expect(await pathsBelow(directory)).toEqual(['objects', 'staging']);
  }
}

async function faultOf(taken: Promise<unknown>): Promise<string> {
  const error = await taken.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ArchiveFault)) throw new Error(`refused with ${String(error)}`);
  return `${error.kind}: ${error.message}`;
}

const refusalOf = (entries: readonly TarEntry[]): Promise<string> =>
  faultOf(manifestFrom(tarBytes(entries)));

describe('archives of resources (CP-123)', () => {
  test('hold files and directories, those that paths imply included', async () => {
    const manifest = await manifestFrom(
      tarBytes([
        { path: './' },
        { path: './empty/' },
        { path: './a/b/c.txt', content: 'see' },
        { path: 'a/b/' },
        { path: 'grün ☂.txt', content: '' },
      ]),
    );
    expect(manifest.entries).toEqual([
      { type: 'directory', path: 'a' },
      { type: 'directory', path: 'a/b' },
      {
        type: 'file',
        path: 'a/b/c.txt',
        size: 3,
        checksum: createHash('sha256').update('see').digest('hex'),
      },
      { type: 'directory', path: 'empty' },
      {
        type: 'file',
        path: 'grün ☂.txt',
        size: 0,
        checksum: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      },
    ]);
  });

  test('are read alike however their bytes are cut', async () => {
    const long = `${'long'.repeat(40)}/${'name'.repeat(40)}.bin`;
    const bytes = tarBytes([
      { path: 'one', content: 'x'.repeat(511) },
      { path: long, content: 'y'.repeat(2_000) },
      { path: 'three', content: 'z' },
      { path: '\u20ac'.repeat(80), content: 'e' },
    ]);
    const whole = await manifestFrom(bytes, bytes.length);
    const names = whole.entries.map(({ path: name }) => name);
    expect(names).toEqual(expect.arrayContaining([long, '\u20ac'.repeat(80)]));
    for (const piece of [1, 3, 511, 512, 513, 1_024]) {
      expect(await manifestFrom(bytes, piece)).toEqual(whole);
    }
  });

  test('that only differ in how they were packed have one root checksum', async () => {
    const files = [
      { path: 'b', content: '2' },
      { path: 'a', content: '1' },
    ];
    const first = await manifestFrom(tarBytes(files));
    const second = await manifestFrom(tarBytes([...files].reverse()));
    expect(second.archive.digest).not.toBe(first.archive.digest);
    expect(manifestFigures(second).rootChecksum).toBe(manifestFigures(first).rootChecksum);
    expect(manifestFigures(second).manifestChecksum).not.toBe(
      manifestFigures(first).manifestChecksum,
    );
    expect(manifestFigures(first)).toMatchObject({ fileCount: 2, totalBytes: 2 });
    const other = await manifestFrom(tarBytes([{ path: 'a', content: '12' }]));
    expect(manifestFigures(other).rootChecksum).not.toBe(manifestFigures(first).rootChecksum);
  });

  test('of common tools are taken, with every byte as it was', async () => {
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, 'deep', 'er'), { recursive: true });
    const content = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 251));
    await writeFile(path.join(folder, 'deep', 'er', 'numbers.bin'), content);
    const file = path.join(await temporaryFolder(), 'packed.tar');
    await create({ cwd: folder, file }, ['.']);
    const bytes = await readFile(file);
    const { store } = await openStore();
    const staged = await store.stage({ bytes: bytes.length }, inPieces(bytes, 4_096));
    await staged.install();
    const { digest } = staged.manifest.archive;
    const installed = path.join(store.folder(digest).tree, 'deep', 'er', 'numbers.bin');
    expect(await readFile(installed)).toEqual(content);
    const archive: Uint8Array[] = [];
    for await (const chunk of store.folder(digest).archive()) archive.push(chunk);
    expect(Buffer.concat(archive)).toEqual(bytes);
  });
});

describe('archives that lead elsewhere are refused by name (CP-123)', () => {
  test.each<[string, TarEntry[], string]>([
    ['a parent', [{ path: '../evil', content: 'x' }], "path '../evil' leads out of the archive"],
    ['a parent within', [{ path: 'a/../../evil' }], "path 'a/../../evil' leads out of the archive"],
    ['a root', [{ path: '/etc/passwd' }], "path '/etc/passwd' is absolute"],
    ['a backslash', [{ path: 'a\\..\\b' }], 'holds characters that a path may not hold'],
    ['a control character', [{ path: 'a\u0007b' }], "path 'a?b' holds characters"],
    ['bytes that are no text', [{ path: 'a\ufffd' }], 'holds characters'],
    ['an empty name', [{ path: 'a//b' }], "path 'a//b' holds an empty name"],
    ['a dot within', [{ path: 'a/./b' }], "path 'a/./b' holds an empty name"],
    ['a long name', [{ path: 'n'.repeat(256) }], 'holds a name longer than 255 bytes'],
    ['a deep path', [{ path: 'd/'.repeat(65) }], 'is deeper than 64 folders'],
    ['a long path', [{ path: `${'n'.repeat(250)}/`.repeat(9) }], 'is longer than 2048 bytes'],
    ['a NUL', [{ path: 'f', records: [['path', 'a\0b']] }], "path 'a?b' holds characters"],
    ['a line end', [{ path: 'f', records: [['path', 'a\nb']] }], "path 'a?b' holds characters"],
    ['an empty path', [{ path: 'f', records: [['path', '']] }], "path '' names no file"],
    ['a stream', [{ path: 'a/f.txt:hidden' }], "path 'a/f.txt:hidden' holds characters"],
    ['a wildcard', [{ path: 'a*b' }], "path 'a*b' holds characters"],
    ['a device', [{ path: 'con' }], "path 'con' holds 'con', the name of a device"],
    ['a device with an ending', [{ path: 'd/nul.txt' }], "'nul.txt', the name of a device"],
    ['a device in capitals', [{ path: 'LPT1 .a/f' }], "'LPT1 .a', the name of a device"],
    ['a device with a superscript', [{ path: 'com\u00b9' }], 'the name of a device'],
    [
      'a dot at the end',
      [{ path: 'd./f' }],
      "path 'd./f' holds a name that ends with a dot or space",
    ],
    [
      'a space at the end',
      [{ path: 'f ' }],
      "path 'f ' holds a name that ends with a dot or space",
    ],
    ['dots alone', [{ path: 'd/...' }], 'holds a name that ends with a dot or space'],
    [
      'a symbolic link',
      [{ path: 'l', type: 'SymbolicLink', linkpath: '/etc' }],
      "entry 'l' is a SymbolicLink; files and directories are taken",
    ],
    [
      'a hard link',
      [
        { path: 'f', content: 'x' },
        { path: 'l', type: 'Link', linkpath: 'f' },
      ],
      "entry 'l' is a Link",
    ],
    ['a special file', [{ path: 'd', type: 'CharacterDevice' }], "entry 'd' is a CharacterDevice"],
    ['a pipe', [{ path: 'p', type: 'FIFO' }], "entry 'p' is a FIFO"],
    ['an unknown kind', [{ path: 'u', typeByte: 'S' }], "entry 'u' is of a kind"],
    ['a file twice', [{ path: 'f' }, { path: 'f' }], "the archive holds 'f' twice"],
    [
      'a file as a folder',
      [{ path: 'f' }, { path: 'f/g' }],
      "the archive holds 'f' as a file and as a directory",
    ],
    [
      'a folder as a file',
      [{ path: 'f/g' }, { path: 'f' }],
      "the archive holds 'f' as a file and as a directory",
    ],
    ['names that fold case alike', [{ path: 'Read' }, { path: 'read' }], "'Read' and 'read'"],
    [
      'names that normalize alike',
      [{ path: 'caf\u00e9' }, { path: 'cafe\u0301' }],
      'are the same on some file systems',
    ],
    [
      'names that differ in what nobody sees',
      [{ path: 'read' }, { path: 're\u200dad' }],
      'are the same on some file systems',
    ],
    ['folders that fold alike', [{ path: 'A/x' }, { path: 'a/y' }], "'A' and 'a'"],
  ])('%s', async (_what, entries, message) => {
    const refusal = await refusalOf(entries);
    expect(refusal).toMatch(/^invalid_stream: /);
    expect(refusal).toContain(message);
  });

  test('what is no archive', async () => {
    const refuse = (bytes: Buffer): Promise<string> => faultOf(manifestFrom(bytes));
    expect(await refuse(Buffer.alloc(0))).toBe('invalid_stream: the archive is empty');
    expect(await refuse(Buffer.from('no'))).toContain('it is shorter than a header');
    expect(await refuse(Buffer.alloc(2_048, 'text '))).toContain('this is no tar archive');
    expect(await refuse(Buffer.from([0x1f, 0x8b, 8, 0, 1]))).toContain('is compressed');
    expect(await refuse(Buffer.from('PK\u0003\u0004zip'))).toContain('is compressed');
    const flipped = tarBytes([{ path: 'f', content: 'x' }]);
    flipped.writeUInt8(flipped.readUInt8(3) ^ 1, 3);
    expect(await refuse(flipped)).toBe(
      'invalid_stream: this is no tar archive: the checksum of a header is wrong',
    );
  });

  test.each(['PKI/ca.pem', 'PKG-INFO', 'BZh9', '7z'])(
    'but not one whose first path is %s',
    async (name) => {
      const { entries } = await manifestFrom(tarBytes([{ path: name, content: 'x' }]));
      expect(entries.map(({ path }) => path)).toContain(name);
    },
  );

  test('descriptions of entries that are larger than any path', async () => {
    const refusal = await refusalOf([{ path: 'n/'.repeat(40_000) }]);
    expect(refusal).toBe(
      "invalid_stream: the description of an entry behind 'PaxHeader/n' is too long; " +
        'at most 65536 bytes are taken',
    );
  });

  test.each(['-5', '12a', '1e1', '0x4', '1.5', '', ' 4', '9007199254740992', 'NaN'])(
    'an entry whose size is described as "%s"',
    async (size) => {
      const entry: TarEntry = { path: 'f', content: 'four', records: [['size', size]] };
      expect(await refusalOf([{ path: 'e' }, entry])).toBe(
        "invalid_stream: entry 'f' has a size that is no number of bytes",
      );
    },
  );

  test('but not one whose size is described as it is', async () => {
    const bytes = tarBytes([
      { path: 'f', content: 'four', claimedSize: 0, records: [['size', '4']] },
      {
        path: 'g',
        records: [
          ['comment', 'a\0b\nc'],
          ['mtime', '1.5'],
        ],
      },
    ]);
    const { entries } = await manifestFrom(bytes);
    expect(entries).toMatchObject([
      { path: 'f', size: 4 },
      { path: 'g', size: 0 },
    ]);
  });

  test('a size in a header that is no number', async () => {
    const bytes = tarBytes([{ path: 'f', content: 'x' }]);
    for (const field of [
      '-0000000001\0',
      '0000000008 \0',
      '\xff'.repeat(12),
      `\x80${'\x7f'.repeat(11)}`,
    ]) {
      bytes.write(field, 124, 'latin1');
      bytes.fill(' ', 148, 156);
      const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0);
      bytes.write(sum.toString(8).padStart(7, '0'), 148, 'latin1');
      expect(await faultOf(manifestFrom(bytes))).toBe(
        "invalid_stream: entry 'f' has a size that is no number of bytes",
      );
    }
  });

  test('wherever it is cut off', async () => {
    const bytes = tarBytes([
      { path: 'one', content: 'x'.repeat(600) },
      { path: '\u2603', content: 'y' },
    ]);
    // Its end: two blocks, in which the names of what came before are said.
    for (let length = 512; length < bytes.length; length += 128) {
      const refusal = await faultOf(manifestFrom(bytes.subarray(0, length)));
      expect([length, refusal]).toEqual([
        length,
        expect.stringMatching(
          /^invalid_stream: .*is cut off(?: behind '(?:one|PaxHeader\/\u2603|\u2603)')?$/u,
        ),
      ]);
    }
  });

  test('what goes on behind its end', async () => {
    const first = tarBytes([{ path: 'f' }]);
    const padded = Buffer.concat([first, Buffer.alloc(8_192)]);
    expect((await manifestFrom(padded)).entries).toHaveLength(1);
    const second = Buffer.concat([first, tarBytes([{ path: 'g' }])]);
    expect(await faultOf(manifestFrom(second))).toBe(
      'invalid_stream: the archive goes on behind its end',
    );
    const lone = Buffer.concat([first.subarray(0, 1_024), tarBytes([{ path: 'g' }])]);
    expect(await faultOf(manifestFrom(lone))).toBe(
      "invalid_stream: the archive goes on behind an end after 'f'",
    );
  });

  test('descriptions that nothing follows, that hold no records, or that are of all entries', async () => {
    const refuse = (...parts: Buffer[]): Promise<string> =>
      faultOf(manifestFrom(Buffer.concat([...parts, tarBytes([{ path: 'f' }])])));
    const alone = Buffer.concat([metaBytes('L', Buffer.from('f\0')), Buffer.alloc(1_024)]);
    expect(await faultOf(manifestFrom(alone))).toBe(
      "invalid_stream: the archive describes an entry behind 'description' and ends",
    );
    for (const records of ['path=f\n', '99 path=f\n', '9 path=f', '0 path=f\n', '10 path-f\n\n']) {
      expect(await refuse(metaBytes('x', Buffer.from(records)))).toBe(
        'invalid_stream: this is no tar archive: an extended header holds no records',
      );
    }
    expect(await refusalOf([{ path: 'f', recordsType: 'g', records: [['size', '4']] }])).toBe(
      "invalid_stream: path or size of all entries behind 'description' is set at once",
    );
    const sparse: TarEntry = { path: 'f', records: [['GNU.sparse.major', '1']] };
    expect(await refusalOf([sparse])).toContain('is a sparse file; pack it whole');
  });

  test('but not what other tools describe', async () => {
    const long = `${'n'.repeat(120)}.txt`;
    const parts = [
      tarBytes([{ path: 'g', recordsType: 'g', records: [['comment', 'a commit']] }]).subarray(
        0,
        -1_024,
      ),
      metaBytes('K', Buffer.from('nothing\0')),
      metaBytes('L', Buffer.from(`${long}\0`)),
      tarBytes([{ path: 'cut off', content: 'x' }]),
    ];
    const { entries } = await manifestFrom(Buffer.concat(parts));
    expect(entries.map(({ path: name }) => name)).toEqual(['g', long]);
  });
});

describe('archives beyond the limits of the node are refused (CL-66)', () => {
  test('by their announced size before a byte is read', async () => {
    const { store } = await openStore();
    const bytes = LIMITS.archiveBytesMax + 1;
    const unread = (async function* (): AsyncGenerator<Uint8Array> {
      yield await Promise.reject(new Error('nobody reads this'));
    })();
    expect(await faultOf(store.stage({ bytes }, unread))).toBe(
      `quota_exceeded: the archive has ${bytes} bytes; at most 1048576 are taken`,
    );
  });

  test('by a size that does not come', async () => {
    const bytes = tarBytes([{ path: 'f', content: 'x' }]);
    const { store, directory } = await openStore();
    const stage = (announced: number): Promise<string> =>
      faultOf(store.stage({ bytes: announced }, inPieces(bytes, 100)));
    expect(await stage(bytes.length + 1)).toBe(
      'size_mismatch: the archive has fewer than its 2049 bytes',
    );
    expect(await stage(bytes.length - 1)).toBe(
      'size_mismatch: the archive has more than its 2047 bytes',
    );
    expect(await pathsBelow(directory)).toEqual(['objects', 'staging']);
  });

  test('by a digest that it does not have', async () => {
    const bytes = tarBytes([{ path: 'f', content: 'x' }]);
    const { store } = await openStore();
    const offer = { bytes: bytes.length, digest: '0'.repeat(64) };
    expect(await faultOf(store.stage(offer, inPieces(bytes, 100)))).toContain('the digest');
  });

  test('by what it unpacks to, before that is written', async () => {
    const { store, directory } = await openStore({
      limits: { ...LIMITS, extractedBytesMax: 1_000 },
    });
    const bytes = tarBytes([
      { path: 'a', content: 'x'.repeat(600) },
      { path: 'b', content: 'x'.repeat(401) },
    ]);
    expect(await faultOf(store.stage({ bytes: bytes.length }, inPieces(bytes, 512)))).toBe(
      'quota_exceeded: the archive unpacks to more than 1000 bytes',
    );
    expect(await pathsBelow(directory)).toEqual(['objects', 'staging']);
  });

  test('by how many entries it holds, implied folders included', async () => {
    const { store } = await openStore({ limits: { ...LIMITS, entriesMax: 4 } });
    const stage = async (name: string): Promise<void> => {
      const bytes = tarBytes([{ path: name }, { path: 'x' }]);
      const staged = await store.stage({ bytes: bytes.length }, inPieces(bytes, 512));
      await staged.discard();
    };
    await stage('a/b/c');
    expect(await faultOf(stage('a/b/c/d'))).toBe(
      'quota_exceeded: the archive holds more than 4 entries',
    );
  });
});
