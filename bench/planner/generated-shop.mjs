// A domain of about `entities` models: chains of a relay, a junction, a deduplicator and the relays
// between them, over shared schemas, on three cluster nodes, running.
import { planTransaction, snapshotOf } from '@nervix/planner';

const field = (name, type) => ({ name, type, optional: false, sensitive: false });
const SCHEMA = {
  kind: 'schema',
  name: 'sale',
  fields: [field('id', 'I64'), field('total', 'F64')],
};
const UNBRANCHED = { kind: 'unbranched' };
const inputs = (relay) => ({ relays: [{ relay, where: null }], collect: null });
const routes = (relay) => [
  {
    relay,
    construction: { inherit: { kind: 'all', except: [] }, set: [], where: null, invoke: [] },
    flush: { kind: 'immediate' },
    messageError: { kind: 'log' },
  },
];
const relay = (name) => ({
  kind: 'relay',
  name,
  schema: 'sale',
  branching: UNBRANCHED,
  capacity: '1',
  materialized: false,
});
const processor = (from, to) => ({
  acknowledgement: 'ATTACHED',
  inputs: inputs(from),
  filter: null,
  branching: UNBRANCHED,
  dependencies: [],
  routes: routes(to),
});

function chain(index) {
  const [raw, split, once] = [`raw_${index}`, `split_${index}`, `once_${index}`];
  return [
    relay(raw),
    relay(split),
    relay(once),
    { kind: 'junction', name: `junction_${index}`, ...processor(raw, split) },
    {
      kind: 'deduplicator',
      name: `deduplicator_${index}`,
      ...processor(split, once),
      deduplicateOn: [{ kind: 'field', scope: 'input', name: 'id' }],
      maxTime: '10m',
    },
  ];
}

const node = (name) => ({ name, isLive: true, isCordoned: false, isTerminating: false });

/** The snapshot of a running domain of so many models. */
export function generatedShop(entities) {
  const models = [SCHEMA];
  for (let index = 0; models.length < entities; index += 1) models.push(...chain(index));
  const base = { ...snapshotOf('shop', []), nodes: ['n1', 'n2', 'n3'].map(node) };
  const creations = models.map((model) => ({ kind: 'create_model', ifNotExists: false, model }));
  const plan = planTransaction(base, [...creations, { kind: 'start', at: null }]);
  if (plan.kind === 'refused') throw new Error(plan.refusals[0].message);
  return plan.after;
}

/** One ALTER of the chain of this index, of which every fourth pauses entities; each turn differs. */
export function alteration(index, turn = 0) {
  if (index % 4 === 0) {
    const name = turn % 2 === 0 ? 'total' : 'id';
    return {
      kind: 'alter_model',
      modelKind: 'deduplicator',
      name: `deduplicator_${index}`,
      operations: [{ op: 'set_deduplicate_on', keys: [{ kind: 'field', scope: 'input', name }] }],
    };
  }
  return {
    kind: 'alter_model',
    modelKind: 'relay',
    name: `raw_${index}`,
    operations: [{ op: 'set_capacity', capacity: String(8 + turn) }],
  };
}

/**
 * An ALTER after which a junction also reads the last relay of the next chain, or in every second lap no
 * longer does.
 */
export function rewiring(turn, chains) {
  const index = turn % chains;
  const relay = `once_${(index + 1) % chains}`;
  const isRead = Math.floor(turn / chains) % 2 === 1;
  const operation = isRead
    ? { op: 'drop_input', relay }
    : { op: 'add_input', input: { relay, where: null } };
  return {
    kind: 'alter_model',
    modelKind: 'junction',
    name: `junction_${index}`,
    operations: [operation],
  };
}
