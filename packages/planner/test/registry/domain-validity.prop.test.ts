import { fc, test } from '@fast-check/vitest';
import { type Model, modelKey } from '@nervix/model';
import { expect } from 'vitest';
import { domainModels, planDomain } from '../../src/index.js';
import { faultsOf } from '../../src/registry/domain-validity.js';
import { ModelSet } from '../../src/registry/model-set.js';
import { anyModels, POOL } from '../support/edited-domains.js';
import { DOMAIN } from '../support/models.js';

const RUNS = Number(process.env['PROP_RUNS'] ?? 100);
/** Milliseconds, also for long runs on busy machines. */
const TIME_MAX = 20_000 + RUNS * 100;

/** What becomes of the models of a pool, by turns. */
const turns = fc.array(
  fc.record({
    edits: fc.array(fc.tuple(fc.constantFrom(...POOL), fc.boolean()), {
      minLength: 1,
      maxLength: 4,
    }),
    hasTouched: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
);

function edited(edits: readonly (readonly [Model, boolean])[]) {
  return new Map(
    edits.map(([model, isThere]) => [
      modelKey(model.kind, model.name),
      isThere ? model : undefined,
    ]),
  );
}

/** The oracle: every model of the domain is judged. */
function allFaults(models: ModelSet, touched: ReadonlySet<string>) {
  const fresh = domainModels([...models.values()]);
  const outcome = planDomain({
    domain: DOMAIN,
    revision: 1,
    generation: 1,
    models: fresh,
    touched,
  });
  return outcome.kind === 'rejected'
    ? { refusals: outcome.refusals }
    : { refusals: [], warnings: outcome.warnings };
}

test.prop([anyModels, turns], { numRuns: RUNS })(
  'CP-31 judging what a change touches finds what judging everything finds, at the same nodes',
  (models, rounds) => {
    let base = ModelSet.of(domainModels(models));
    for (const { edits, hasTouched } of rounds) {
      const changes = edited(edits);
      const next = base.with(changes);
      const touched = new Set(hasTouched ? changes.keys() : []);
      const found = faultsOf(next, { domain: DOMAIN, touched }, base);
      const all = allFaults(next, touched);
      expect(found).toMatchObject(all);
      expect(found.refusals).toHaveLength(all.refusals.length);
      for (const [index, { subject }] of all.refusals.entries()) {
        expect(found.refusals[index]?.subject).toBe(subject);
      }
      base = next;
    }
  },
  TIME_MAX,
);
