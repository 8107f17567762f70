import type { WireField } from '@nervix/protocol';

/** Names of the fields that hold floats, alone or in lists. */
export function floatFieldNames(fields: readonly WireField[]): ReadonlySet<string> {
  return new Set(fields.filter(({ type }) => /\bF(32|64)\b/.test(type)).map(({ name }) => name));
}

function toNumber(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return Array.isArray(value) ? value.map(toNumber) : value;
}

/**
 * Gives float fields their numbers back: a float such as 1e20 is written without a fraction, and
 * looks like a large integer until the schema is asked.
 */
export function restoreFloats(
  row: Readonly<Record<string, unknown>>,
  floatFields: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  if (floatFields.size === 0) return row;
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      floatFields.has(name) ? toNumber(value) : value,
    ]),
  );
}
