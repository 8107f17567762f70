import type { GraphKey } from './graph-key.js';

/** Words of a schedule's kind in messages: `window processor`, and `hash map` for a lookup. */
export function kindWords(kind: string): string {
  return kind === 'lookup' ? 'hash map' : kind.replaceAll('_', ' ');
}

/** `junction 'a'`. */
export function keyWords({ kind, name }: GraphKey): string {
  return `${kindWords(kind)} '${name}'`;
}

/** `group [junction a, relay b]`. */
export function groupWords(members: readonly GraphKey[]): string {
  return `group [${members.map(({ kind, name }) => `${kindWords(kind)} ${name}`).join(', ')}]`;
}

/** A unit in messages: its only member, or the group that it is. */
export function unitWords(members: readonly GraphKey[]): string {
  const [only] = members;
  return only !== undefined && members.length === 1 ? keyWords(only) : groupWords(members);
}
