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

/** Structural equality of plain data. */
export function equalData(left: unknown, right: unknown): boolean {
  return left === right || canonicalText(left) === canonicalText(right);
}
