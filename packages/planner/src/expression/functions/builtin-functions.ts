import type { BuiltinFunction } from './builtin-function.js';
import { CONTEXT_FUNCTIONS } from './context-functions.js';
import { IDENTITY_FUNCTIONS } from './identity-functions.js';
import { NUMERIC_FUNCTIONS } from './numeric-functions.js';
import { TEXT_FUNCTIONS } from './text-functions.js';

/**
 * Every function of this release by canonical name. Whoever executes typed plans implements each of
 * them that is not transparent.
 */
export const BUILTIN_FUNCTIONS: ReadonlyMap<string, BuiltinFunction> = new Map(
  [...IDENTITY_FUNCTIONS, ...TEXT_FUNCTIONS, ...NUMERIC_FUNCTIONS, ...CONTEXT_FUNCTIONS].map(
    (definition) => [definition.name, definition],
  ),
);

const BY_WRITTEN_NAME: ReadonlyMap<string, BuiltinFunction> = new Map(
  [...BUILTIN_FUNCTIONS.values()].flatMap((definition) =>
    [definition.name, ...definition.aliases].map((name) => [name, definition] as const),
  ),
);

/** Finds a function by a name or an alias, in any case. */
export function findBuiltin(name: string): BuiltinFunction | undefined {
  return BY_WRITTEN_NAME.get(name.toLowerCase());
}
