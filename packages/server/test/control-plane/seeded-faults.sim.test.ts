import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { SEEDED_FAULTS } from '../support/simulation/faults/seeded-faults.ts';
import { brokenSource } from '../support/simulation/faults/source-hooks.ts';

const WORKER = fileURLToPath(
  new URL('../support/simulation/faults/fault-worker.ts', import.meta.url),
);
const isLongMode = process.env['SIM_LONG'] === '1';
const SEEDS = isLongMode ? 60 : 30;
const STATEMENTS = 60;

/** What came of looking for one fault. */
interface Finding {
  readonly rule: string;
  /** The first seed whose run failed; absent where none did. */
  readonly seed?: number;
  readonly cause?: string;
}

async function findings(faults: typeof SEEDED_FAULTS): Promise<readonly Finding[]> {
  const assignment = JSON.stringify({ faults, seeds: SEEDS, statements: STATEMENTS });
  const args = ['--no-warnings', WORKER, assignment];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Finding);
}

test('the texts of all rules that are broken stand once in the sources', () => {
  expect(SEEDED_FAULTS.length).toBeGreaterThanOrEqual(20);
  for (const fault of SEEDED_FAULTS) expect(brokenSource(fault)).toContain(fault.to);
});

const BROKEN =
  'CP-9, CP-16, CP-19, CP-26, CP-27, CP-46, CP-56, CP-61, CP-98, CP-99, CP-105, CP-106, CP-112, ' +
  'CP-124, CP-141, CP-144, CS-171, PS-35';

test(`${BROKEN}: a broken rule is found`, {
  timeout: isLongMode ? 3_600_000 : 1_200_000,
}, async () => {
  const wanted = SEEDED_FAULTS.filter(({ isLong = false }) => isLongMode || !isLong);
  const found = await findings(wanted);
  expect(found.map(({ rule }) => rule)).toEqual(wanted.map(({ rule }) => rule));
  const missed = found.filter(({ seed }) => seed === undefined).map(({ rule }) => rule);
  expect(missed, `found within ${SEEDS} seeds`).toEqual([]);
});
