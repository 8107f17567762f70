import { expect, test } from 'vitest';
import { ControlSimulation } from '../support/simulation/control-simulation.ts';

const SEEDS = Number(process.env['SIM_SEEDS'] ?? 100);
const FIRST_SEED = Number(process.env['SIM_SEED'] ?? 1);
const LIVES = 6;
const REQUESTS_PER_LIFE = 12;

/** `SIM_SEED` and `SIM_SEEDS` replay one seed or run many. */
test('CP-2, CP-12, CP-144: no acknowledged outcome is lost or had twice, wherever a node dies', {
  timeout: 240_000,
}, async () => {
  const totals = { acknowledged: 0, crashes: 0, recovered: 0, drainTimeouts: 0 };
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
    const simulation = new ControlSimulation(seed);
    try {
      await simulation.run(LIVES, REQUESTS_PER_LIFE);
    } catch (error) {
      throw new Error(`SIM_SEED=${seed} SIM_SEEDS=1 replays: ${String(error)}`, { cause: error });
    }
    totals.acknowledged += simulation.acknowledged;
    totals.crashes += simulation.crashes;
    totals.recovered += simulation.recovered;
    totals.drainTimeouts += simulation.drainTimeouts;
  }
  // A simulation that never crashes or never repeats anything would prove nothing.
  expect(totals.acknowledged).toBeGreaterThan(SEEDS * 20);
  expect(totals.crashes).toBeGreaterThan(SEEDS);
  expect(totals.recovered).toBeGreaterThan(SEEDS * 10);
  expect(totals.drainTimeouts).toBeGreaterThan(SEEDS / 5);
});
