import { type ExecutionPlan, equalData } from '@nervix/model';

/**
 * Whether two plans of one start run the same graph: their nodes, relays and endpoints, and what those
 * refer to, are equal. Definitions that nothing runs, and places in texts, make no difference.
 */
export function sameExecution(left: ExecutionPlan, right: ExecutionPlan): boolean {
  return (
    left.generation === right.generation && equalData(executableParts(left), executableParts(right))
  );
}

function executableParts(plan: ExecutionPlan): unknown {
  const { relays, endpoints, ingestors, processors, emitters } = plan;
  const branches = new Set<string | null>(relays.map(({ branch }) => branch));
  const codecs = new Set([
    ...ingestors.map(({ codec }) => codec),
    ...emitters.map(({ sink }) => sink.codec),
  ]);
  const clients = new Set(emitters.map(({ sink }) => sink.client));
  const keptBranches = plan.branches.filter(({ name }) => branches.has(name));
  const schemas = new Set<string | null>([
    ...relays.map(({ schema }) => schema),
    ...keptBranches.map(({ schema }) => schema),
    ...ingestors.map(({ schema }) => schema),
    ...processors.map(({ inputSchema }) => inputSchema),
    ...emitters.flatMap(({ inputSchema, outputSchema }) => [inputSchema, outputSchema]),
  ]);
  const called = calledUdfs(plan);
  return withoutSpans({
    udfs: plan.udfs.filter(({ name }) => called.has(name)),
    relays,
    endpoints,
    ingestors,
    processors,
    emitters,
    branches: keptBranches,
    codecs: plan.codecs.filter(({ name }) => codecs.has(name)),
    clients: plan.clients.filter(({ name }) => clients.has(name)),
    schemas: plan.schemas.filter(({ name }) => schemas.has(name)),
  });
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
