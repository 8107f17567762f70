import { assert } from '@nervix/model';
import type { Branches, Pause, TransactionReport } from './report.js';

/**
 * Makes sure that a report says of every operation where it belongs.
 *
 * @throws InvariantError when it does not
 */
export function assertReport(report: TransactionReport): void {
  const { domain, position, operations, execution_steps: steps, completeness, summary } = report;
  assert(position === operations.length, 'the position of a report counts its operations');
  let next = 1;
  for (const { operations: range, planned } of steps) {
    assert(range.first === next && range.last >= next, 'the steps of a report are contiguous');
    next = range.last + 1;
    assertPause(domain, planned.pause);
    assertCompleteness(planned.completeness);
    for (const { node } of planned.effects.state_resets) assertBranches(node.branches);
  }
  assert(next === position + 1, 'the steps of a report hold all of its operations');
  for (const [index, { number, execution_step, operation }] of operations.entries()) {
    const { first, last } = execution_step;
    assert(number === index + 1, 'the operations of a report are numbered from 1');
    assert(first <= number && number <= last, 'an operation names the step that contains it');
    assert(operation.domain === domain, 'all operations of a report are of its domain');
  }
  assertPause(domain, summary.pause);
  assertCompleteness(completeness);
  const isComplete = steps.every(({ planned }) => planned.completeness.status === 'COMPLETE');
  assert(
    isComplete === (completeness.status === 'COMPLETE'),
    'a report is complete if all of its steps are',
  );
}

function assertPause(domain: string, pause: Pause): void {
  if (pause.kind === 'NO_PAUSE') return;
  const own = pause.kind === 'DOMAIN' ? pause.domain : pause.scope.domain;
  assert(own === domain, 'a pause is of the domain of its report');
  if (pause.kind === 'DOMAIN') return;
  for (const { coverage } of pause.scope.nodes) assertBranches(coverage.branches);
  for (const { boundary } of pause.scope.gate_boundaries) assertBranches(boundary.branches);
}

function assertBranches(branches: Branches | null): void {
  const isSelected = branches?.kind === 'SELECTED';
  assert(!isSelected || branches.keys.length > 0, 'selected branches are at least one');
}

function assertCompleteness(completeness: TransactionReport['completeness']): void {
  const isIncomplete = completeness.status === 'INCOMPLETE';
  assert(!isIncomplete || completeness.diagnostics.length > 0, 'what is incomplete says why');
}
