import type {
  Construction,
  ConstructionPlan,
  RoutePlan,
  RowSource,
  TypedExpression,
} from '@nervix/model';
import { checkCondition } from '../expression/condition.js';
import type { FieldTable } from '../expression/field-table.js';
import { type ConstructionFailure, RecordConstruction } from '../expression/record-construction.js';
import { readingScope } from '../expression/scope.js';
import type { ScopePolicy } from '../expression/scope-policy.js';
import type { ModelReporter } from './planning-context.js';

/** How failures of one record's construction are worded. */
export interface FailureWording {
  readonly invalid: string;
  readonly compile: string;
}

/** Reports why a record cannot be built. */
export function reportFailure(
  report: ModelReporter,
  wording: FailureWording,
  failure: ConstructionFailure,
): void {
  report.faults(wording[failure.phase], failure.faults);
}

/** What a transforming route reads and builds. */
export interface TransformRules {
  readonly wording: FailureWording;
  readonly setPolicy: ScopePolicy;
  readonly wherePolicy: ScopePolicy;
  readonly input: FieldTable;
  readonly output: FieldTable;
  /** Fields of the branch key; undefined where there is none. */
  readonly branch: FieldTable | undefined;
}

/** Types INHERIT, SET and WHERE of a route whose output starts empty. */
export function planTransform(
  report: ModelReporter,
  construction: Construction,
  rules: TransformRules,
): RoutePlan['construction'] | undefined {
  const rows = transformRows(rules);
  const record = new RecordConstruction(
    {
      row: 'output',
      fields: rules.output,
      operation: 'set',
      targetScopes: ['message', 'output'],
    },
    readingScope(rules.setPolicy, rows, report.context.surroundings),
  );
  const failure =
    (construction.inherit === null
      ? undefined
      : record.inherit(construction.inherit, rules.input)) ??
    record.set(construction.set) ??
    record.finish(construction);
  if (failure !== undefined) {
    reportFailure(report, rules.wording, failure);
    return undefined;
  }
  return withCondition(report, construction, {
    assignments: record.assignments,
    policy: rules.wherePolicy,
    rows,
    wording: rules.wording.compile,
  });
}

export interface ConditionRules {
  readonly assignments: ConstructionPlan['assignments'];
  readonly policy: ScopePolicy;
  readonly rows: Readonly<Partial<Record<RowSource, FieldTable>>>;
  readonly wording: string;
}

/** Adds the typed WHERE of a construction to its assignments. */
export function withCondition(
  report: ModelReporter,
  construction: Construction,
  rules: ConditionRules,
): ConstructionPlan | undefined {
  let where: TypedExpression | null = null;
  if (construction.where !== null) {
    const scope = readingScope(rules.policy, rules.rows, report.context.surroundings);
    const outcome = checkCondition(construction.where, scope);
    if (outcome.kind === 'refused') {
      report.faults(rules.wording, outcome.faults);
      return undefined;
    }
    where = outcome.expression;
  }
  return { assignments: rules.assignments, where };
}

function transformRows({ input, output, branch }: TransformRules): ConditionRules['rows'] {
  return { input, output, ...(branch === undefined ? {} : { branch }) };
}

/** Refuses INVOKE where nothing can be invoked. */
export function refuseInvoke(
  report: ModelReporter,
  construction: Construction,
  wording: FailureWording,
): boolean {
  const [call] = construction.invoke;
  if (call === undefined) return false;
  const reason = 'INVOKE is only available to emitters';
  reportFailure(report, wording, { phase: 'invalid', faults: [{ reason, subject: call }] });
  return true;
}
