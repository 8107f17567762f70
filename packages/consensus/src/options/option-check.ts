import { RaftError } from '../errors.ts';
import { isHexId } from '../raft/hex-id.ts';
import { parseEndpoint } from '../transport/endpoint.ts';
import { nearestName } from './spelling.ts';

/** Throws `RAFT_INVALID_OPTION`, naming the option, unless the value is a usable one. */
export type OptionCheck = (value: unknown, option: string) => void;

/** One check for every option of `T`, so that none is forgotten. */
export type OptionChecks<T> = { readonly [K in keyof T]-?: OptionCheck };

/** Longest name of a cluster or node, in characters. */
export const NAME_LENGTH_MAX = 128;

/** Longest time that a timer of Node measures, in milliseconds. */
export const TIMER_MS_MAX: number = 2 ** 31 - 1;

const PRINTABLE = /^[^\p{C}\p{Z}](?:[^\p{C}\p{Zl}\p{Zp}]*[^\p{C}\p{Z}])?$/u;

/** The error for an option that cannot be used; `problem` completes "the option ...". */
export function invalidOption(option: string, problem: string): RaftError<'RAFT_INVALID_OPTION'> {
  return new RaftError('RAFT_INVALID_OPTION', { option, problem });
}

function satisfies(isUsable: (value: unknown) => boolean, wanted: string): OptionCheck {
  return (value, option) => {
    if (!isUsable(value))
      throw invalidOption(option, `is ${describe(value)}; it must be ${wanted}`);
  };
}

/** Absent or `undefined`, or what passes the other check. */
export function optional(check: OptionCheck): OptionCheck {
  return (value, option) => {
    if (value !== undefined) check(value, option);
  };
}

/** A whole number within bounds, both inclusive. */
export function wholeNumber(least: number, most: number = Number.MAX_SAFE_INTEGER): OptionCheck {
  return satisfies(
    (it) => Number.isSafeInteger(it) && Number(it) >= least && Number(it) <= most,
    `a whole number from ${least} to ${most}`,
  );
}

/** A number within bounds, both inclusive. */
export function numberBetween(least: number, most: number): OptionCheck {
  return satisfies(
    (it) => typeof it === 'number' && it >= least && it <= most,
    `a number from ${least} to ${most}`,
  );
}

/** One of some texts. */
export function oneOf(...values: readonly string[]): OptionCheck {
  const wanted = values.map((it) => `'${it}'`).join(' or ');
  return satisfies((it) => values.some((value) => value === it), wanted);
}

export const isTrueOrFalse: OptionCheck = satisfies(
  (it) => typeof it === 'boolean',
  'true or false',
);

export const isFunction: OptionCheck = satisfies((it) => typeof it === 'function', 'a function');

/** A text that is not empty, such as a path. */
export const isText: OptionCheck = satisfies(
  (it) => typeof it === 'string' && it.length > 0 && !it.includes('\0'),
  'a text that is not empty',
);

/** A name as it may stand in messages, certificates and hellos. */
export const isName: OptionCheck = satisfies(
  (it) => typeof it === 'string' && it.length <= NAME_LENGTH_MAX && PRINTABLE.test(it),
  `a text of 1 to ${NAME_LENGTH_MAX} printable characters without a space at its ends`,
);

/** 16 bytes as 32 lower-case hexadecimal digits. */
export const isId: OptionCheck = satisfies(
  (it) => typeof it === 'string' && isHexId(it),
  '32 lower-case hexadecimal digits',
);

/** A number that fits into 64 bits without a sign. */
export const isUnsigned64: OptionCheck = satisfies(
  (it) => typeof it === 'bigint' && it >= 0n && it < 1n << 64n,
  'a bigint from 0n on that fits into 64 bits',
);

/** `host:port` of a place that can be dialled or listened on; port 0 only if `mayBeAny`. */
export function endpoint(mayBeAny: boolean): OptionCheck {
  return satisfies((it) => {
    const place = typeof it === 'string' ? parseEndpoint(it) : undefined;
    return place !== undefined && (mayBeAny || place.port > 0);
  }, 'an endpoint of the form host:port');
}

/** An array of what passes the check. */
export function listOf(check: OptionCheck): OptionCheck {
  const isList = satisfies(Array.isArray, 'an array');
  return (value, option) => {
    isList(value, option);
    for (const [at, item] of (value as readonly unknown[]).entries())
      check(item, `${option}[${at}]`);
  };
}

/** An object with these methods, whatever else it has. */
export function objectWith(...methods: readonly string[]): OptionCheck {
  const isObject = satisfies((it) => typeof it === 'object' && it !== null, 'an object');
  return (value, option) => {
    isObject(value, option);
    for (const name of methods) isFunction(Reflect.get(Object(value), name), `${option}.${name}`);
  };
}

const isRecord = satisfies(
  (it) => typeof it === 'object' && it !== null && !Array.isArray(it),
  'an object',
);

function checkRecord(value: unknown, option: string): void {
  isRecord(value, option === '' ? 'options' : option);
}

function within(option: string, name: string): string {
  return option === '' ? name : `${option}.${name}`;
}

/** An object whose fields pass these checks, whatever else it has. */
export function fieldsOf<T>(checks: OptionChecks<T>): OptionCheck {
  const known = Object.entries<OptionCheck>(checks);
  return (value, option) => {
    checkRecord(value, option);
    for (const [name, check] of known)
      check(Reflect.get(Object(value), name), within(option, name));
  };
}

/** An object with these options and no others. Those inside are named with it in front. */
export function optionsOf<T>(checks: OptionChecks<T>): OptionCheck {
  const areUsable = fieldsOf(checks);
  return (value, option) => {
    checkRecord(value, option);
    for (const name of Object.keys(Object(value))) {
      if (!Object.hasOwn(checks, name)) throw unknownOption(within(option, name), name, checks);
    }
    areUsable(value, option);
  };
}

function unknownOption(option: string, name: string, checks: object): RaftError {
  const nearest = nearestName(name, Object.keys(checks));
  const hint = nearest === undefined ? '' : `; did you mean '${nearest}'?`;
  return invalidOption(option, `is unknown${hint}`);
}

/** The defaults with what is given in place of them; `undefined` gives nothing. */
export function withDefaults<T extends object>(defaults: T, given: Partial<T> | undefined): T {
  const entries = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(entries) };
}

/** A value in few words, without ever running code of whoever gave it. */
function describe(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? 'a long text' : JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) {
    return Array.isArray(value) ? 'an array' : 'an object';
  }
  return String(value);
}
