import type { CallerHabit } from './caller.ts';
import { BAD, type Level } from './catalogue.ts';
import type { Change, DomainModel } from './domain-model.ts';
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
    if (!entity.name.startsWith(BAD) && random.chance(0.9)) want({ op: 'create', entity });
  }
  want({ op: 'start' });
  return changes;
}

function drawn(random: SeededRandom, model: DomainModel, habit: CallerHabit): Change {
  const dice = random.below(100);
  const { status } = model;
  if (dice < 15) return { op: status === 'running' && random.chance(0.2) ? 'stop' : 'start' };
  if (dice < 17) return { op: 'declare', resource: random.pick(['one', 'two', 'three']) };
  if (dice < 20) return { op: 'alter domain', policy: random.pick(habit.policies) };
  if (dice < 65) return alteration(random, model, habit);
  const entity = random.pick(habit.entities);
  if (!model.holds(entity)) return { op: 'create', entity };
  return dice < 75 ? { op: 'drop', entity } : alteration(random, model, habit);
}

/** Each pause as often as any other, however many parts have it; some change nothing. */
function alteration(random: SeededRandom, model: DomainModel, { entities }: CallerHabit): Change {
  const level = random.pick<Level>(['DYNAMIC', 'ENTITY_PAUSE', 'ENTITY_PAUSE', 'DOMAIN_PAUSE']);
  const held = entities.filter((entity) => model.holds(entity));
  const places = held.flatMap((entity) =>
    entity.parts.flatMap((part) => (part.level === level ? [{ entity, part }] : [])),
  );
  if (places.length === 0) return { op: 'create', entity: random.pick(entities) };
  const { entity, part } = random.pick(places);
  const others = part.values.filter((value) => value.name !== model.valueOf(entity, part)?.name);
  const to = random.pick(random.chance(0.85) ? others : part.values);
  return { op: 'alter', entity, part, to };
}
