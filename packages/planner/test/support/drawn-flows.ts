import { fc } from '@fast-check/vitest';
import type { MessageErrorPolicy, Model, Statement } from '@nervix/model';
import { type PlanningSnapshot, planTransaction, snapshotOf } from '../../src/index.js';
import { correlator, generator, reingestor, reorderer } from './every-kind.js';
import { field } from './expressions.js';
import {
  assign,
  BY_TENANT,
  change,
  client,
  column,
  deduplicator,
  emitter,
  endpoint,
  from,
  INHERIT_ALL,
  ingestor,
  junction,
  relay,
  SAMPLE,
  toFailures,
  UNBRANCHED,
} from './models.js';
import { NODE } from './transactions.js';

/** Two ends of a change, and the domain at its first end. */
export interface DrawnChange {
  readonly before: PlanningSnapshot;
  readonly after: readonly Model[];
  readonly statements: readonly Statement[];
}

const RELAYS = 6;
const ERROR_RELAYS = 2;
const KINDS = [
  'junction',
  'deduplicator',
  'reorderer',
  'correlator',
  'reingestor',
  'generator',
  'emitter',
  'ingestor',
] as const;
const EDITS = ['none', 'none', 'none', 'mode', 'hot', 'rewire', 'errors', 'branch'] as const;
const PRESENCES = [...Array.from({ length: 30 }, () => 'both'), 'before', 'after'] as const;

const slot = fc.record({
  kind: fc.constantFrom(...KINDS),
  isBranched: fc.boolean(),
  inputs: fc.array(fc.nat(RELAYS - 1), { minLength: 1, maxLength: 2 }),
  output: fc.nat(RELAYS - 1),
  errors: fc.option(fc.nat(ERROR_RELAYS - 1)),
  other: fc.nat(RELAYS - 1),
  edit: fc.constantFrom(...EDITS),
  presence: fc.constantFrom(...PRESENCES),
});
type Slot = typeof slot extends fc.Arbitrary<infer Value> ? Value : never;

/** Relays of even numbers are unbranched, so any number names one of either sort. */
const relayOf = (number: number, isBranched: boolean) =>
  `r${number - (number % 2) + Number(isBranched)}`;

/** A slot at one end of the change: what its edit alters differs between the two. */
function nodeOf(each: Slot, index: number, isAfter: boolean): readonly Model[] {
  const is = (edit: Slot['edit']) => isAfter && each.edit === edit;
  const isBranched = each.isBranched !== is('branch');
  const numbers = is('rewire') ? [each.other] : each.inputs;
  const inputs = from(...new Set(numbers.map((number) => relayOf(number, isBranched))));
  const errors = is('errors') ? (each.errors === null ? 0 : null) : each.errors;
  const messageError: MessageErrorPolicy =
    errors === null
      ? { kind: 'log' }
      : {
          ...toFailures,
          set: toFailures.set.slice(0, 1),
          relay: `${isBranched && each.kind !== 'ingestor' ? 'f' : 'e'}${errors}`,
        };
  const isOneRoute = !(each.kind === 'ingestor' && is('rewire'));
  const output = relayOf(isOneRoute ? each.output : each.other, isBranched);
  const route = {
    relay: output,
    construction: INHERIT_ALL,
    messageError,
    flush: is('hot')
      ? ({ kind: 'each', interval: '9s', maxBatchSize: '1KiB' } as const)
      : ({ kind: 'immediate' } as const),
  };
  const name = `n${index}`;
  const branching = isBranched ? BY_TENANT : UNBRANCHED;
  const acknowledgement = is('mode') ? ('DETACHED' as const) : ('ATTACHED' as const);
  const common = { name, acknowledgement, inputs, branching, routes: [route] };
  const branch = { ...BY_TENANT, set: [assign('tenant', field('message.tenant'))] };
  const routes = [{ ...route, branch: isBranched ? branch : UNBRANCHED }];
  switch (each.kind) {
    case 'junction':
      return [change(junction, common)];
    case 'deduplicator':
      return [change(deduplicator, { ...common, maxTime: is('hot') ? '3m' : '2m' })];
    case 'reorderer':
      return [change(reorderer, common)];
    case 'correlator': {
      const [first = 0, second = first] = numbers;
      const sides = {
        left: from(relayOf(first, isBranched)),
        right: from(relayOf(second, isBranched)),
      };
      const onTimeout = {
        left: { kind: 'drop' },
        right: { kind: 'send_to', relay: relayOf(each.other, isBranched) },
      } as const;
      const { inputs: _, ...rest } = common;
      return [change(correlator, { ...rest, ...sides, onTimeout })];
    }
    case 'reingestor':
      return [change(reingestor, { name, acknowledgement, inputs, routes })];
    case 'generator':
      return [
        change(generator, {
          name,
          branching,
          state: relayOf(numbers[0] ?? 0, isBranched),
          eachNanos: is('mode') ? '7' : '5',
          routes: [route],
        }),
      ];
    case 'emitter':
      return [change(emitter, { name, acknowledgement, inputs, messageError, flush: route.flush })];
    case 'ingestor': {
      const source = { ...ingestor.source, endpoint: `in${index}` };
      const generalError = is('mode') ? 'IGNORE' : 'LOG';
      return [
        change(endpoint, { name: `in${index}`, path: `/in${index}` }),
        change(ingestor, { name, source, generalError, routes, decodeError: null }),
      ];
    }
  }
}

const FLOW_KINDS: ReadonlySet<Model['kind']> = new Set([
  'relay',
  'ingestor',
  'endpoint',
  'junction',
  'deduplicator',
  'window_processor',
  'emitter',
]);
const CONFIGURATION = SAMPLE.filter(({ kind }) => !FLOW_KINDS.has(kind));

/** Changes of what only configures, by what they are called in a draw. */
const SETTINGS: Readonly<Record<string, (model: Model) => Model>> = {
  none: (model) => model,
  schema: (model) =>
    model.kind === 'schema' && model.name === 'failure'
      ? { ...model, fields: [...model.fields, column('more', 'I64', { optional: true })] }
      : model,
  branch: (model) => (model.kind === 'branch' ? { ...model, ttl: '2h' } : model),
  client: (model) =>
    model.kind === 'client' && model.name === 'spare'
      ? { ...model, type: 'ZEROMQ', config: [] }
      : model,
};
const SETTING_NAMES = [...Array.from({ length: 20 }, () => 'none'), 'schema', 'branch', 'client'];

const relayDraw = fc.record({
  isMaterialized: fc.boolean(),
  edit: fc.constantFrom('none', 'none', 'none', 'none', 'capacity', 'state'),
});

const draw = fc.record({
  slots: fc.array(slot, { minLength: 2, maxLength: 8 }),
  relays: fc.array(relayDraw, { minLength: RELAYS, maxLength: RELAYS }),
  setting: fc.constantFrom(...SETTING_NAMES),
  rules: fc.tuple(fc.array(pair(), { maxLength: 2 }), fc.array(pair(), { maxLength: 2 })),
  unplaced: fc.constantFrom(...Array.from({ length: 12 }, () => null), 'r0', 'r1', 'r2'),
  isRunning: fc.constantFrom(true, true, true, true, false),
  owners: fc.array(fc.constantFrom('n1', 'n2'), { minLength: 16, maxLength: 16 }),
});
type Draw = typeof draw extends fc.Arbitrary<infer Value> ? Value : never;

function pair() {
  return fc.tuple(fc.nat(7), fc.nat(7));
}

function modelsOf({ slots, relays, setting, rules }: Draw, isAfter: boolean): readonly Model[] {
  const flows = relays.map(({ isMaterialized, edit }, index) =>
    relay(`r${index}`, 'event', {
      branching: index % 2 === 0 ? UNBRANCHED : BY_TENANT,
      capacity: isAfter && edit === 'capacity' ? '3' : '2',
      materialized: isMaterialized !== (isAfter && edit === 'state'),
    }),
  );
  const errors = Array.from({ length: ERROR_RELAYS }, (_, index) => [
    relay(`e${index}`, 'failure'),
    relay(`f${index}`, 'failure', { branching: BY_TENANT }),
  ]).flat();
  const nodes = slots.flatMap((each, index) =>
    each.presence === (isAfter ? 'before' : 'after') ? [] : nodeOf(each, index, isAfter),
  );
  const alter = isAfter ? (SETTINGS[setting] ?? SETTINGS['none']) : undefined;
  const configuration = [...CONFIGURATION, change(client, { name: 'spare' })];
  const bonds = (rules[Number(isAfter)] ?? []).flatMap((ends, index) =>
    ruleOf(`near${index}`, ends, nodes),
  );
  return [
    ...(alter === undefined ? configuration : configuration.map(alter)),
    ...flows,
    ...errors,
    ...nodes,
    ...bonds,
  ];
}

/** A rule that two nodes come together, if both may be named by one. */
function ruleOf(name: string, ends: readonly number[], nodes: readonly Model[]): readonly Model[] {
  const eligible = nodes.filter(({ kind }) => kind !== 'ingestor' && kind !== 'endpoint');
  const [left, right] = ends.map((index) => eligible[index % eligible.length]?.name);
  if (left === undefined || right === undefined || left === right) return [];
  return [
    {
      kind: 'placement',
      name,
      from: [left],
      to: [right],
      policy: 'REQUIRE COLOCATION',
      rank: null,
    },
  ];
}

const create = (model: Model): Statement => ({ kind: 'create_model', ifNotExists: false, model });

/** The models as a domain on two nodes, each listener on both and all else where it was drawn. */
function placed(models: readonly Model[], { owners, isRunning, unplaced }: Draw): PlanningSnapshot {
  const nodes = [NODE, { ...NODE, name: 'n2' }];
  const rules = models.filter(({ kind }) => kind === 'placement');
  const plan = planTransaction(
    { ...snapshotOf('taxi', []), nodes },
    models.filter(({ kind }) => kind !== 'placement').map(create),
    { isWholeLanguage: true },
  );
  if (plan.kind === 'refused') throw new Error(plan.refusals[0]?.message);
  const schedule = plan.after.schedule
    .filter(({ name }) => name !== unplaced)
    .map((entry, index) => {
      const owner = owners[index % owners.length] ?? 'n1';
      return entry.nodes.length === 2 ? entry : { ...entry, nodes: [owner] };
    });
  const status = isRunning ? 'running' : 'stopped';
  return { ...plan.after, models: [...plan.after.models, ...rules], schedule, status };
}

/** Graphs of every kind of node on two cluster nodes, with edits of any level to some of them. */
export const drawnChange: fc.Arbitrary<DrawnChange> = draw.map((drawn) => {
  const [old, after] = [modelsOf(drawn, false), modelsOf(drawn, true)];
  const keyOf = ({ kind, name }: Model) => `${kind}/${name}`;
  const texts = (models: readonly Model[]) =>
    new Map(models.map((model) => [keyOf(model), JSON.stringify(model)]));
  const [was, is] = [texts(old), texts(after)];
  const statements = [
    ...old
      .filter((model) => is.get(keyOf(model)) !== was.get(keyOf(model)))
      .map(({ kind, name }): Statement => ({ kind: 'drop_model', modelKind: kind, name })),
    ...after.filter((model) => is.get(keyOf(model)) !== was.get(keyOf(model))).map(create),
  ];
  return { before: placed(old, drawn), after, statements };
});
