import type { GraphKey } from '../placement/graph-key.js';

/**
 * How graph nodes are printed next to each other: by bare name, and as `kind:name` where two kinds
 * in the context share the name.
 */
export function printedNames(context: readonly GraphKey[]): (key: GraphKey) => string {
  const kinds = new Map<string, Set<string>>();
  for (const { kind, name } of context) {
    kinds.set(name, (kinds.get(name) ?? new Set()).add(kind));
  }
  return ({ kind, name }) => ((kinds.get(name)?.size ?? 0) > 1 ? `${kind}:${name}` : name);
}
