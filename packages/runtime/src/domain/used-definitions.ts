import type { ExecutionPlan } from '@nervix/model';

/**
 * Definitions that the nodes and relays of a plan refer to, by kind and name, without places in
 * texts; null for one that is missing. Those that nothing runs are not among them.
 */
export function usedDefinitions(plan: ExecutionPlan): ReadonlyMap<string, unknown> {
  const { relays, ingestors, processors, emitters } = plan;
  const used = new Map<string, unknown>();
  const use = <D extends { readonly name: string }>(
    kind: string,
    definitions: readonly D[],
    names: readonly (string | null)[],
  ): readonly D[] => {
    const known = new Map(definitions.map((definition) => [definition.name, definition]));
    return names.flatMap((name) => {
      if (name === null) return [];
      const definition = known.get(name);
      const key = `${kind} ${name}`;
      if (!used.has(key)) used.set(key, withoutSpans(definition ?? null));
      return definition ?? [];
    });
  };
  const branchNames = relays.map(({ branch }) => branch);
  const branches = use('branch', plan.branches, branchNames);
  use('schema', plan.schemas, [
    ...relays.map(({ schema }) => schema),
    ...branches.map(({ schema }) => schema),
    ...ingestors.map(({ schema }) => schema),
    ...processors.map(({ inputSchema }) => inputSchema),
    ...emitters.flatMap(({ inputSchema, outputSchema }) => [inputSchema, outputSchema]),
  ]);
  use('codec', plan.codecs, [
    ...ingestors.map(({ codec }) => codec),
    ...emitters.map(({ sink }) => sink.codec),
  ]);
  const clients = emitters.map(({ sink }) => sink.client);
  use('client', plan.clients, clients);
  use('udf', plan.udfs, [...calledUdfs(plan)]);
  return used;
}

/** Names of the UDFs that the nodes of a plan call. */
export function calledUdfs({
  ingestors,
  processors,
  emitters,
}: Pick<ExecutionPlan, 'ingestors' | 'processors' | 'emitters'>): ReadonlySet<string> {
  const called = new Set<string>();
  const pending: unknown[] = [ingestors, processors, emitters];
  while (pending.length > 0) {
    const value = pending.pop();
    if (value === null || typeof value !== 'object') continue;
    if ('kind' in value && value.kind === 'udf_call' && 'name' in value) {
      called.add(String(value.name));
    }
    pending.push(...Object.values(value));
  }
  return called;
}

/** Plain data without the places in texts that its expressions carry. */
export function withoutSpans(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(withoutSpans);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'span')
      .map(([name, part]) => [name, withoutSpans(part)]),
  );
}
