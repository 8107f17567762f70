import { type Model, modelKey } from '@nervix/model';
import { differences, domainModels, modelAspects, type PlanningSnapshot } from '@nervix/planner';
import { printExactJson } from '../../exact-json.js';
import { EXIT, type ExitCode, PLAN_EXIT } from '../command-line-error.js';
import type { PlanContext } from './plan-command.js';
import { planningBase } from './planning-base.js';

/** Arguments of `nervix diff`. */
export interface DiffArguments {
  readonly before: string;
  readonly after: string;
  readonly domain: string;
  readonly isJson: boolean;
}

/** One model that differs. */
interface Difference {
  readonly change: 'created' | 'dropped' | 'changed';
  readonly kind: Model['kind'];
  readonly name: string;
  readonly aspects: readonly { readonly aspect: string; readonly level: string }[];
}

/**
 * Compares two scripts, or snapshots, by the models that they come to: order, layout, comments and
 * the way there make no difference.
 *
 * @throws CommandLineError for files that cannot be read or used
 */
export async function runDiff(
  { before, after, domain, isJson }: DiffArguments,
  { output, readInput }: PlanContext,
): Promise<ExitCode> {
  const old = await planningBase(await readInput(before), domain, output, isJson);
  const latter = await planningBase(await readInput(after), domain, output, isJson);
  if (old === undefined || latter === undefined) return PLAN_EXIT.unreadable;
  const found = modelDifferences(old, latter);
  if (isJson) await output.verbatim(`${printExactJson({ differences: found })}\n`);
  else for (const difference of found) await output.verbatim(`${differenceText(difference)}\n`);
  return found.length === 0 ? EXIT.success : PLAN_EXIT.different;
}

function modelDifferences(old: PlanningSnapshot, latter: PlanningSnapshot): readonly Difference[] {
  const [before, after] = [domainModels(old.models), domainModels(latter.models)];
  return differences(before, after).map(({ kind, name, change }) => {
    const key = modelKey(kind, name);
    const aspects = modelAspects(before.get(key), after.get(key));
    return {
      change,
      kind,
      name,
      aspects: aspects.map(({ aspect, level }) => ({ aspect, level })),
    };
  });
}

function differenceText({ change, kind, name, aspects }: Difference): string {
  const head = `${change} kind=${kind} name=${name}`;
  if (change !== 'changed') return head;
  return `${head} ${aspects.map(({ aspect, level }) => `${aspect}=${level}`).join(' ')}`;
}
