import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FaultPlan, RunResult, SeedClass } from '../../src/simulation.ts';

/** What one worker is to run; given as JSON in its only argument. */
interface Assignment {
  /** Directory of the sources under test. */
  readonly source: string;
  readonly seeds: readonly number[];
  /** A class, or `mixed` for all of them in turn. */
  readonly seedClass: SeedClass | 'mixed';
  readonly steps: number;
  /** Changes to every plan. */
  readonly changes?: Partial<FaultPlan>;
  readonly stopAtFirst?: boolean;
  /** Prints the digest of every run whose seed this divides; 0 for none. */
  readonly digestEvery?: number;
  /** How many lines of the course of a failing run are printed. */
  readonly lines?: number;
}

type Kit = typeof import('../../src/simulation.ts');

/** Sources of time and chance that a run must not touch. */
function withTraps<T>(run: () => T): T {
  const trap = (name: string) => () => {
    throw new Error(`a simulation used ${name}`);
  };
  const names = ['Date', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'] as const;
  const globals = globalThis as unknown as Record<string, unknown>;
  const saved = names.map((name) => [name, globals[name]] as const);
  const { random } = Math;
  const now = performance.now;
  for (const name of names) globals[name] = trap(name);
  Math.random = trap('Math.random');
  performance.now = trap('performance.now');
  try {
    return run();
  } finally {
    for (const [name, value] of saved) globals[name] = value;
    Math.random = random;
    performance.now = now;
  }
}

function print(record: object): void {
  process.stdout.write(`${JSON.stringify(record)}\n`);
}

function report(kit: Kit, assignment: Assignment, result: RunResult): void {
  const { plan, violation, digest, events } = result;
  const { lines = 0 } = assignment;
  // Recording does not change the course.
  const recorded =
    lines > 0 ? withTraps(() => kit.runSimulation(plan, { linesMax: lines })).lines : [];
  const { seed, seedClass, steps } = plan;
  const replay = `npm run sim:consensus -- --class ${seedClass} --seed ${seed} --steps ${steps}`;
  print({ kind: 'failure', seedClass, seed, steps, violation, digest, events, replay, recorded });
}

async function main(): Promise<void> {
  const assignment = JSON.parse(process.argv[2] ?? '') as Assignment;
  const entry = pathToFileURL(path.join(assignment.source, 'simulation.ts')).href;
  const kit = (await import(entry)) as Kit;
  const coverage = kit.emptyCoverage();
  const { seeds, steps, digestEvery = 0 } = assignment;
  let events = 0;
  let failures = 0;
  for (const seed of seeds) {
    const { seedClass } = assignment;
    const turn = kit.SEED_CLASSES[seed % kit.SEED_CLASSES.length] ?? 'general';
    const drawn = kit.planOf(seedClass === 'mixed' ? turn : seedClass, seed, steps);
    const plan = { ...drawn, ...assignment.changes };
    const result = withTraps(() => kit.runSimulation(plan));
    events += result.events;
    kit.addCoverage(coverage, result.coverage);
    if (digestEvery > 0 && seed % digestEvery === 0) {
      print({ kind: 'digest', seed, digest: result.digest });
    }
    if (result.violation === undefined) continue;
    failures += 1;
    report(kit, assignment, result);
    if (assignment.stopAtFirst === true) break;
  }
  print({ kind: 'summary', runs: seeds.length, failures, events, coverage });
}

await main();
