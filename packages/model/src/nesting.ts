/**
 * Deepest nesting of plain data that is stored and planned. Codecs and compilers walk models
 * recursively; beyond this they could exhaust the stack.
 */
export const NESTING_MAX = 1_000;

/**
 * Whether plain data nests deeper than a bound. Walks without recursion, so any depth is safe to ask
 * about.
 *
 * @param limit levels of objects and lists
 */
export function isNestedDeeper(value: unknown, limit: number = NESTING_MAX): boolean {
  let level: object[] = isContainer(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    const next: object[] = [];
    for (const container of level) {
      for (const child of Object.values(container)) if (isContainer(child)) next.push(child);
    }
    level = next;
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
