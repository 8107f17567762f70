import type { Inputs, MaterializedDependency } from '@nervix/model';
import type { ModelReporter } from './planning-context.js';

/**
 * Checks the materialized-state dependencies of a node.
 *
 * @returns false when there is any, since none can run in this release
 */
export function checkDependencies(
  report: ModelReporter,
  node: { readonly inputs: Inputs; readonly dependencies: readonly MaterializedDependency[] },
): boolean {
  const { dependencies, inputs } = node;
  const seen = new Set<string>();
  for (const dependency of dependencies) {
    const { relay } = dependency;
    if (seen.has(relay)) {
      report.invalid(`materialized-state relay '${relay}' is declared more than once`, dependency);
      return false;
    }
    seen.add(relay);
    if (report.context.find('relay', relay)?.materialized !== true) {
      const text = `source relay '${relay}' must declare materialized state`;
      report.invalid(`USING MATERIALIZED STATE ${text}`, dependency);
      return false;
    }
    const { context, title } = report;
    const branch = context.branchOfRelay(relay);
    const other = inputs.relays.find((input) => context.branchOfRelay(input.relay) !== branch);
    if (other !== undefined) {
      const pair = `relay '${other.relay}' and materialized relay '${relay}'`;
      report.schemaRelation(`${title} requires ${pair} to use the same exact branch`, dependency);
      return false;
    }
  }
  const [first] = dependencies;
  if (first === undefined) return true;
  report.unsupported('USING MATERIALIZED STATE is', first);
  return false;
}
