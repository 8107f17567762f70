/** The path of every leaf of plain data. */
export function* leavesOf(data: unknown, path: readonly string[] = []): Generator<LeafPath> {
  if (typeof data !== 'object' || data === null) yield path;
  else for (const [key, part] of Object.entries(data)) yield* leavesOf(part, [...path, key]);
}

/** The keys that lead to a leaf. */
export type LeafPath = readonly string[];

/** A copy of plain data in which the leaf at a path is another. */
export function withOtherLeaf<Data>(data: Data, path: LeafPath): Data {
  return edited(data, path) as Data;
}

function edited(data: unknown, [key, ...rest]: LeafPath): unknown {
  if (key === undefined && data === null) return { resource: 'edited', version: '1' };
  if (key === undefined) return typeof data === 'boolean' ? !data : 'edited';
  const copy = Array.isArray(data) ? [...data] : { ...(data as object) };
  const parts = copy as Record<string, unknown>;
  parts[key] = edited(parts[key], rest);
  return copy;
}
