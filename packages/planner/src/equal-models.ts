/**
 * Structural equality of plain data, without recursion: models may hold operator chains far longer
 * than a call stack is deep.
 */
export function equalModels(left: unknown, right: unknown): boolean {
  const pending: [unknown, unknown][] = [[left, right]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [a, b] = pair;
    if (Object.is(a, b)) continue;
    if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = presentKeys(a);
    if (keys.length !== presentKeys(b).length) return false;
    for (const key of keys) {
      if (b[key] === undefined) return false;
      pending.push([a[key], b[key]]);
    }
  }
  return true;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function presentKeys(value: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}
