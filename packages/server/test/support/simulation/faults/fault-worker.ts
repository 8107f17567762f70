import { hookFaults, moduleWith, type SourceFault } from './source-hooks.ts';

/** What is looked for, in which seeds; given as JSON in the only argument. */
interface Assignment {
  readonly faults: readonly SourceFault[];
  readonly seeds: number;
  readonly statements: number;
}

type Kit = typeof import('../cluster/cluster-simulation.ts');

const { faults, seeds, statements } = JSON.parse(process.argv[2] ?? '') as Assignment;
hookFaults(faults);
// Long planning is cut into slices by this clock; on a busy machine that would change the course.
performance.now = () => 0;

/** The first seed whose run fails, and why. */
async function firstFailure({ ClusterSimulation }: Kit): Promise<object | undefined> {
  for (let seed = 1; seed <= seeds; seed += 1) {
    try {
      await new ClusterSimulation(seed).run(statements);
    } catch (error) {
      return { seed, cause: error instanceof Error ? error.message : String(error) };
    }
  }
  return undefined;
}

for (const [number, { rule }] of faults.entries()) {
  const file = 'test/support/simulation/cluster/cluster-simulation.ts';
  const kit = (await import(moduleWith(number, file))) as Kit;
  const found = await firstFailure(kit);
  process.stdout.write(`${JSON.stringify({ rule, ...found })}\n`);
}
