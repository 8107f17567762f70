import type { CallerHabit } from './caller.ts';
import { BAD, CERTS, type Entity, type Level } from './catalogue.ts';
import type { Change, DomainModel, WantedVersion } from './domain-model.ts';
import type { SeededRandom } from './seeded-random.ts';

/** How often a change is drawn again that would be refused. */
const DRAWS_MAX = 8;
/** How often a caller sends what will be refused all the same. */
const CARELESS = 0.12;

/** A change that somebody might want of a domain as it stands; most of them are possible. */
export function nextChange(random: SeededRandom, model: DomainModel, habit: CallerHabit): Change {
  if (!model.exists) return { op: 'create domain', policy: habit.policies[0] ?? 'NEUTRAL' };
  const isCareless = random.chance(CARELESS);
  let change = drawn(random, model, habit);
  for (let draw = 1; draw < DRAWS_MAX && !isCareless && !model.permits(change); draw += 1) {
    change = drawn(random, model, habit);
  }
  return change;
}

/** What somebody begins with: most of what the domain may hold, and its start. */
export function firstChanges(
  random: SeededRandom,
  model: DomainModel,
  { entities }: CallerHabit,
): readonly Change[] {
  const next = model.copy();
  const changes: Change[] = [];
  const want = (change: Change): void => {
    if (!next.permits(change)) return;
    next.apply(change);
    changes.push(change);
  };
  for (const entity of entities) {
    // What keeps a graph from running in a cluster comes later, if at all.
    const isLate = entity.name.startsWith(BAD) || entity.kind === 'ingestor';
    if (!isLate && random.chance(0.9)) want(creation(random, model, entity));
  }
  want({ op: 'start' });
  return changes;
}

function drawn(random: SeededRandom, model: DomainModel, habit: CallerHabit): Change {
  const dice = random.below(100);
  const { status } = model;
  if (dice < 15) return { op: status === 'running' && random.chance(0.2) ? 'stop' : 'start' };
  if (dice < 17) return declaration(random);
  if (dice < 20) return { op: 'alter domain', policy: random.pick(habit.policies) };
  if (dice < 22 && status === 'stopped') return { op: 'drop domain', cascade: random.chance(0.8) };
  if (habit.isMounting === true && dice < 35) return ofResource(random, model, habit);
  if (dice < 65) return alteration(random, model, habit);
  const entity = random.pick(habit.entities);
  const isEnsured = entity.mounts === undefined && random.chance(0.1);
  if (isEnsured) return { op: 'create', entity, isEnsured };
  if (!model.holds(entity)) return creation(random, model, entity);
  return dice < 75 ? { op: 'drop', entity } : alteration(random, model, habit);
}

function declaration(random: SeededRandom): Change {
  const resource = random.pick([CERTS, 'one', 'two', 'three']);
  return { op: 'declare', resource, isEnsured: random.chance(0.3) };
}

/** What is done to versions and to those who mount them. */
function ofResource(random: SeededRandom, model: DomainModel, { entities }: CallerHabit): Change {
  if (!model.resources.has(CERTS)) return { op: 'declare', resource: CERTS };
  const absent = entities.filter((each) => each.mounts !== undefined && !model.holds(each));
  if (absent.length > 0 && random.chance(0.6)) return creation(random, model, random.pick(absent));
  return { op: 'rebind', resource: CERTS, to: wanted(random, model) };
}

function creation(random: SeededRandom, model: DomainModel, entity: Entity): Change {
  if (entity.mounts === undefined) return { op: 'create', entity };
  return { op: 'bind', entity, to: wanted(random, model) };
}

function wanted(random: SeededRandom, model: DomainModel): WantedVersion {
  const { next = 1 } = model.resources.get(CERTS) ?? {};
  return random.chance(0.5) ? 'LATEST' : 1 + random.below(next);
}

/** Each pause as often as any other, however many parts have it; some change nothing. */
function alteration(random: SeededRandom, model: DomainModel, { entities }: CallerHabit): Change {
  const level = random.pick<Level>(['DYNAMIC', 'ENTITY_PAUSE', 'ENTITY_PAUSE', 'DOMAIN_PAUSE']);
  const held = entities.filter((entity) => model.holds(entity));
  const places = held.flatMap((entity) =>
    entity.parts.flatMap((part) => (part.level === level ? [{ entity, part }] : [])),
  );
  if (places.length === 0) return creation(random, model, random.pick(entities));
  const { entity, part } = random.pick(places);
  const others = part.values.filter((value) => value.name !== model.valueOf(entity, part)?.name);
  const to = random.pick(random.chance(0.85) ? others : part.values);
  return { op: 'alter', entity, part, to };
}
