import type { QuiesceLevel } from '../quiesce-level.js';
import { pauseLevel } from './impact/pause-plan.js';
import type {
  Branches,
  Completeness,
  Coverage,
  Effects,
  OperationRange,
  OperationSummary,
  Pause,
  Reason,
  ReportDiagnostic,
  ReportedOperation,
  ReportedStep,
  ReportNode,
  TopologySide,
  TransactionReport,
} from './report.js';
import { contributionOf } from './report-builder.js';
import { effectsOf, type TransactionStanding } from './report-document.js';

/**
 * The text of a report: lines without a line feed at the end, byte for byte the same for equal
 * reports.
 *
 * @param operation number of the operation that comes first with its step, or null
 */
export function transactionText(
  report: TransactionReport,
  standing: TransactionStanding,
  operation: number | null = null,
): string {
  return [...standingLines(standing), ...reportLines(report, operation)].join('\n');
}

/** The part of the text that says what a report holds, from its completeness on. */
export function reportText(report: TransactionReport, operation: number | null = null): string {
  return reportLines(report, operation).join('\n');
}

type Lines = readonly string[];

function standingLines(standing: TransactionStanding): Lines {
  const { state, accepted_operations: accepted, applied_operations: applied } = standing;
  const isOpen = state === 'OPEN' || state === 'COMMITTING';
  const failure =
    state === 'FAILED'
      ? [
          `failing operation: ${standing.failing_operation ?? '-'}`,
          `error: ${standing.error ?? '-'}`,
        ]
      : [];
  const pending = isOpen ? accepted - applied : 0;
  return [
    `transaction: ${standing.transaction_id}`,
    `domain: ${standing.domain}`,
    `state: ${state}`,
    ...failure,
    `operations: ${accepted} accepted, ${applied} applied, ${pending} pending`,
  ];
}

function reportLines(report: TransactionReport, selected: number | null): Lines {
  const { completeness, planning_basis, operations, execution_steps: steps, summary } = report;
  const leading = operations.find(({ number }) => number === selected);
  const step = steps.find((each) => each.operations.first === leading?.execution_step.first);
  const inspected =
    leading === undefined || step === undefined
      ? []
      : [
          `inspected operation: ${leading.number}`,
          ...operationLines(leading, effectsOf(report, leading.execution_step)),
          ...stepLines(step),
        ];
  return [
    `report: ${completeness.status}`,
    ...diagnosticsOf(completeness).map((diagnostic) => `- ${diagnosticText(diagnostic)}`),
    `planning basis: ${planning_basis}`,
    ...inspected,
    `quiesce level: ${pauseLevel(summary.pause)}`,
    `pause: ${pauseText(summary.pause)}`,
    ...scopeLines(summary.pause, '  '),
    ...operations.filter((each) => each !== leading).flatMap((each) => operationLines(each)),
    ...steps.filter((each) => each !== step).flatMap(stepLines),
  ];
}

function operationLines(reported: ReportedOperation, effects?: Effects): Lines {
  const { number, operation, execution_step: range, completeness, reasons } = reported;
  const contribution = effects === undefined ? undefined : contributionOf(effects, number);
  return [
    `operation ${number}: ${summaryText(operation)}`,
    `  execution step: ${rangeText(range)}`,
    ...diagnosticsOf(completeness).map((each) => `  incomplete: ${diagnosticText(each)}`),
    ...reasons.map((reason) => `  reason: ${reasonText(reason)}`),
    ...(contribution === undefined ? [] : effectTexts(contribution)).map(
      (effect) => `  contribution: ${effect}`,
    ),
  ];
}

function stepLines({ operations, planned, actual }: ReportedStep): Lines {
  const { outcome, quiescence } = actual;
  const levels = `planned ${pauseLevel(planned.pause)}, actual ${actualLevel(actual)}`;
  return [
    `execution step ${rangeText(operations)}: ${levels}, outcome ${outcome.status}`,
    `  pause: ${pauseText(planned.pause)}`,
    ...scopeLines(planned.pause, '    '),
    ...diagnosticsOf(planned.completeness).map((each) => `  incomplete: ${diagnosticText(each)}`),
    ...effectTexts(planned.effects).map((effect) => `  effect: ${effect}`),
    ...quiescence.map(({ requirement, outcomes }) => {
      const history = outcomes.map(({ kind, diagnostic }) =>
        diagnostic === undefined ? kind : `${kind} (${diagnostic.message})`,
      );
      return `  quiescence: ${pauseText(requirement)} ${history.join(', ')}`;
    }),
    ...(outcome.status === 'FAILED' ? [`  failure: ${diagnosticText(outcome.diagnostic)}`] : []),
  ];
}

const ENGAGED: ReadonlySet<string> = new Set(['CONFIRMED', 'UNCERTAIN', 'RELEASED']);
const WEIGHTS: readonly QuiesceLevel[] = ['DYNAMIC', 'ENTITY_PAUSE', 'DOMAIN_PAUSE'];

/** The widest pause that was, or may have been, engaged. */
export function actualLevel({ quiescence }: ReportedStep['actual']): QuiesceLevel {
  const weights = quiescence
    .filter(({ outcomes }) => outcomes.some(({ kind }) => ENGAGED.has(kind)))
    .map(({ requirement }) => WEIGHTS.indexOf(pauseLevel(requirement)));
  return WEIGHTS[Math.max(0, ...weights)] ?? 'DYNAMIC';
}

function diagnosticsOf(completeness: Completeness): readonly ReportDiagnostic[] {
  return completeness.status === 'INCOMPLETE' ? completeness.diagnostics : [];
}

function diagnosticText({ kind, operation, message }: ReportDiagnostic): string {
  return `kind=${kind} ${operation === null ? '' : `operation=${operation} `}${message}`;
}

function rangeText({ first, last }: OperationRange): string {
  return first === last ? String(first) : `${first}-${last}`;
}

function pauseText(pause: Pause): string {
  switch (pause.kind) {
    case 'NO_PAUSE':
      return 'NO_PAUSE';
    case 'DOMAIN':
      return `DOMAIN domain=${pause.domain}`;
    case 'SUBGRAPH': {
      const { nodes, gate_boundaries: gates } = pause.scope;
      return `SUBGRAPH nodes=${nodes.length} gates=${gates.length}`;
    }
  }
}

function scopeLines(pause: Pause, indent: string): Lines {
  if (pause.kind !== 'SUBGRAPH') return [];
  const { nodes, gate_boundaries: gates } = pause.scope;
  return [
    ...nodes.map((node) => `${indent}node ${coverageText(node.coverage)} ${share(node)}`),
    ...gates.map((gate) => {
      const { relay, branches } = gate.boundary;
      return `${indent}gate relay=${relay} branches=${branchesText(branches)} ${share(gate)}`;
    }),
  ];
}

function share({ attribution }: { readonly attribution: readonly number[] }): string {
  return `operations=${attribution.join(',')}`;
}

function nodeText({ kind, identifier }: ReportNode): string {
  return `kind=${kind} name=${identifier}`;
}

function coverageText({ node, branches }: Coverage): string {
  return branches === null
    ? nodeText(node)
    : `${nodeText(node)} branches=${branchesText(branches)}`;
}

function branchesText(branches: Branches): string {
  switch (branches.kind) {
    case 'ALL':
    case 'UNBRANCHED':
      return branches.kind;
    case 'ALL_OF_BRANCH':
      return `ALL_OF_BRANCH branch=${branches.branch}`;
    case 'SELECTED':
      return `SELECTED branch=${branches.branch} keys=${branches.keys.length}`;
  }
}

function summaryText(summary: OperationSummary): string {
  const { kind, domain, node, resource, version, requested, processor } = summary;
  switch (kind) {
    case 'CREATE_RESOURCE':
      return `${kind} resource=${resource}`;
    case 'REBIND_RESOURCE':
      return `${kind} resource=${resource} version=${version} requested=${requested}`;
    case 'RESET_WASM_STATE':
      return `${kind} processor=${processor}`;
    default:
      return node === undefined ? `${kind} domain=${domain}` : `${kind} ${nodeText(node)}`;
  }
}

function reasonText(reason: Reason): string {
  const { kind, node, aspect, resource, from_version: from, to_version: to } = reason;
  const parts = [
    ...(node === undefined ? [] : [nodeText(node)]),
    ...(aspect === undefined ? [] : [`aspect=${aspect}`]),
    ...(resource === undefined ? [] : [`resource=${resource}`]),
    ...(from === undefined ? [] : [`from=${from}`]),
    ...(to === undefined ? [] : [`to=${to}`]),
  ];
  return [kind, ...parts].join(' ');
}

function effectTexts(effects: Effects): Lines {
  const { before, after } = effects.topology;
  return [
    ...effects.changed_configuration.map((each) => {
      const { kind, node } = each.transition;
      return `configuration ${kind} ${nodeText(node)} ${share(each)}`;
    }),
    ...(isEmpty(before) && isEmpty(after)
      ? []
      : [`topology before ${sideText(before)} after ${sideText(after)}`]),
    ...effects.ownership_moves.map((each) => {
      const { node, source, destination } = each;
      return `ownership move ${coverageText(node)} from=${source} to=${destination} ${share(each)}`;
    }),
    ...effects.lifecycle.map((each) => {
      return `lifecycle ${each.action} domain=${each.domain} ${share(each)}`;
    }),
    ...effects.activations.map((each) => {
      return `activation ${each.action} ${coverageText(each.node)} ${share(each)}`;
    }),
    ...effects.rebuilds.map((each) => {
      return `rebuild ${each.reason} ${coverageText(each.node)} ${share(each)}`;
    }),
    ...effects.state_resets.map((each) => {
      return `state reset ${each.state} ${coverageText(each.node)} ${share(each)}`;
    }),
    ...effects.force_flushes.map((each) => `force flush ${coverageText(each.node)} ${share(each)}`),
    ...effects.resource_catalog.map((each) => {
      return `resource ${each.action} resource=${each.resource} ${share(each)}`;
    }),
    ...effects.resource_bindings.map((each) => {
      const { node, resource, version, requested } = each;
      const bound = `resource=${resource} version=${version} requested=${requested}`;
      return `resource binding ${nodeText(node)} ${bound} ${share(each)}`;
    }),
  ];
}

function isEmpty({ nodes, edges }: TopologySide): boolean {
  return nodes.length === 0 && edges.length === 0;
}

function sideText({ nodes, edges }: TopologySide): string {
  return `nodes=${nodes.length} edges=${edges.length}`;
}
