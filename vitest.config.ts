import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const root = import.meta.dirname;

/** Properties that try more cases than usual may take an hour. */
const testTimeout = process.env['PROP_RUNS'] === undefined ? 60_000 : 3_600_000;

/** A project per package, app and example, named like its package without the scope. */
function packageProjects(): TestProjectInlineConfiguration[] {
  const folders: [name: string, folder: string][] = [['bench', 'bench']];
  for (const group of ['packages', 'apps', 'examples']) {
    for (const entry of readdirSync(path.join(root, group), { withFileTypes: true })) {
      const folder = `${group}/${entry.name}`;
      if (!existsSync(path.join(root, folder, 'package.json'))) continue;
      folders.push([group === 'examples' ? `example-${entry.name}` : entry.name, folder]);
    }
  }
  return folders.map(([name, folder]) => ({
    extends: true,
    test: {
      name,
      include: [`${folder}/test/**/*.test.ts`],
      exclude: ['**/*.e2e.test.ts', '**/node_modules/**'],
      testTimeout,
    },
  }));
}

export default defineConfig({
  root,
  resolve: {
    // Tests run on the sources: only end-to-end tests, which start real processes, need a build.
    // `@nervix/x` is packages/x/src/index.ts and a subpath `@nervix/x/y` is packages/x/src/y.ts.
    alias: [
      { find: /^@nervix\/nervixd$/, replacement: path.join(root, 'apps/nervixd/src/index.ts') },
      { find: /^@nervix\/([^/]+)$/, replacement: path.join(root, 'packages/$1/src/index.ts') },
      { find: /^@nervix\/([^/]+)\/(.+)$/, replacement: path.join(root, 'packages/$1/src/$2.ts') },
    ],
  },
  test: {
    maxWorkers: 2,
    passWithNoTests: true,
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts', 'apps/*/src/**/*.ts'],
      reportsDirectory: 'coverage',
    },
    projects: [
      ...packageProjects(),
      {
        extends: true,
        test: { name: 'tree', include: ['test/**/*.test.ts'], testTimeout: 60_000 },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['{packages,apps,examples}/*/test/**/*.e2e.test.ts'],
          exclude: ['**/node_modules/**'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
