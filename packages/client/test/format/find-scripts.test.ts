import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findScripts } from '../../src/cli/format/find-scripts.js';
import { ScriptFolder } from '../support/script-folder.js';

const S = 'BEGIN;\n';

/** Paths of the scripts found below a folder, relative to it. */
async function found(folder: ScriptFolder, given = '.'): Promise<string[]> {
  const scripts = await findScripts([folder.path(given)]);
  return scripts.map((one) => path.relative(folder.root, one.path));
}

describe('CL-89: folders', () => {
  test('hold their scripts and those of the folders below, by name', async () => {
    const folder = await ScriptFolder.create({
      'b.nspl': S,
      'a/z.nspl': S,
      'a/b/c.nspl': S,
      'a-b.nspl': S,
      'B.nspl': S,
      'é.nspl': S,
      'a.nspl/x.nspl': S,
      'notes.md': '',
      'x.NSPL': S,
      nspl: S,
    });
    expect(await found(folder)).toEqual([
      'B.nspl',
      'a/b/c.nspl',
      'a/z.nspl',
      'a-b.nspl',
      'a.nspl/x.nspl',
      'b.nspl',
      'é.nspl',
    ]);
  });

  test('are searched without hidden entries and symbolic links', async () => {
    const folder = await ScriptFolder.create({
      'a.nspl': S,
      '.b.nspl': S,
      '.c/d.nspl': S,
      'e/f.nspl': S,
    });
    await folder.link('g.nspl', 'a.nspl');
    await folder.link('h', 'e');
    expect(await found(folder)).toEqual(['a.nspl', 'e/f.nspl']);
  });

  test('are shown as they were given', async () => {
    const folder = await ScriptFolder.create({ 'a/b.nspl': S });
    await folder.link('c', 'a');
    const relative = path.relative(process.cwd(), folder.root);
    const scripts = await findScripts([`${relative}/./a/`, folder.path('c')]);
    expect(scripts).toEqual([
      { path: path.join(relative, 'a/b.nspl'), target: expect.stringMatching(/\/a\/b\.nspl$/) },
    ]);
  });
});

describe('CL-89: .gitignore', () => {
  test.each<[name: string, rules: Record<string, string>, files: string[], kept: string[]]>([
    [
      'patterns with and without slashes',
      { '.gitignore': 'x.nspl\n/y.nspl\nsub/z.nspl\n# u.nspl\n\n' },
      ['x.nspl', 'y.nspl', 'u.nspl', 'sub/x.nspl', 'sub/y.nspl', 'sub/z.nspl', 'sub/sub/z.nspl'],
      ['sub/sub/z.nspl', 'sub/y.nspl', 'u.nspl'],
    ],
    [
      'folders',
      { '.gitignore': 'build/\nout\r\n/deep/**/leaf/\n' },
      [
        'build/a.nspl',
        'a/build/b.nspl',
        'out/c.nspl',
        'deep/1/2/leaf/d.nspl',
        'e.nspl',
        'f/build.nspl',
      ],
      ['e.nspl', 'f/build.nspl'],
    ],
    [
      'wild cards and exceptions',
      { '.gitignore': '*.gen.nspl\n!keep.gen.nspl\n[ab]?.nspl\n\\#c.nspl\n' },
      ['a.gen.nspl', 'keep.gen.nspl', 'a1.nspl', 'c1.nspl', '#c.nspl', 'ab1.nspl'],
      ['ab1.nspl', 'c1.nspl', 'keep.gen.nspl'],
    ],
    [
      'files further down, which decide before those above',
      {
        '.gitignore': 'gen/\n*.tmp.nspl\n',
        'a/.gitignore': '!gen/\n/own.nspl\nanywhere.nspl\n',
        'a/gen/.gitignore': '!b.tmp.nspl\n',
      },
      [
        'gen/a.nspl',
        'own.nspl',
        'a/own.nspl',
        'a/gen/a.nspl',
        'a/gen/a.tmp.nspl',
        'a/gen/b.tmp.nspl',
        'a/gen/own.nspl',
        'a/gen/x/anywhere.nspl',
        'anywhere.nspl',
      ],
      ['a/gen/a.nspl', 'a/gen/b.tmp.nspl', 'a/gen/own.nspl', 'anywhere.nspl', 'own.nspl'],
    ],
    [
      'folders whose files cannot be brought back',
      { '.gitignore': 'gen/\n!gen/a.nspl\n' },
      ['gen/a.nspl', 'b.nspl'],
      ['b.nspl'],
    ],
    [
      'folders with names that patterns could mean otherwise',
      { 'a[b]*/.gitignore': '\ufeff/x.nspl\n!/y.nspl\n\\!z.nspl\n', '.gitignore': 'y.nspl\n' },
      ['a[b]*/x.nspl', 'a[b]*/y.nspl', 'a[b]*/!z.nspl', 'ab1/x.nspl', 'ab1/y.nspl'],
      ['a[b]*/y.nspl', 'ab1/x.nspl'],
    ],
    ['upper and lower case', { '.gitignore': 'A.nspl\n' }, ['a.nspl', 'A.nspl'], ['a.nspl']],
  ])('%s', async (_name, rules, files, kept) => {
    const content = Object.fromEntries(files.map((file) => [file, S]));
    const folder = await ScriptFolder.create({ ...content, ...rules });
    expect(await found(folder)).toEqual(kept);
  });

  test('of a repository counts in the folders below its root', async () => {
    const folder = await ScriptFolder.create({
      '.gitignore': 'x.nspl\n',
      'repository/.gitignore': '/sub/y.nspl\n!/other\n',
      'repository/sub/.gitignore': 'z.nspl\n',
      ...Object.fromEntries(
        ['x', 'y', 'z', 'w'].map((name) => [`repository/sub/a/${name}.nspl`, S]),
      ),
      'repository/sub/y.nspl': S,
      'repository/sub/v.nspl': S,
    });
    await mkdir(folder.path('repository/.git'));
    const below = ['a/w.nspl', 'a/x.nspl', 'a/y.nspl'].map((name) => `repository/sub/${name}`);
    expect(await found(folder, 'repository/sub')).toEqual([...below, 'repository/sub/v.nspl']);
    expect(await found(folder, 'repository/sub/a')).toEqual(below);
  });

  test('keeps nothing that is named itself from being formatted', async () => {
    const folder = await ScriptFolder.create({ '.gitignore': '*\n', 'a.nspl': S, '.b': S });
    expect(await found(folder, 'a.nspl')).toEqual(['a.nspl']);
    expect(await found(folder, '.b')).toEqual(['.b']);
    await expect(found(folder)).rejects.toThrow(
      `nothing to format: ${folder.root} matches no file`,
    );
  });
});

describe('BC-03: a path that stands for nothing', () => {
  test.each([
    ['does not exist', 'nowhere'],
    ['is no pattern but a name', '*.nspl'],
    ['goes through a file', 'a.txt/b'],
    ['holds no scripts', 'empty'],
    ['leads nowhere', 'dangling'],
    ['is no file', '/dev/null'],
  ])('%s', async (_name, given) => {
    const folder = await ScriptFolder.create({ 'a.txt': '', 'empty/a.txt': '' });
    await folder.link('dangling', 'nowhere');
    const nothing = path.resolve(folder.root, given);
    await expect(findScripts([folder.path('a.txt'), nothing])).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
      exitCode: 2,
      message: `nothing to format: ${nothing} matches no file`,
    });
  });
});

test('CL-89: a file that is named twice is formatted once', async () => {
  const folder = await ScriptFolder.create({ 'a.nspl': S, 'b.nspl': S });
  await folder.link('c', 'b.nspl');
  const given = ['c', 'a.nspl', './a.nspl', '.'].map((name) => `${folder.root}/${name}`);
  const scripts = await findScripts(given);
  expect(scripts.map((one) => path.basename(one.path))).toEqual(['c', 'a.nspl']);
});

test('CL-90: a folder that cannot be read leaves the others alone', async () => {
  const folder = await ScriptFolder.create({ 'a/x.nspl': S, 'b/x.nspl': S });
  // A link that leads to itself cannot be read by anybody.
  await folder.link('a/.gitignore', '.gitignore');
  const scripts = await findScripts([folder.root]);
  expect(scripts).toMatchObject([
    { path: folder.path('a'), error: { exitCode: 5, message: expect.stringContaining('ELOOP') } },
    { path: folder.path('b/x.nspl') },
  ]);
});
