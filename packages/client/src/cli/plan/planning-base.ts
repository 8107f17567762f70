import { canonicalText, type Statement } from '@nervix/model';
import { type ParsedStatement, parseStatement, printModel } from '@nervix/nspl-parser';
import { type PlanningSnapshot, planTransaction, snapshotOf } from '@nervix/planner';
import { CommandLineError, EXIT } from '../command-line-error.js';
import type { Output } from '../output.js';
import type { SourceText } from '../source-report.js';
import { reportRefusals } from './located-refusals.js';
import { readNspl } from './nspl-file.js';

/**
 * The state that a plan starts from: a snapshot in JSON, or what the statements of a script make of
 * an empty domain. Undefined once its faults were reported.
 *
 * @throws CommandLineError for JSON that is no snapshot
 */
export async function planningBase(
  source: SourceText,
  domain: string,
  output: Output,
  isJson: boolean,
): Promise<PlanningSnapshot | undefined> {
  if (source.text.trimStart().startsWith('{')) return readSnapshot(source);
  const file = await readNspl(source, output);
  if (file === undefined) return undefined;
  const { name, rest, placement } = withoutDomain(file.statements, domain);
  const statements = rest.map(({ statement }) => statement);
  const empty = { ...snapshotOf(name, []), ...placement };
  const outcome = planTransaction(empty, statements, { isWholeLanguage: true });
  if (outcome.kind === 'planned') return outcome.after;
  await reportRefusals({ source, statements: rest }, outcome.refusals, output, isJson);
  return undefined;
}

/** A script may create the domain that its other statements are for. */
function withoutDomain(statements: readonly ParsedStatement[], domain: string) {
  const created = statements.find(({ statement }) => statement.kind === 'create_domain')?.statement;
  const rest = statements.filter(({ statement }) => statement.kind !== 'create_domain');
  if (created?.kind !== 'create_domain') return { name: domain, rest, placement: {} };
  const { name, placement, pace } = created;
  return { name, rest, placement: { placement, pace } };
}

/** Reads a snapshot and checks it as far as plans depend on its shape. */
function readSnapshot({ label, text }: SourceText): PlanningSnapshot {
  const fail = (reason: string): never => {
    const message = `${label} is no planning snapshot: ${reason}`;
    throw new CommandLineError('CLIENT_CONFIGURATION', message, { exitCode: EXIT.localIo });
  };
  let parsed: Partial<PlanningSnapshot>;
  try {
    parsed = JSON.parse(text) as Partial<PlanningSnapshot>;
  } catch (cause) {
    return fail(cause instanceof Error ? cause.message : String(cause));
  }
  if (parsed.version !== 1) return fail('its version is not 1');
  const { domain, models } = parsed;
  if (typeof domain !== 'string') return fail('domain is no text');
  const snapshot = { ...snapshotOf(domain, []), ...parsed } as PlanningSnapshot;
  if (snapshot.status !== 'running' && snapshot.status !== 'stopped') {
    return fail('status is neither running nor stopped');
  }
  for (const list of ['models', 'resources', 'schedule', 'nodes'] as const) {
    if (!Array.isArray(snapshot[list])) return fail(`${list} is no list`);
  }
  for (const [index, model] of (models ?? []).entries()) {
    if (!isModel(model)) return fail(`models[${index}] is no model`);
  }
  for (const [index, entry] of snapshot.schedule.entries()) {
    if (!isScheduleEntry(entry)) return fail(`schedule[${index}] is no assignment`);
  }
  for (const [index, node] of snapshot.nodes.entries()) {
    if (typeof Object(node).name !== 'string') return fail(`nodes[${index}] has no name`);
  }
  return snapshot;
}

function isScheduleEntry(value: unknown): boolean {
  const { kind, name, nodes } = Object(value) as Readonly<Record<string, unknown>>;
  return typeof kind === 'string' && typeof name === 'string' && Array.isArray(nodes);
}

/** Whether a value is a model: exactly then its text reads as the same value again. */
function isModel(value: PlanningSnapshot['models'][number]): boolean {
  let text: string;
  try {
    text = printModel(value, { withSecrets: true });
  } catch {
    return false;
  }
  const result = parseStatement(text);
  const statement: Statement | undefined =
    result.kind === 'refused' ? undefined : result.parsed.statement;
  return (
    statement?.kind === 'create_model' && canonicalText(statement.model) === canonicalText(value)
  );
}
