import { fc, test } from '@fast-check/vitest';
import { equalData, type Model, type Statement } from '@nervix/model';
import { describe, expect } from 'vitest';
import { domainModels, type TransactionPlan } from '../../src/index.js';
import { generator, reingestor, reorderer, rule } from '../support/every-kind.js';
import { change, emitter, from, relay, SAMPLE } from '../support/models.js';
import { planned, running } from '../support/transactions.js';

const whole = { isWholeLanguage: true };
const MODELS: readonly Model[] = [
  ...SAMPLE,
  relay('state', 'event', { materialized: true }),
  relay('sorted', 'event'),
  relay('again', 'event'),
  relay('ticks', 'event'),
  change(reorderer, { routes: reorderer.routes.map((route) => ({ ...route, relay: 'sorted' })) }),
  change(reingestor, { routes: reingestor.routes.map((route) => ({ ...route, relay: 'again' })) }),
  change(generator, {
    state: 'state',
    routes: generator.routes.map((route) => ({ ...route, relay: 'ticks' })),
  }),
  change(emitter, { name: 'second', inputs: from('copies', 'sorted') }),
  rule,
];
const domain = running(MODELS, whole);

const ROUTE = 'INHERIT ALL FLUSH IMMEDIATE ON MESSAGE ERROR LOG';
/** Edits of every kind that may be altered, each of which fits beside all others. */
const ALTERATIONS: readonly string[] = [
  'ALTER SCHEMA summary ADD FIELD extra I64 OPTIONAL',
  'ALTER SCHEMA failure ALTER FIELD message SET SENSITIVE',
  'ALTER WIRE JSON SCHEMA event_wire MODE LOOSE',
  'ALTER WIRE JSON SCHEMA out_wire MODE STRICT',
  'ALTER RELAY events SET CAPACITY 8',
  'ALTER RELAY other SET SCHEMA event',
  'ALTER RELAY copies SET MATERIALIZED STATE LAST BY TIMESTAMP',
  'ALTER JUNCTION split SET DETACHED',
  'ALTER JUNCTION split SET FILTER WHERE input.amount > 3.0 AS F64',
  'ALTER JUNCTION split ALTER FROM events SET WHERE input.amount > 1.0 AS F64',
  'ALTER JUNCTION split SET COLLECT FOR 1s',
  `ALTER JUNCTION split REPLACE ROUTE TO copies ${ROUTE}`,
  `ALTER JUNCTION split ADD ROUTE TO other ${ROUTE}`,
  'ALTER DEDUPLICATOR once SET MAX TIME 1m',
  'ALTER DEDUPLICATOR once SET DEDUPLICATE ON input.tenant',
  'ALTER DEDUPLICATOR once SET ATTACHED',
  'ALTER REORDERER sort SET MAX TIME 2s',
  'ALTER REORDERER sort SET BY id',
  'ALTER REINGESTOR again SET DETACHED',
  'ALTER REINGESTOR again ADD ROUTE TO other INHERIT ALL UNBRANCHED FLUSH IMMEDIATE ' +
    'ON MESSAGE ERROR LOG',
  'ALTER GENERATOR tick SET EACH 2s',
  'ALTER EMITTER publish SET FLUSH IMMEDIATE',
  'ALTER EMITTER publish SET DETACHED',
  'ALTER EMITTER publish SET COLLECT FOR 1s',
  'ALTER EMITTER publish ADD FROM sorted',
  'ALTER EMITTER second DROP FROM sorted',
  'ALTER INGESTOR intake SET GENERAL ERROR IGNORE',
  'ALTER INGESTOR intake SET TIMESTAMP NOW',
  'ALTER PLACEMENT near SET RANK 3',
];

/** Every change between two domains as a drop of what was there and a creation of what is. */
function recreation({ after }: TransactionPlan): readonly Statement[] {
  const former = domainModels(domain.models);
  const changed = after.models.filter((model) => {
    const before = former.get(`${model.kind}/${model.name}`);
    return before !== undefined && !equalData(before, model);
  });
  return [
    ...changed.map(({ kind, name }): Statement => ({ kind: 'drop_model', modelKind: kind, name })),
    ...changed.map((model): Statement => ({ kind: 'create_model', ifNotExists: false, model })),
  ];
}

/** What a plan comes to, whichever of its operations that is due to. */
function impact({ report }: TransactionPlan): unknown {
  const text = JSON.stringify(report.execution_steps.map(({ planned: part }) => part));
  return JSON.parse(text.replaceAll(/,"attribution":\[[\d,]*\]/g, ''));
}

function expectOneModification(script: string): void {
  const altered = planned(domain, script, whole);
  const recreated = planned(domain, recreation(altered), whole);
  expect(impact(recreated)).toEqual(impact(altered));
  expect(recreated.after).toEqual(altered.after);
}

describe('CP-94 dropping and creating is one modification, as altering is', () => {
  test.each(ALTERATIONS)('%s', (script) => {
    expect(planned(domain, script, whole).steps[0]?.decision).toMatchObject({ noOpOperations: [] });
    expectOneModification(script);
  });

  test.prop([fc.shuffledSubarray([...ALTERATIONS], { minLength: 2, maxLength: 8 })])(
    'several edits of several models',
    (scripts) => {
      expectOneModification(scripts.join('; '));
    },
  );
});
