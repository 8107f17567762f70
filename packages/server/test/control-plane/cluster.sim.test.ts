import { expect, test } from 'vitest';
import { ClusterSimulation } from '../support/simulation/cluster/cluster-simulation.ts';

const SEEDS = Number(process.env['SIM_SEEDS'] ?? 20);
const FIRST_SEED = Number(process.env['SIM_SEED'] ?? 1);
const STATEMENTS = Number(process.env['SIM_STATEMENTS'] ?? 60);

/** `SIM_SEED` and `SIM_SEEDS` replay one seed or run many. */
test('CP-2, CP-12, CP-109, CP-144: three replicas lose and repeat nothing, whoever dies or is cut off', {
  timeout: 600_000,
}, async () => {
  const totals = { answered: 0, repeated: 0, leaders: 0, crashes: 0, cuts: 0, resumed: 0 };
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
    const simulation = new ClusterSimulation(seed);
    try {
      const result = await simulation.run(STATEMENTS);
      for (const name of Object.keys(totals) as (keyof typeof totals)[])
        totals[name] += result[name];
    } catch (error) {
      const course = simulation.course.slice(-25).join('\n');
      const text = `SIM_SEED=${seed} SIM_SEEDS=1 replays: ${String(error)}\n${course}`;
      throw new Error(text, { cause: error });
    }
  }
  // A simulation in which nothing happens would prove nothing.
  expect(totals.answered).toBeGreaterThan(SEEDS * STATEMENTS * 0.9);
  expect(totals.leaders).toBeGreaterThan(SEEDS * 3);
  expect(totals.crashes).toBeGreaterThan(SEEDS);
  expect(totals.cuts).toBeGreaterThan(SEEDS);
  expect(totals.repeated).toBeGreaterThan(SEEDS * 20);
  expect(totals.resumed).toBeGreaterThan(0);
});
