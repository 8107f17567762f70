import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTreeFile, root, treeFiles } from './support/tree.js';

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly type?: string;
  readonly engines?: { readonly node?: string };
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const manifests = treeFiles()
  .filter((file) => /^((packages|apps|examples)\/[^/]+|bench)\/package\.json$/.test(file))
  .map((file) => ({
    folder: path.posix.dirname(file),
    manifest: JSON.parse(readTreeFile(file)) as Manifest,
  }));

describe.each(manifests)('$folder', ({ folder, manifest }) => {
  test('states its name, license, module kind and Node range', () => {
    expect(manifest.name).toMatch(/^@nervix\/[a-z0-9-]+$/);
    expect(manifest.license).toBe('Apache-2.0');
    expect(manifest.type).toBe('module');
    expect(manifest.engines?.node).toBe('>=22.19');
    expect(existsSync(path.join(root, folder, 'README.md'))).toBe(true);
  });

  test('takes our packages from the workspace and all others from the catalog', () => {
    const ranges = Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    });
    const odd = ranges.filter(([name, range]) =>
      name.startsWith('@nervix/') ? !range.startsWith('workspace:') : range !== 'catalog:',
    );
    expect(odd).toEqual([]);
  });

  test('is compiled with the references that its dependencies call for', () => {
    if (!existsSync(path.join(root, folder, 'tsconfig.json'))) return;
    const config = JSON.parse(readTreeFile(`${folder}/tsconfig.json`)) as {
      readonly references?: readonly { readonly path: string }[];
    };
    const referenced = (config.references ?? [])
      .map((reference) => path.posix.join(folder, reference.path))
      // A part of the package itself that is compiled for another environment.
      .filter((reference) => !reference.startsWith(`${folder}/`))
      .sort();
    const wanted = Object.keys(manifest.dependencies ?? {})
      .filter((name) => name.startsWith('@nervix/'))
      .map((name) => manifests.find((other) => other.manifest.name === name)?.folder ?? name)
      .sort();
    expect(referenced).toEqual(wanted);
  });
});
