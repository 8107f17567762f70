import { canonicalName, type Model } from '@nervix/model';
import type { ModelIdentity } from './errors.js';

/** Models by what their expressions call, which is never changed in place. */
const known = new WeakMap<Model, readonly ModelIdentity[]>();

/**
 * The UDFs and hash maps that the expressions of a definition name, wherever they stand: each once, in
 * no order that means anything.
 */
export function calledModels(model: Model): readonly ModelIdentity[] {
  const found = known.get(model);
  if (found !== undefined) return found;
  const called = new Map<string, ModelIdentity>();
  // Expressions may be deeper than a call stack is.
  const pending: unknown[] = [model];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    const named = calledBy(value);
    if (named !== undefined) called.set(`${named.kind}/${named.name}`, named);
    for (const part of Object.values(value)) pending.push(part);
  }
  const list = [...called.values()];
  known.set(model, list);
  return list;
}

function calledBy(node: object): ModelIdentity | undefined {
  if (!('kind' in node) || !('name' in node) || typeof node.name !== 'string') return undefined;
  if (node.kind === 'udf_call') return { kind: 'udf', name: node.name };
  if (node.kind !== 'call' || node.name.toLowerCase() !== 'lookup_hash_map') return undefined;
  const [map] = 'arguments' in node && Array.isArray(node.arguments) ? node.arguments : [];
  return isText(map) ? { kind: 'hash_map', name: canonicalName(map.value) } : undefined;
}

function isText(node: unknown): node is { readonly value: string } {
  return (
    typeof node === 'object' && node !== null && 'value' in node && typeof node.value === 'string'
  );
}
