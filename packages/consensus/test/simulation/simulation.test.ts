import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  addCoverage,
  calmPlan,
  emptyCoverage,
  missingCoverage,
  type NamedWrite,
  planOf,
  runSimulation,
  SEED_CLASSES,
  type SeedClass,
  type WriteFault,
} from '../../src/simulation.ts';

interface Regression {
  readonly seedClass: SeedClass;
  readonly seed: number;
  readonly steps: number;
}

const regressions = JSON.parse(
  readFileSync(new URL('./regressions.json', import.meta.url), 'utf8'),
) as readonly Regression[];

describe('CS-300, CS-301, CS-302, CS-303, CS-304, CS-358, CS-359: runs of every class', () => {
  it('break no invariant and reach everything that is counted', { timeout: 60_000 }, () => {
    const coverage = emptyCoverage();
    for (let seed = 10_001; seed <= 10_100; seed += 1) {
      const seedClass = SEED_CLASSES[seed % SEED_CLASSES.length] ?? 'general';
      // It takes long until every member reports the release that an activation needs.
      const steps = seedClass === 'levels' ? 12_000 : 3_000;
      const { violation, coverage: reached, plan } = runSimulation(planOf(seedClass, seed, steps));
      expect(violation, `${plan.seedClass} ${seed}`).toBeUndefined();
      addCoverage(coverage, reached);
    }
    expect(missingCoverage(coverage)).toEqual([]);
  });

  it.for(SEED_CLASSES)('CS-10: %s has one course for one seed', (seedClass) => {
    const plan = planOf(seedClass, 77, 1_500);
    const first = runSimulation(plan);
    const again = runSimulation(plan, { linesMax: 50 });
    expect(again.lines).toHaveLength(50);
    expect({ ...again, lines: [] }).toEqual({ ...first, lines: [] });
    expect(runSimulation({ ...plan, seed: 78 }).digest).not.toBe(first.digest);
  });
});

describe('CS-305: seeds that once failed', () => {
  it.for(regressions)('$seedClass $seed', ({ seedClass, seed, steps }) => {
    const { violation } = runSimulation(planOf(seedClass, seed, steps));
    expect(violation).toBeUndefined();
  });
});

const ENUMERATED = { ...calmPlan(11, 1_800), snapshotEvery: 6, entriesKept: 2, changeEvery: 250 };
const OUTCOMES: readonly WriteFault['outcome'][] = [
  'crashBefore',
  'crashAfter',
  'failBefore',
  'failAfter',
];

/** The points of a write, and what of them only counts together. */
function kindsOf({ points }: NamedWrite): readonly string[] {
  const isJoint = points.includes('append') && points.includes('apply');
  return isJoint ? [...points, 'append with apply'] : points;
}

/** The first, a middle and the last write of each kind, of all nodes. */
function placesOf(writes: readonly NamedWrite[]): Map<string, readonly NamedWrite[]> {
  const byKind = new Map<string, NamedWrite[]>();
  for (const write of writes) {
    for (const kind of kindsOf(write)) {
      const list = byKind.get(kind) ?? [];
      list.push(write);
      byKind.set(kind, list);
    }
  }
  const places = new Map<string, readonly NamedWrite[]>();
  for (const [kind, list] of byKind) {
    const wanted = [0, list.length >> 2, list.length >> 1, list.length - 1];
    const chosen = new Set(wanted.map((at) => list[at]));
    places.set(
      kind,
      [...chosen].filter((it) => it !== undefined),
    );
  }
  return places;
}

describe('CS-320: a crash or failure at every kind of write', () => {
  const writes: NamedWrite[] = [];
  const calm = runSimulation(ENUMERATED, { writes });
  const places = placesOf(writes);

  it('has a history that makes every kind of write', () => {
    expect(calm.violation).toBeUndefined();
    expect(calm.coverage.deferredWrites).toBeGreaterThan(20);
    expect([...places.keys()].sort()).toEqual(
      [
        'append',
        'append with apply',
        'apply',
        'install-clear',
        'install-finish',
        'install-section',
        'purge',
        'snap-manifest',
        'snap-marker',
        'snap-section',
        'vote',
      ].sort(),
    );
  });

  it.for([...places])('%s', ([, chosen]) => {
    for (const { node, write } of chosen) {
      for (const outcome of OUTCOMES) {
        const { violation } = runSimulation({
          ...ENUMERATED,
          writeFault: { node, write, outcome },
        });
        expect(violation, `write ${write} of node ${node}: ${outcome}`).toBeUndefined();
      }
    }
  });
});
