import { type ModelKind, RELOCATABLE_KINDS } from '@nervix/model';

/** What references call a kind that they do not call by its own name. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['hash_map', 'lookup'],
  ['subscription', 'session_subscription'],
]);

const KINDS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...Array.from(SPELLINGS, ([kind, spelling]): [string, readonly string[]] => [spelling, [kind]]),
  ['runtime_node', RELOCATABLE_KINDS],
]);

/** Label of a slot that refers to a model of a kind: `ref:relay`, `ref:lookup`. */
export function referenceLabel(kind: ModelKind): string {
  return `ref:${SPELLINGS.get(kind) ?? kind}`;
}

/**
 * The kinds of which a reference may name something.
 *
 * @param reference label of a slot without `ref:` or `_name`: `relay`, `lookup`, `runtime_node`
 */
export function referencedKinds(reference: string): readonly string[] {
  return KINDS.get(reference) ?? [reference];
}
