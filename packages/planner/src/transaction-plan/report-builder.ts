import { combinedPause } from './impact/pause-plan.js';
import {
  type Attributed,
  COMPLETE,
  type Completeness,
  type Effects,
  NO_EFFECTS,
  type OperationRange,
  type OperationSummary,
  type PlannedImpact,
  type Reason,
  type ReportedOperation,
  type TopologySide,
  type TransactionReport,
} from './report.js';
import { assertReport } from './report-invariants.js';

/** An operation as planning leaves it. */
export interface PlannedOperation {
  readonly number: number;
  readonly summary: OperationSummary;
  readonly reasons: readonly Reason[];
  readonly completeness: Completeness;
}

/** A step as planning leaves it. */
export interface StepOutline extends OperationRange {
  readonly planned: PlannedImpact;
}

/** Puts a report together; every operation is found in the step that contains it. */
export function transactionReport(
  outline: Pick<TransactionReport, 'domain' | 'position' | 'planning_basis'>,
  operations: readonly PlannedOperation[],
  steps: readonly StepOutline[],
): TransactionReport {
  const diagnostics = steps.flatMap(({ planned: { completeness } }) =>
    completeness.status === 'INCOMPLETE' ? completeness.diagnostics : [],
  );
  const report: TransactionReport = {
    ...outline,
    completeness: diagnostics.length === 0 ? COMPLETE : { status: 'INCOMPLETE', diagnostics },
    operations: steps.flatMap((step) =>
      operations.slice(step.first - 1, step.last).map((each) => reportedOperation(each, step)),
    ),
    execution_steps: steps.map(({ first, last, planned }) => ({
      operations: { first, last },
      planned,
      actual: { outcome: { status: 'UNATTEMPTED' }, quiescence: [], effects: NO_EFFECTS },
    })),
    summary: { pause: combinedPause(steps.map(({ planned }) => planned.pause)) },
  };
  assertReport(report);
  return report;
}

function reportedOperation(
  { number, summary, reasons, completeness }: PlannedOperation,
  { first, last }: StepOutline,
): ReportedOperation {
  return {
    number,
    operation: summary,
    execution_step: { first, last },
    completeness,
    reasons,
  };
}

/**
 * The part of a step's effects that an operation has a share in. It follows from the step, so that a
 * report need not hold it for each of its operations.
 */
export function contributionOf(effects: Effects, number: number): Effects {
  const own = <Item>(items: readonly Attributed<Item>[]): readonly Attributed<Item>[] =>
    items.filter(({ attribution }) => attribution.includes(number));
  const side = ({ nodes, edges }: TopologySide): TopologySide => {
    return { nodes: own(nodes), edges: own(edges) };
  };
  const { before, after } = effects.topology;
  return {
    changed_configuration: own(effects.changed_configuration),
    topology: { before: side(before), after: side(after) },
    ownership_moves: own(effects.ownership_moves),
    lifecycle: own(effects.lifecycle),
    activations: own(effects.activations),
    rebuilds: own(effects.rebuilds),
    state_resets: own(effects.state_resets),
    force_flushes: own(effects.force_flushes),
    resource_catalog: own(effects.resource_catalog),
    resource_bindings: own(effects.resource_bindings),
  };
}
