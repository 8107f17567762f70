import { planTransaction, reportText, transactionDocument } from '@nervix/planner';
import { EXIT, type ExitCode, PLAN_EXIT } from '../command-line-error.js';
import type { Output } from '../output.js';
import type { SourceText } from '../source-report.js';
import { reportRefusals } from './located-refusals.js';
import { readNspl } from './nspl-file.js';
import { planningBase } from './planning-base.js';

/** Arguments of `nervix plan`. */
export interface PlanArguments {
  /** Script whose statements are planned. */
  readonly file: string;
  /** Snapshot in JSON, or a script that makes one. */
  readonly against: string;
  /** Domain of a base that does not name one. */
  readonly domain: string;
  readonly isJson: boolean;
}

/** What the commands that need no server run with. */
export interface PlanContext {
  readonly output: Output;
  /** Reads a file, or standard input for `-`. */
  readonly readInput: (path: string) => Promise<SourceText>;
}

/**
 * Prints what statements would do to a domain, without a server.
 *
 * @throws CommandLineError for files that cannot be read or used
 */
export async function runPlan(
  { file: path, against, domain, isJson }: PlanArguments,
  { output, readInput }: PlanContext,
): Promise<ExitCode> {
  const base = await planningBase(await readInput(against), domain, output, isJson);
  const file = await readNspl(await readInput(path), output);
  if (base === undefined || file === undefined) return PLAN_EXIT.unreadable;
  const statements = file.statements.map(({ statement }) => statement);
  const outcome = planTransaction(base, statements, { isWholeLanguage: true });
  if (outcome.kind === 'refused') {
    await reportRefusals(file, outcome.refusals, output, isJson);
    return PLAN_EXIT.refused;
  }
  const { report, warnings } = outcome;
  const text = isJson
    ? JSON.stringify(transactionDocument(report, null), null, 2)
    : [`domain: ${base.domain}`, 'state: PLANNED', reportText(report)].join('\n');
  await output.verbatim(`${text}\n`);
  for (const message of new Set(warnings.map((warning) => warning.message))) {
    await output.notice(`warning: ${message}`);
  }
  return EXIT.success;
}
