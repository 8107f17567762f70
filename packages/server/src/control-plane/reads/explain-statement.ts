import type { ExplainStatement } from '@nervix/model';
import { type ParsedStatement, printStatement } from '@nervix/nspl-parser';
import { isQueueable, reportText, transactionDocument } from '@nervix/planner';
import type { DomainRecord } from '../../replicated-state/records.js';
import { readRebalance } from '../commands/move-work.js';
import type { ControlContext } from '../control-context.js';
import { notExecuted } from '../not-executed.js';
import { completed, failed, type Outcome } from '../outcome.js';
import { capture } from '../planning/capture.js';
import { planStatements } from '../planning/plan-statements.js';
import { unsupportedChange } from '../planning/supported-statement.js';
import { refusalOutcome } from '../refusal-outcome.js';
import { scheduledDomain } from '../scheduling/scheduled-domain.js';
import type { InspectedOutcome } from './inspected-outcome.js';
import { readRelocation } from './read-placement.js';

/**
 * `EXPLAIN`: what a statement would do, from one capture. A move prints what its own `DESCRIBE` does.
 *
 * @param domain the selected one, or why there is none
 */
export async function explainStatement(
  context: ControlContext,
  parsed: ParsedStatement,
  explain: ExplainStatement,
  domain: DomainRecord | Outcome,
): Promise<InspectedOutcome> {
  const { statement } = explain;
  if (statement.kind === 'rebalance') {
    return { outcome: await readRebalance(context, statement, parsed) };
  }
  if ('message' in domain) return { outcome: domain };
  if (statement.kind === 'relocate') {
    const scheduled = await scheduledDomain(context, domain);
    return { outcome: readRelocation(scheduled, statement, parsed) };
  }
  return explainChange(context, parsed, explain, domain);
}

async function explainChange(
  context: ControlContext,
  parsed: ParsedStatement,
  { statement, format }: ExplainStatement,
  domain: DomainRecord,
): Promise<InspectedOutcome> {
  if (!isQueueable(statement)) return { outcome: notExecuted(parsed) };
  const unsupported = unsupportedChange(statement);
  if (unsupported !== undefined) return { outcome: failed('UNSUPPORTED_CAPABILITY', unsupported) };
  const plan = await planStatements(context, capture(context, domain), [statement]);
  if (plan.kind === 'refused') {
    return { outcome: refusalOutcome(plan.refusals, { ...parsed, statement }) };
  }
  const { report } = plan;
  const text = printStatement(statement);
  const { operation, report: documented } = transactionDocument(report, null);
  const document = { transaction: null, statement: text, operation, report: documented };
  const lines = [`statement: ${explainedLabel(text)}`, `domain: ${domain.name}`, 'state: PLANNED'];
  const message =
    format === 'JSON'
      ? JSON.stringify(document, null, 2)
      : [...lines, reportText(report)].join('\n');
  return {
    outcome: completed(message),
    inspection: { ...document, report: { ...documented } },
  };
}

/** The key words that a statement begins with: names are printed in lower case. */
function explainedLabel(text: string): string {
  return /^[A-Z_]+(?: [A-Z_]+)*(?=[ ;])/u.exec(text)?.[0] ?? 'statement';
}
