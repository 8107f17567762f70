import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = path.join(import.meta.dirname, '../src');
/** Whatever can keep something beyond the process. */
const STORAGE =
  /from '(node:(fs|fs\/promises|sqlite|child_process)|level|classic-level|[^']*consensus[^']*)'/;

test('the data plane has no way to store anything: records live in memory only (RT-7)', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts'));
  expect(sources.length).toBeGreaterThan(200);
  const importing = sources.filter((file) =>
    STORAGE.test(readFileSync(path.join(SOURCES, file), 'utf8')),
  );
  // The interpreter of UDFs is read from its package; nothing is written.
  expect(importing).toEqual([path.join('udf', 'guest-machine.ts')]);
  const machine = readFileSync(path.join(SOURCES, 'udf', 'guest-machine.ts'), 'utf8');
  expect(/import \{ ([^}]*) \} from 'node:fs'/.exec(machine)?.[1]).toBe('readFileSync');
});
