import { equalTypes } from '@nervix/model';
import type { FieldTable } from '../expression/field-table.js';
import { fieldNames, type ModelReporter } from './planning-context.js';

/**
 * Checks that a branch-preserving node may read a relay: both declare the same branch, or none.
 *
 * @param subject node to blame
 * @returns whether it may
 */
export function checkInputBranch(
  report: ModelReporter,
  branch: string | null,
  relay: string,
  subject: object,
): boolean {
  const found = report.context.branchOfRelay(relay);
  if (found === branch) return true;
  report.schemaRelation(branchDifference(report, branch, relay), subject);
  return false;
}

/**
 * Checks that a node or entry route of a branch may write to a relay.
 *
 * @param subject node to blame
 * @returns whether it may
 */
export function checkOutputBranch(
  report: ModelReporter,
  branch: string | null,
  relay: string,
  subject: object,
): boolean {
  const declared = report.context.branchOfRelay(relay);
  if (declared === branch) return true;
  if (declared === null) {
    report.schemaRelation(branchDifference(report, branch, relay), subject);
  } else if (branch === null) {
    const conflict = `is BRANCHED BY '${declared}', but the route declares UNBRANCHED`;
    report.schemaRelation(`TO output '${relay}' ${conflict}`, subject);
  } else {
    const rule = `must use its exact declared branch '${declared}'`;
    report.schemaRelation(`TO output '${relay}' ${rule}`, subject);
  }
  return false;
}

function branchDifference(report: ModelReporter, branch: string | null, relay: string): string {
  const { context, title } = report;
  const found = context.branchOfRelay(relay);
  const own = context.branchFields(branch);
  const theirs = context.branchFields(found);
  if (branch !== null && found === null) {
    return `${title} requires relay '${relay}' to have branch fields (${fieldNames(own)})`;
  }
  if (branch !== null && found !== null && equalFields(own, theirs)) {
    const other = `relay '${relay}' branch name '${found}'`;
    return `${title} branch name '${branch}' does not match ${other}`;
  }
  const mine = `branch fields (${fieldNames(own)})`;
  return `${title} ${mine} do not match relay '${relay}' branch fields (${fieldNames(theirs)})`;
}

function equalFields(left: FieldTable | undefined, right: FieldTable | undefined): boolean {
  if (left?.size !== right?.size) return false;
  return [...(left?.values() ?? [])].every((field) => {
    const other = right?.get(field.name);
    return other !== undefined && equalTypes(field.type, other.type);
  });
}
