import { AGGREGATE_FUNCTIONS } from './aggregate-functions.js';
import { BYTE_FUNCTIONS } from './byte-functions.js';
import { CONTEXT_FUNCTIONS } from './context-functions.js';
import { DATETIME_FUNCTIONS } from './datetime-functions.js';
import type { BuiltinFunction, CallPlace } from './function-signature.js';
import { LIST_FUNCTIONS } from './list-functions.js';
import { NETWORK_FUNCTIONS } from './network-functions.js';
import { NULL_FUNCTIONS } from './null-functions.js';
import { NUMBER_FUNCTIONS } from './number-functions.js';
import { PATTERN_FUNCTIONS } from './pattern-functions.js';
import { TEXT_FUNCTIONS } from './text-functions.js';

/**
 * Every function that a row may be given to, by canonical name: the one table that checkers,
 * engines, editors and the reference read.
 */
export const BUILTIN_FUNCTIONS: ReadonlyMap<string, BuiltinFunction> = byName([
  ...NULL_FUNCTIONS,
  ...TEXT_FUNCTIONS,
  ...PATTERN_FUNCTIONS,
  ...BYTE_FUNCTIONS,
  ...NETWORK_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  ...CONTEXT_FUNCTIONS,
  ...DATETIME_FUNCTIONS,
  ...LIST_FUNCTIONS,
]);

/** Every function over the rows of a window, by canonical upper-case name. */
export const WINDOW_AGGREGATES: ReadonlyMap<string, BuiltinFunction> = byName(AGGREGATE_FUNCTIONS);

const BY_WRITTEN_NAME: ReadonlyMap<string, BuiltinFunction> = new Map(
  [...BUILTIN_FUNCTIONS.values()].flatMap((definition) =>
    namesOf(definition).map((name) => [name.toLowerCase(), definition] as const),
  ),
);

function byName(definitions: readonly BuiltinFunction[]): ReadonlyMap<string, BuiltinFunction> {
  return new Map(definitions.map((definition) => [definition.name, definition]));
}

function namesOf({ name, aliases }: BuiltinFunction): readonly string[] {
  return [name, ...aliases];
}

/** Finds a function by a name or an alias, in any case. */
export function findFunction(written: string): BuiltinFunction | undefined {
  return BY_WRITTEN_NAME.get(written.toLowerCase());
}

/** Finds a function over the rows of a window by its name in any case. */
export function findAggregate(written: string): BuiltinFunction | undefined {
  return WINDOW_AGGREGATES.get(written.toUpperCase());
}

/** Names and aliases of the functions that may be called at places, in the order of the table. */
export function functionNames(...places: readonly CallPlace[]): readonly string[] {
  return [...BUILTIN_FUNCTIONS.values(), ...WINDOW_AGGREGATES.values()]
    .filter(({ place }) => places.includes(place))
    .flatMap(namesOf);
}
