import { canonicalName, NAME_LENGTH_MAX, nameDefect } from '@nervix/model';
import type { IToken } from 'chevrotain';
import { refuse } from './failure.js';

/** Words that stand for themselves in expressions and are no names there. */
export const RESERVED_IN_EXPRESSIONS: ReadonlySet<string> = new Set(
  (
    'where set inherit all except leak sensitive invoke as try_cast json_value try_json_value ' +
    'json_exists and or not true false null if case when then else end in between is distinct ' +
    'from udf'
  ).split(' '),
);

/** Words that begin an operation of ALTER, where a bare field of that name would be mistaken. */
export const OPERATION_HEADS: ReadonlySet<string> = new Set([
  'add',
  'drop',
  'alter',
  'set',
  'replace',
  'rename',
]);

const RESERVED_RELAY_NAMES: ReadonlySet<string> = new Set(['message', 'branch']);

/**
 * The stored form of a name written as one word.
 *
 * @param label slot label that a refusal names
 * @param position index of the token, for a refusal
 */
export function nameOf(token: IToken, label: string, position: number): string {
  const raw = token.image;
  if (raw.length > NAME_LENGTH_MAX) refuse(`invalid ${label}: ${nameDefect(raw)}`, position);
  return canonicalName(raw);
}

/** As {@link nameOf}, for a relay, whose name must not be a namespace. */
export function relayNameOf(token: IToken, label: string, position: number): string {
  const name = nameOf(token, label, position);
  if (RESERVED_RELAY_NAMES.has(name)) {
    refuse(`invalid ${label}: '${token.image}' is reserved`, position);
  }
  return name;
}

/** The stored form of a name in backticks. */
export function quotedNameOf(token: IToken, label: string, position: number): string {
  const raw = token.image.slice(1, -1);
  const defect = nameDefect(raw);
  if (defect !== undefined) refuse(`invalid ${label}: ${defect}`, position);
  return canonicalName(raw);
}
