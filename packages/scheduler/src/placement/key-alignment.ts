import { invalidInput } from '../errors.js';
import { compareKeys, type GraphKey, keyText } from './graph-key.js';
import { keyWords } from './key-words.js';

function isAligned(keys: readonly GraphKey[], items: readonly GraphKey[]): boolean {
  if (keys.length !== items.length) return false;
  for (let at = 0; at < keys.length; at += 1) {
    const [key, item] = [keys[at], items[at]];
    if (key !== item && (key?.kind !== item?.kind || key?.name !== item?.name)) return false;
  }
  return true;
}

/**
 * The item of each key, where there is one. Items that come in key order, as those of a schedule
 * do, are walked beside the keys.
 *
 * @param keys ascending
 * @param what names the list in the error
 * @throws ScheduleError when two items have one key
 */
export function alignedTo<Item extends GraphKey>(
  keys: readonly GraphKey[],
  items: readonly Item[],
  what: string,
): readonly (Item | undefined)[] {
  if (isAligned(keys, items)) return items;
  const isAscending = items.every((item, at) => {
    const before = items[at - 1];
    return before === undefined || compareKeys(before, item) < 0;
  });
  if (!isAscending) {
    const byKey = uniquelyKeyed(items, what);
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

function uniquelyKeyed<Item extends GraphKey>(
  items: readonly Item[],
  what: string,
): ReadonlyMap<string, Item> {
  const byKey = new Map<string, Item>();
  for (const item of items) {
    const text = keyText(item);
    if (byKey.has(text)) invalidInput(`${what} give ${keyWords(item)} twice`);
    byKey.set(text, item);
  }
  return byKey;
}
