import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ClusterResult } from '../support/simulation/cluster/cluster-result.ts';
import { ClusterSimulation } from '../support/simulation/cluster/cluster-simulation.ts';
import { ENGAGEMENTS } from '../support/simulation/cluster/record-invariants.ts';

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

type Totals = Record<string, number>;

/** What a run came to as flat counts, so that those of many runs are summed. */
function countsOf({ holds, engagements, levels, kinds, ...counts }: ClusterResult): Totals {
  const told = Object.entries(levels).map(([level, count]) => [`told ${level}`, count] as const);
  return { ...counts, ...holds, ...engagements, ...Object.fromEntries(told), ...kinds };
}

function granted(statement: string): string {
  return `granted ${statement}`;
}

function refused(statement: string): string {
  return `refused ${statement}`;
}

/** Classes of which a run of many seeds has to have some, or it would prove nothing of them. */
const CLASSES: readonly string[] = [
  ...['answered', 'repeated', 'leaders', 'crashes', 'cuts', 'resumed', 'stale', 'inspected'],
  ...['starts', 'activations', 'moved', 'buried'],
  ...['held', 'drainTimeouts', 'refusals', 'lapses', 'unheld', 'failedStarts', 'margins', 'late'],
  ...['told DYNAMIC', 'told ENTITY_PAUSE', 'told DOMAIN_PAUSE'],
  ...ENGAGEMENTS,
  ...['CREATE INGESTOR', 'CREATE ENDPOINT', 'CREATE VHOST', 'CREATE CLIENT', 'UPLOAD'].map(granted),
  ...['REBIND RESOURCE', 'RESET WASM', 'DROP DOMAIN', 'ALTER DOMAIN', 'REVERT'].map(granted),
  ...['CREATE USER', 'ALTER USER', 'DROP USER', 'CREATE IF NOT EXISTS USER'].map(granted),
  ...['CORDON NODE', 'UNCORDON NODE', 'RELOCATE RELAY', 'EXPLAIN', 'SHOW CREATE'].map(granted),
  ...['REBIND RESOURCE', 'DROP DOMAIN', 'DROP USER', 'RESET WASM', 'EXPLAIN'].map(refused),
];

/** What even a short run has some of. */
const COMMON: readonly string[] = [
  ...['crashes', 'cuts', 'resumed', 'starts', 'activations', 'moved', 'held', 'drainTimeouts'],
  ...['ENTITY_PAUSE CONFIRMED', 'DOMAIN_PAUSE CONFIRMED', 'DYNAMIC APPLIED'],
];
const MANY_STATEMENTS = 8_000;

/**
 * `SIM_SEED`, `SIM_SEEDS` and `SIM_STATEMENTS` replay one seed or run many;
 * `npm run sim:control` runs them on all processors.
 */
const PROVED =
  'CP-2, CP-8, CP-9, CP-12, CP-27, CP-36, CP-48, CP-51, CP-52, CP-53, CP-55, CP-56, CP-61, CP-64, ' +
  'CP-69, CP-94, CP-99, CP-105, CP-106, CP-109, CP-112, CP-124, CP-125, CP-141, CP-143, CP-144, PS-35';

test(`replicas lose nothing, whoever dies (${PROVED})`, { timeout: 7_200_000 }, async () => {
  const totals: Totals = Object.fromEntries(CLASSES.map((name) => [name, 0]));
  const failures: string[] = [];
  let seeds = 0;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS && failures.length < 5; seed += 1) {
    const simulation = new ClusterSimulation(seed);
    seeds += 1;
    try {
      const result = await simulation.run(STATEMENTS);
      for (const [name, count] of Object.entries(countsOf(result))) {
        totals[name] = (totals[name] ?? 0) + count;
      }
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
  expect(totals['answered']).toBeGreaterThan(SEEDS * STATEMENTS * 0.9);
  if (SEEDS < 10) return;
  expect(totals['leaders']).toBeGreaterThan(SEEDS * 3);
  expect(totals['repeated']).toBeGreaterThan(SEEDS * 20);
  const wanted = SEEDS * STATEMENTS < MANY_STATEMENTS ? COMMON : CLASSES;
  expect(wanted.filter((name) => totals[name] === 0)).toEqual([]);
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
