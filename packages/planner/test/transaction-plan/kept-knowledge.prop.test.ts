import { fc, test } from '@fast-check/vitest';
import type { Statement } from '@nervix/model';
import { expect } from 'vitest';
import {
  ModelRegistry,
  type PlanningSnapshot,
  planningBasis,
  planTransaction,
  snapshotOf,
} from '../../src/index.js';
import { anyModels, editScript } from '../support/edited-domains.js';
import { NODE } from '../support/transactions.js';

const RUNS = Number(process.env['PROP_RUNS'] ?? 60);
/** Milliseconds, also for long runs on busy machines. */
const TIME_MAX = 20_000 + RUNS * 500;

const domain: fc.Arbitrary<PlanningSnapshot> = fc
  .record({ models: anyModels, isRunning: fc.boolean(), nodes: fc.nat(2) })
  .map(({ models, isRunning, nodes }) => ({
    ...snapshotOf('taxi', models),
    status: isRunning ? 'running' : 'stopped',
    resources: [
      { name: 'keys', versions: [1, 2] },
      { name: 'modules', versions: [1] },
    ],
    nodes: ['n1', 'n2'].slice(0, nodes).map((name) => ({ ...NODE, name })),
    replicaCount: 1,
  }));

/** A snapshot of which nothing can be known: no list and no model of it was seen before. */
function unknown(snapshot: PlanningSnapshot): PlanningSnapshot {
  return structuredClone(snapshot);
}

/** Equal models in lists that were not seen before, some of them read anew, as a store hands them out. */
function relisted(snapshot: PlanningSnapshot): PlanningSnapshot {
  const models = snapshot.models.toReversed();
  const stored = models.map((model, index) => (index % 3 === 0 ? structuredClone(model) : model));
  return { ...snapshot, models: stored, schedule: [...snapshot.schedule] };
}

const turn = fc.record({
  statements: editScript,
  allowsIncompleteRun: fc.boolean(),
  isWholeLanguage: fc.boolean(),
  isRelisted: fc.boolean(),
});

test.prop([domain, fc.array(turn, { minLength: 1, maxLength: 4 })], { numRuns: RUNS })(
  'CP-30 CP-70 CP-72 what plans before found out alters no plan, refusal or fingerprint',
  (start, turns) => {
    const registry = new ModelRegistry();
    let snapshot = start;
    for (const { statements, isRelisted, ...options } of turns) {
      const kept = planTransaction(snapshot, statements, { ...options, registry });
      const known = planTransaction(snapshot, statements, options);
      const afresh = planTransaction(unknown(snapshot), unknownStatements(statements), options);
      const bytes = JSON.stringify(afresh);
      expect(JSON.stringify(kept)).toBe(bytes);
      expect(JSON.stringify(known)).toBe(bytes);
      if (kept.kind === 'refused') continue;
      expect(planningBasis(kept.after)).toBe(planningBasis(unknown(kept.after)));
      snapshot = isRelisted ? relisted(kept.after) : kept.after;
    }
  },
  TIME_MAX,
);

function unknownStatements(statements: readonly Statement[]): readonly Statement[] {
  return structuredClone(statements) as readonly Statement[];
}
