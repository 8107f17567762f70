import assert from 'node:assert/strict';
import type { Asked } from '../control-node.ts';
import type { Answer, CallerTransaction } from './caller.ts';
import { CERTS, type Entity } from './catalogue.ts';
import { checkWords, containing, escaped, exactly, refusalText } from './change-judgement.ts';
import { type Change, type DomainModel, textOf } from './domain-model.ts';
import type { SeededRandom } from './seeded-random.ts';

/** A request that changes nothing, and whether an answer is what it has to be. */
export interface Probe {
  readonly query: string;
  readonly asked: Omit<Asked, 'execution_reference'>;
  readonly judge: (answer: Answer) => void;
}

/** Whom a probe is drawn for. */
export interface Probed {
  readonly domain: string;
  readonly model: DomainModel;
  readonly entities: readonly Entity[];
  readonly transaction: CallerTransaction | undefined;
}

function completes(query: string, place: Probe['asked'], ...told: readonly RegExp[]): Probe {
  const judge = ({ isCompleted, message }: Answer): void => {
    assert.equal(isCompleted, true, `${query}: ${message}`);
    for (const each of told) checkWords(message, each, query);
  };
  return { query, asked: place, judge };
}

function refuses(query: string, asked: Probe['asked'], code: string, told?: RegExp): Probe {
  const judge = (answer: Answer): void => {
    assert.equal(answer.isCompleted, false, `${query} is not refused: ${answer.message}`);
    assert.equal(answer.code, code, `${query}: ${answer.message}`);
    if (told !== undefined) checkWords(answer.message, told, query);
  };
  return { query, asked, judge };
}

/** What is refused whatever the domain holds, and what needs nothing of it. */
function standing(random: SeededRandom, domain: string): Probe {
  const place = { domain };
  const gone = { domain: 'nowhere' };
  return random.pick([
    refuses(
      'CREATE SCHEMA pa (id I64); CREATE SCHEMA pb (id I64);',
      place,
      'REQUEST_SHAPE',
      exactly('multiple commands require BEGIN'),
    ),
    refuses(
      'COMMIT;',
      place,
      'TRANSACTION_STATE',
      exactly('COMMIT requires an active transaction'),
    ),
    refuses(
      'REVERT;',
      place,
      'TRANSACTION_STATE',
      exactly('REVERT requires an active transaction'),
    ),
    refuses('START;', gone, 'NOT_FOUND', exactly("domain 'nowhere' does not exist")),
    refuses('BEGIN;', gone, 'NOT_FOUND', exactly("domain 'nowhere' does not exist")),
    refuses('DESCRIBE DOMAIN;', gone, 'NOT_FOUND', exactly("domain 'nowhere' does not exist")),
    refuses('STOP;', { domain: null }, 'NO_DOMAIN_SELECTED', exactly('no active domain selected')),
    refuses('DROP DOMAIN nowhere;', place, 'NOT_FOUND', exactly("domain 'nowhere' does not exist")),
    refuses('CREATE NONSENSE x;', place, 'PARSE_FAILED'),
    refuses('USE d;', place, 'REQUEST_SHAPE', containing('client-local command')),
    refuses('LIST DOMAINS;', place, 'REQUEST_SHAPE'),
    refuses(
      'RESET WASM PROCESSOR absent STATE IN DOMAIN nowhere FOR UNBRANCHED;',
      place,
      'NOT_FOUND',
      exactly("domain 'nowhere' does not exist"),
    ),
    completes('SHOW CLUSTER STATUS;', { domain: null }, /^\[chitchat\]/u),
    completes('DESCRIBE REBALANCE;', { domain: null }, /^rebalance of the cluster\n/u),
  ]);
}

/** CP-52: what a transaction takes none of, with the word that says so. */
const NOT_QUEUED: readonly (readonly [query: string, label: string])[] = [
  ['CREATE DOMAIN further;', 'CREATE DOMAIN'],
  ["CREATE USER further WITH PASSWORD 'secret';", 'CREATE USER'],
  ['CORDON NODE n1;', 'CORDON'],
  ['UNCORDON NODE n1;', 'UNCORDON'],
  ['DRAIN NODE n1;', 'DRAIN'],
  ['DROP NODE n1;', 'DROP NODE'],
  ['RELOCATE RELAY ra ONTO NODE n1 FOLLOW PREFERENCES;', 'RELOCATE'],
  ['SHOW CLUSTER STATUS;', 'SHOW'],
  ['DESCRIBE DOMAIN;', 'DESCRIBE'],
  ['SHOW CREATE RELAY ra;', 'SHOW'],
];

/** What an open transaction refuses in front of its content (CP-51…53), and reads beside it. */
function inside(random: SeededRandom, { domain, model, transaction }: Probed): Probe {
  const { id = '', queued = [] } = transaction ?? {};
  const place = { transaction: id };
  const [query, label] = random.pick(NOT_QUEUED);
  const count = queued.length;
  const content = 'CREATE SCHEMA probe (id I64);';
  const state = new RegExp(
    `^transaction: ${id}\ndomain: ${domain}\nstate: OPEN\n` +
      `operations: ${count} accepted, 0 applied, ${count} pending\n`,
    'u',
  );
  // What was overtaken by changes beside it cannot be planned as it is.
  const described = isPlannable(model, queued)
    ? completes(`DESCRIBE TRANSACTION '${id}';`, { domain: null }, state)
    : undefined;
  return random.pick([
    refuses(query, place, 'NOT_QUEUEABLE', exactly(notQueued(label))),
    refuses('BEGIN;', place, 'TRANSACTION_STATE', exactly('transaction is already active')),
    refuses(
      content,
      { ...place, user: 'eve' },
      'PERMISSION_DENIED',
      exactly(`transaction '${id}' belongs to another user`),
    ),
    refuses(
      'COMMIT;',
      { ...place, user: 'eve' },
      'PERMISSION_DENIED',
      exactly(`transaction '${id}' belongs to another user`),
    ),
    refuses(
      content,
      { ...place, domain: 'nowhere' },
      'NOT_FOUND',
      exactly("domain 'nowhere' does not exist"),
    ),
    refuses(
      content,
      { ...place, domain: 'admin' },
      'TRANSACTION_STATE',
      exactly(
        `transaction '${id}' is bound to domain '${domain}'; the statement selected domain 'admin'`,
      ),
    ),
    refuses(
      content,
      { ...place, expected_transaction_position: count + 7 },
      'POSITION_CHANGED',
      exactly(`transaction '${id}' queue position changed: expected ${count + 7}, found ${count}`),
    ),
    refuses(`DESCRIBE TRANSACTION '${id}'; ${content}`, place, 'REQUEST_SHAPE'),
    described ?? refuses(query, place, 'NOT_QUEUEABLE', exactly(notQueued(label))),
    completes(
      'SHOW TRANSACTIONS;',
      place,
      new RegExp(`^id=${id} owner=ada domain=${domain} state=OPEN pending=${count} `, 'mu'),
    ),
  ]);
}

/** Whether all that a transaction holds would go through as the domain is now. */
function isPlannable(model: DomainModel, queued: readonly Change[]): boolean {
  const next = model.copy();
  return queued.every((change) => {
    const isPossible = next.permits(change);
    if (isPossible) next.apply(change);
    return isPossible;
  });
}

function notQueued(label: string): string {
  return (
    `${label} cannot be queued in a transaction; a transaction applies to one existing domain ` +
    "and queues only that domain's configuration statements"
  );
}

/** Reads of the domain as the model knows it. */
function reading(random: SeededRandom, { domain, model, entities }: Probed): Probe {
  const place = { domain };
  const entity = random.pick(entities);
  const { status } = model;
  const shown = `${status.charAt(0).toUpperCase()}${status.slice(1)}`;
  const dice = random.below(7);
  if (dice === 0) return showCreate(place, model, entity);
  if (dice === 1) return described(place, model, random.pick(entities.filter(isDescribed)));
  if (dice === 2) return ofResource(random, place, model);
  if (dice === 3) {
    // `paused` belongs to somebody who changes the domain, and nobody else does.
    return completes(
      'DESCRIBE DOMAIN;',
      place,
      new RegExp(`^domain: ${domain}\nstatus: ${status}`, 'u'),
    );
  }
  if (dice === 4) {
    const line = new RegExp(`^- ${domain} status=${shown} pace=UNPACED$`, 'mu');
    return completes('SHOW CLUSTER STATUS;', { domain: null }, line);
  }
  if (dice === 5) return completes('SHOW PLACEMENTS;', place);
  const relay = entities.find(({ kind }) => kind === 'relay') ?? entity;
  const query = `EXPLAIN PLACEMENT ${relay.label};`;
  return model.holds(relay)
    ? completes(query, place, containing(relay.name))
    : refuses(query, place, 'NOT_FOUND', containing(relay.name));
}

function isDescribed({ kind }: Entity): boolean {
  return kind === 'relay' || kind === 'junction' || kind === 'deduplicator' || kind === 'emitter';
}

function described(place: { domain: string }, model: DomainModel, entity: Entity): Probe {
  const query = `DESCRIBE ${entity.label};`;
  if (model.holds(entity)) return completes(query, place, containing(entity.name));
  const words = `'${entity.name}' does not exist in domain '${place.domain}'`;
  return refuses(query, place, 'NOT_FOUND', containing(words));
}

function showCreate(place: { domain: string }, model: DomainModel, entity: Entity): Probe {
  const query = `SHOW CREATE ${entity.label};`;
  if (!model.holds(entity)) {
    const told = `${entity.kind} '${entity.name}' does not exist in domain '${place.domain}'`;
    return refuses(query, place, 'NOT_FOUND', exactly(told));
  }
  const { shown } = model.shownBy(`${entity.kind} ${entity.name}`);
  const mounted = model.mountedBy(entity);
  const parts = [
    ...shown,
    ...(mounted === undefined ? [] : [`${entity.mounts} VERSION ${mounted}`]),
  ];
  // Canonical texts are set in lines.
  const patterns = parts.map(
    (each) => new RegExp(escaped(each.trim()).replaceAll(' ', '\\s+'), 'u'),
  );
  return completes(query, place, ...patterns);
}

/** TX-24, TX-25: a resource with its versions and those who bind them. */
function ofResource(random: SeededRandom, place: { domain: string }, model: DomainModel): Probe {
  const query = `DESCRIBE RESOURCE ${CERTS};`;
  const held = model.resources.get(CERTS);
  if (held === undefined) {
    return refuses(query, place, 'NOT_FOUND', exactly(`resource '${CERTS}' does not exist`));
  }
  const absent = held.next + random.below(3);
  if (random.chance(0.3)) {
    const told = exactly(`resource '${CERTS}@${absent}' does not exist`);
    return refuses(`DESCRIBE RESOURCE ${CERTS} VERSION ${absent};`, place, 'NOT_FOUND', told);
  }
  const lines = model
    .usages(CERTS, 0)
    .map(({ entity, from }) => `- kind=client name=${entity.name} version=${from}`);
  const usages = lines.length === 0 ? [] : [containing(['usages:', ...lines].join('\n'))];
  return completes(query, place, ...usages);
}

/** EXPLAIN of a change: what it would do, or why it would be refused. */
function explaining({ domain, model }: Probed, change: Change): Probe {
  const query = `EXPLAIN ${textOf(change, domain)}`;
  const place = { domain };
  const judge = ({ isCompleted, message }: Answer): void => {
    assert.equal(isCompleted, model.permits(change), `${query}: ${message}`);
    if (isCompleted) assert.match(message, /\nstate: PLANNED\n/u, query);
    const told = isCompleted ? undefined : refusalText(model, change, domain);
    if (told !== undefined) checkWords(message, told, query);
  };
  return { query, asked: place, judge };
}

/** A random probe, of a change that the caller might want where it explains one. */
export function nextProbe(random: SeededRandom, probed: Probed, change: Change): Probe {
  const { domain, model, transaction } = probed;
  if (transaction !== undefined && random.chance(0.6)) return inside(random, probed);
  const dice = random.below(10);
  if (dice < 3 || !model.exists) return standing(random, domain);
  if (dice === 3) {
    const told = exactly(`domain '${domain}' already exists`);
    return random.chance(0.5)
      ? refuses(`CREATE DOMAIN ${domain};`, { domain }, 'ALREADY_EXISTS', told)
      : completes(`CREATE IF NOT EXISTS DOMAIN ${domain};`, { domain }, told);
  }
  const isExplained = dice < 6 && change.op !== 'create domain' && change.op !== 'drop domain';
  return isExplained ? explaining(probed, change) : reading(random, probed);
}
