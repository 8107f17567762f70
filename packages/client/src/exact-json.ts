/** The third argument of a JSON reviver, which the library types do not declare yet. */
interface ReviverContext {
  /** Source text of a primitive value. */
  readonly source?: string;
}
type ExactReviver = (
  this: unknown,
  key: string,
  value: unknown,
  context: ReviverContext,
) => unknown;

/** `JSON.rawJSON`, which the library types do not declare yet. */
const jsonWithRaw = JSON as typeof JSON & { rawJSON(text: string): unknown };

const integerText = /^-?[0-9]+$/;

const keepExactIntegers: ExactReviver = (_key, value, context) => {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  return source !== undefined && integerText.test(source) ? BigInt(source) : value;
};

/**
 * Parses JSON without rounding: an integer beyond ±(2^53 − 1) becomes a `bigint`, every other
 * number stays a `number`.
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(
    text,
    keepExactIntegers as (this: unknown, key: string, value: unknown) => unknown,
  );
}

/** Prints a value as JSON, with `bigint` values as plain integers. */
export function printExactJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? jsonWithRaw.rawJSON(member.toString()) : member,
  );
}
