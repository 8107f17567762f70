import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type ClusterResult,
  ClusterSimulation,
} from '../support/simulation/cluster/cluster-simulation.ts';

const SEEDS = Number(process.env['SIM_SEEDS'] ?? 20);
const FIRST_SEED = Number(process.env['SIM_SEED'] ?? 1);
const STATEMENTS = Number(process.env['SIM_STATEMENTS'] ?? 60);
const LINES = 40;

// Long planning is cut into slices by this clock; on a busy machine that would change the course.
beforeAll(() => {
  vi.spyOn(performance, 'now').mockReturnValue(0);
});
afterAll(() => {
  vi.restoreAllMocks();
});

type Totals = Record<keyof ClusterResult, number>;

/**
 * `SIM_SEED`, `SIM_SEEDS` and `SIM_STATEMENTS` replay one seed or run many;
 * `npm run sim:control` runs them on all processors.
 */
test('CP-2, CP-8, CP-9, CP-12, CP-61, CP-64, CP-69, CP-109, CP-144: replicas lose nothing, whoever dies', {
  timeout: 7_200_000,
}, async () => {
  const totals: Totals = {
    ...{ answered: 0, repeated: 0, leaders: 0, crashes: 0, cuts: 0 },
    ...{ resumed: 0, stale: 0, inspected: 0, events: 0 },
    ...{ starts: 0, activations: 0, moved: 0, outrun: 0, buried: 0 },
  };
  const failures: string[] = [];
  let seeds = 0;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS && failures.length < 5; seed += 1) {
    const simulation = new ClusterSimulation(seed);
    seeds += 1;
    try {
      const result = await simulation.run(STATEMENTS);
      for (const name of Object.keys(totals) as (keyof Totals)[]) totals[name] += result[name];
    } catch (error) {
      const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const replay = `npm run sim:control -- --seed ${seed} --statements ${STATEMENTS}`;
      failures.push([cause, ...simulation.course.slice(-LINES), `replay: ${replay}`].join('\n'));
    }
  }
  const summary = { seeds, failures: failures.length, ...totals };
  if (process.env['SIM_SEEDS'] !== undefined) process.stdout.write(`${JSON.stringify(summary)}\n`);
  expect(failures.join('\n\n')).toBe('');
  // A simulation in which nothing happens would prove nothing.
  expect(totals.answered).toBeGreaterThan(SEEDS * STATEMENTS * 0.9);
  if (SEEDS < 10) return;
  expect(totals.leaders).toBeGreaterThan(SEEDS * 3);
  expect(totals.crashes).toBeGreaterThan(SEEDS);
  expect(totals.cuts).toBeGreaterThan(SEEDS);
  expect(totals.repeated).toBeGreaterThan(SEEDS * 20);
  expect(totals.resumed).toBeGreaterThan(0);
  expect(totals.stale).toBeGreaterThan(0);
  expect(totals.inspected).toBeGreaterThan(SEEDS / 8);
  expect(totals.starts).toBeGreaterThan(SEEDS * 5);
  expect(totals.activations).toBeGreaterThan(SEEDS);
  expect(totals.moved).toBeGreaterThan(SEEDS / 8);
  expect(totals.buried).toBeGreaterThan(SEEDS / 8);
});

test('a seed takes one course', async () => {
  const course = async (): Promise<readonly unknown[]> => {
    const simulation = new ClusterSimulation(4_711);
    return [await simulation.run(40), ...simulation.course];
  };
  const first = await course();
  expect(await course()).toEqual(first);
  expect(first.length).toBeGreaterThan(40);
});
