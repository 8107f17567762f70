/** Rows group by group, in their order within each. */
export interface GroupOrder {
  readonly order: Int32Array;
  /** For each group the position behind its last row. */
  readonly ends: Int32Array;
}

/** Sorts rows by the numbers of their groups, leaving out those given. */
export function orderByGroup(
  ids: Int32Array,
  groupCount: number,
  without: ReadonlySet<number>,
): GroupOrder {
  const ends = new Int32Array(groupCount);
  const isLeftOut = without.size === 0 ? null : (row: number): boolean => without.has(row);
  for (let row = 0; row < ids.length; row += 1) {
    if (isLeftOut?.(row) === true) continue;
    const id = ids[row] as number;
    ends[id] = (ends[id] as number) + 1;
  }
  let total = 0;
  const next = new Int32Array(groupCount);
  for (let id = 0; id < groupCount; id += 1) {
    next[id] = total;
    total += ends[id] as number;
    ends[id] = total;
  }
  const order = new Int32Array(total);
  for (let row = 0; row < ids.length; row += 1) {
    if (isLeftOut?.(row) === true) continue;
    const id = ids[row] as number;
    const at = next[id] as number;
    order[at] = row;
    next[id] = at + 1;
  }
  return { order, ends };
}
