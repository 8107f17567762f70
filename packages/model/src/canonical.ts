/**
 * Canonical text of plain data: object keys in code-unit order, bigints tagged, no white space.
 * Equal values have equal text, so it serves for comparison and digests.
 */
export function canonicalText(value: unknown): string {
  if (typeof value === 'bigint') return `{"$int":"${value}"}`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  const record = value as Readonly<Record<string, unknown>>;
  const members = Object.keys(record)
    .filter((key) => record[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(record[key])}`);
  return `{${members.join(',')}}`;
}

/**
 * Structural equality of plain data: whether the canonical texts are the same. It does not recurse,
 * for a chain of operators may be far longer than a call stack is deep.
 */
export function equalData(left: unknown, right: unknown): boolean {
  const pending: [unknown, unknown][] = [[left, right]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [one, other] = pair;
    if (one === other) continue;
    if (!isCompound(one) || !isCompound(other)) {
      if (isCompound(one) || isCompound(other)) return false;
      if (canonicalText(one) !== canonicalText(other)) return false;
      continue;
    }
    if (Array.isArray(one) !== Array.isArray(other)) return false;
    const keys = presentKeys(one);
    const otherKeys = new Set(presentKeys(other));
    if (keys.length !== otherKeys.size) return false;
    for (const key of keys) {
      if (!otherKeys.has(key)) return false;
      pending.push([one[key], other[key]]);
    }
  }
  return true;
}

function isCompound(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Keys that the canonical text holds: all of an array, those with a value of an object. */
function presentKeys(value: Readonly<Record<string, unknown>>): readonly string[] {
  const keys = Object.keys(value);
  return Array.isArray(value) ? keys : keys.filter((key) => value[key] !== undefined);
}
