import type { QuiesceLevel, TransactionReport } from '@nervix/planner';

/** Versions that `LATEST` stands for in the bindings of an operation. */
export function latestVersions(
  { execution_steps }: Pick<TransactionReport, 'execution_steps'>,
  operation: number,
): readonly string[] {
  return execution_steps.flatMap(({ planned }) =>
    planned.effects.resource_bindings.flatMap(({ attribution, node, ...binding }) => {
      const { resource, version, requested } = binding;
      if (requested !== 'LATEST' || !attribution.includes(operation)) return [];
      const model = `${node.kind} '${node.identifier}'`;
      return [
        `resolved VERSION LATEST of resource '${resource}' to version ${version} for ${model}`,
      ];
    }),
  );
}

/** What of a report tells of a rebinding. */
export type RebindReport = Pick<TransactionReport, 'operations' | 'execution_steps'>;

/** What a rebinding came to, besides the plan of it. */
export interface RebindFacts {
  readonly level: QuiesceLevel;
  /** The plan is only what a commit would do so far. */
  readonly isProvisional: boolean;
  /** Owners that moved; null where nothing was applied. */
  readonly relocations: number | null;
}

/** The result text of `REBIND RESOURCE`. */
export function rebindText(
  report: RebindReport,
  operation: number,
  { level, isProvisional, relocations }: RebindFacts,
): string {
  const reported = report.operations.find(({ number }) => number === operation);
  const { resource, version, requested } = reported?.operation ?? {};
  const usages = reported?.reasons.filter(({ kind }) => kind === 'RESOURCE_REBINDING') ?? [];
  const changed = usages.filter(({ from_version, to_version }) => from_version !== to_version);
  const latest = requested === 'LATEST' ? ' (latest)' : '';
  const provisionally = isProvisional ? 'provisionally ' : '';
  const count = `rebound ${changed.length} of ${usages.length} usage(s)`;
  return [
    `${count} of resource '${resource}' to version ${version}${latest}`,
    `quiesce level: ${level}`,
    ...(relocations === null || relocations === 0 ? [] : [`planned relocations: ${relocations}`]),
    ...latestVersions(report, operation).map((resolved) => provisionally + resolved),
    ...usages.map(({ node, from_version, to_version }) => {
      const unchanged = from_version === to_version ? ' unchanged' : '';
      const versions = `from=${from_version} to=${to_version}`;
      return `- kind=${node?.kind} name=${node?.identifier} ${versions}${unchanged}`;
    }),
  ].join('\n');
}
