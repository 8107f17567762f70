import { type Altered, ClauseFault } from './clause-fault.js';

/** How the items of a list in a model are told apart, and named in faults. */
export interface NamedList<Item> {
  readonly nameOf: (item: Item) => string;
  /** Words for an item of a name: `route to relay 'x'`. */
  readonly words: (name: string) => string;
  /** Whether words stand alone as a message. */
  readonly isWhole?: boolean;
}

/** The list with an item at its end, whose name must be new. */
export function withAdded<Item>(
  list: readonly Item[],
  item: Item,
  named: NamedList<Item>,
): Altered<readonly Item[]> {
  const name = named.nameOf(item);
  if (list.some((other) => named.nameOf(other) === name)) {
    return new ClauseFault(`${named.words(name)} already exists`, named.isWhole);
  }
  return [...list, item];
}

/** The list without the item of a name. */
export function withDropped<Item>(
  list: readonly Item[],
  name: string,
  named: NamedList<Item>,
): Altered<readonly Item[]> {
  const rest = list.filter((item) => named.nameOf(item) !== name);
  return rest.length === list.length ? absent(name, named) : rest;
}

/** The list with the item of a name replaced, in its place. */
export function withReplaced<Item>(
  list: readonly Item[],
  name: string,
  replace: (item: Item) => Item,
  named: NamedList<Item>,
): Altered<readonly Item[]> {
  if (!list.some((item) => named.nameOf(item) === name)) return absent(name, named);
  return list.map((item) => (named.nameOf(item) === name ? replace(item) : item));
}

function absent<Item>(name: string, named: NamedList<Item>): ClauseFault {
  return new ClauseFault(`${named.words(name)} does not exist`, named.isWhole);
}
