/** Text still to be written, or a value to take apart. */
type Pending = { readonly text: string } | { readonly value: unknown };

/**
 * Canonical text of plain data: object keys in code-unit order, no white space; big integers,
 * negative zero and numbers that are not finite are tagged. Equal values have equal text, so it
 * serves for comparison and digests. It does not recurse, for a chain of operators may be far
 * longer than a call stack is deep.
 */
export function canonicalText(value: unknown): string {
  const pending: Pending[] = [{ value }];
  const parts: string[] = [];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ('text' in next) parts.push(next.text);
    else if (isCompound(next.value)) pushMembers(pending, next.value);
    else parts.push(leafText(next.value));
  }
  return parts.join('');
}

function leafText(value: unknown): string {
  if (typeof value === 'bigint') return `{"$int":"${value}"}`;
  const isTagged = typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0));
  if (isTagged) return `{"$float":"${Object.is(value, -0) ? '-0' : value}"}`;
  return JSON.stringify(value) ?? 'null';
}

/** Puts a compound value's members on the stack, the first on top. */
function pushMembers(pending: Pending[], value: Readonly<Record<string, unknown>>): void {
  const isList = Array.isArray(value);
  const keys = isList ? Object.keys(value) : presentKeys(value).toSorted();
  pending.push({ text: isList ? ']' : '}' });
  for (let index = keys.length - 1; index >= 0; index -= 1) {
    const key = keys[index] ?? '';
    pending.push({ value: value[key] });
    const separator = index === 0 ? '' : ',';
    pending.push({ text: isList ? separator : `${separator}${JSON.stringify(key)}:` });
  }
  pending.push({ text: isList ? '[' : '{' });
}

/** Structural equality of plain data: whether the canonical texts are the same. */
export function equalData(left: unknown, right: unknown): boolean {
  const pending: [unknown, unknown][] = [[left, right]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [one, other] = pair;
    if (Object.is(one, other)) continue;
    if (!isCompound(one) || !isCompound(other)) {
      if ((one ?? null) !== null || (other ?? null) !== null) return false;
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
