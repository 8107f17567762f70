/** Identity of a graph node inside its domain; the kind as schedules spell it: `lookup`. */
export interface GraphKey {
  readonly kind: string;
  readonly name: string;
}

/** Order of keys: by kind, then by name, each byte by byte. */
export function compareKeys(left: GraphKey, right: GraphKey): number {
  return compareText(left.kind, right.kind) || compareText(left.name, right.name);
}

/** Byte order of the names a model accepts; they are ASCII, where code units are bytes. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Text that identifies a key in a map. Kinds hold no slash, so no two keys share it. */
export function keyText(key: GraphKey): string {
  return `${key.kind}/${key.name}`;
}

function isAligned(keys: readonly GraphKey[], items: readonly GraphKey[]): boolean {
  if (keys.length !== items.length) return false;
  for (let at = 0; at < keys.length; at += 1) {
    const [key, item] = [keys[at], items[at]];
    if (key !== item && (key?.kind !== item?.kind || key?.name !== item?.name)) return false;
  }
  return true;
}

/**
 * The item of each key, where there is one; of several with one key the last. Items that come in
 * key order, as those of a schedule do, are walked beside the keys.
 *
 * @param keys ascending
 */
export function alignedTo<Item extends GraphKey>(
  keys: readonly GraphKey[],
  items: readonly Item[],
): readonly (Item | undefined)[] {
  if (isAligned(keys, items)) return items;
  const isSorted = items.every((item, at) => {
    const before = items[at - 1];
    return before === undefined || compareKeys(before, item) <= 0;
  });
  if (!isSorted) {
    const byKey = new Map(items.map((item) => [keyText(item), item]));
    return keys.map((key) => byKey.get(keyText(key)));
  }
  let next = 0;
  return keys.map((key) => {
    let found: Item | undefined;
    for (let item = items[next]; item !== undefined; item = items[next]) {
      const order = compareKeys(item, key);
      if (order > 0) break;
      if (order === 0) found = item;
      next += 1;
    }
    return found;
  });
}
