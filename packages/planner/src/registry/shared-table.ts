/** Buckets of a table. Fixed, so that where a key lies depends on the key alone. */
const BUCKETS = 256;

type Bucket<Value> = ReadonlyMap<string, Value>;

/** What becomes of keys; undefined takes a key away. */
export type TableChanges<Value> = ReadonlyMap<string, Value | undefined>;

/**
 * A map from texts that is never changed: versions of it share the buckets that they have in
 * common, so a version costs what it changes, and two versions are compared by their buckets. Equal
 * contents come in the same order, whatever versions led to them.
 */
export class SharedTable<Value> {
  readonly size: number;
  readonly #buckets: readonly (Bucket<Value> | undefined)[];

  private constructor(buckets: readonly (Bucket<Value> | undefined)[], size: number) {
    this.#buckets = buckets;
    this.size = size;
  }

  /** @param entries of two with one key the later stays */
  static of<Value>(entries: Iterable<readonly [string, Value]>): SharedTable<Value> {
    return new SharedTable<Value>([], 0).with(new Map(entries));
  }

  get(key: string): Value | undefined {
    return this.#buckets[bucketOf(key)]?.get(key);
  }

  has(key: string): boolean {
    return this.#buckets[bucketOf(key)]?.has(key) === true;
  }

  /** The table after changes; the same one where there are none. */
  with(changes: TableChanges<Value>): SharedTable<Value> {
    if (changes.size === 0) return this;
    const buckets = [...this.#buckets];
    let { size } = this;
    for (const [index, own] of Map.groupBy(changes, ([key]) => bucketOf(key))) {
      const before = buckets[index];
      const bucket = changedBucket(before, own);
      size += (bucket?.size ?? 0) - (before?.size ?? 0);
      buckets[index] = bucket;
    }
    return new SharedTable(buckets, size);
  }

  *entries(): Generator<[string, Value], undefined> {
    for (const bucket of this.#buckets) if (bucket !== undefined) yield* bucket;
  }

  *keys(): Generator<string, undefined> {
    for (const bucket of this.#buckets) if (bucket !== undefined) yield* bucket.keys();
  }

  *values(): Generator<Value, undefined> {
    for (const bucket of this.#buckets) if (bucket !== undefined) yield* bucket.values();
  }

  /** All values, in the order of {@link values}. */
  list(): readonly Value[] {
    const list: Value[] = [];
    for (const bucket of this.#buckets) {
      bucket?.forEach((value) => {
        list.push(value);
      });
    }
    return list;
  }

  /** The filled buckets in order, each the same object in every version that shares it. */
  *buckets(): Generator<Bucket<Value>, undefined> {
    for (const bucket of this.#buckets) if (bucket !== undefined) yield bucket;
  }

  /** Keys under which this table and another one do not hold the very same value. */
  *differencesFrom(other: SharedTable<Value>): Generator<string, undefined> {
    for (let index = 0; index < BUCKETS; index += 1) {
      const [own, others] = [this.#buckets[index], other.#buckets[index]];
      if (own === others) continue;
      for (const [key, value] of own ?? []) {
        if (others?.has(key) !== true || others.get(key) !== value) yield key;
      }
      for (const key of others?.keys() ?? []) if (own?.has(key) !== true) yield key;
    }
  }
}

function changedBucket<Value>(
  before: Bucket<Value> | undefined,
  changes: readonly (readonly [string, Value | undefined])[],
): Bucket<Value> | undefined {
  const bucket = new Map(before);
  let isOrdered = true;
  for (const [key, value] of changes) {
    if (value === undefined) bucket.delete(key);
    else {
      isOrdered &&= bucket.has(key);
      bucket.set(key, value);
    }
  }
  if (bucket.size === 0) return undefined;
  return isOrdered
    ? bucket
    : new Map([...bucket].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** FNV-1a over code units, folded: the same in every process. */
function bucketOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return (hash ^ (hash >>> 8) ^ (hash >>> 16) ^ (hash >>> 24)) & (BUCKETS - 1);
}
