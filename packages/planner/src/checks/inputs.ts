import type { CollectPlan, InputPlan, Inputs } from '@nervix/model';
import { checkCondition } from '../expression/condition.js';
import { type ExpressionScope, readingScope } from '../expression/scope.js';
import type { ScopePolicy } from '../expression/scope-policy.js';
import { planCollect } from './flush.js';
import type { ModelReporter } from './planning-context.js';

/** Typed inputs of a relay consumer. */
export interface PlannedInputs {
  readonly inputs: readonly InputPlan[];
  readonly collect: CollectPlan | null;
  /** Schema every input relay declares. */
  readonly schema: string;
}

/** How a kind of node reads its inputs. */
export interface InputRules {
  /** The flow in words, such as `junction input`. */
  readonly relation: string;
  readonly policy: ScopePolicy;
  /** Branch whose key conditions may read, or null. */
  readonly branch: string | null;
  /** Reports input relays of different schemas. */
  readonly reportSchemas: (relay: string, found: string, expected: string) => void;
}

/** Checks the FROM list: at least one relay, none twice, one schema, BOOL conditions. */
export function planInputs(
  report: ModelReporter,
  inputs: Inputs,
  rules: InputRules,
): PlannedInputs | undefined {
  const { context } = report;
  const { relation } = rules;
  const [first] = inputs.relays;
  if (first === undefined) {
    report.invalid(`${relation} requires at least one input relay`, inputs);
    return undefined;
  }
  const seen = new Set<string>();
  for (const input of inputs.relays) {
    if (seen.has(input.relay)) {
      const reason = `${relation} input relay '${input.relay}' is declared more than once`;
      report.invalid(reason, input);
      return undefined;
    }
    seen.add(input.relay);
  }
  const schema = context.find('relay', first.relay)?.schema ?? '';
  for (const { relay } of inputs.relays) {
    const found = context.find('relay', relay)?.schema ?? '';
    if (found === schema) continue;
    rules.reportSchemas(relay, found, schema);
    return undefined;
  }
  const collect = planCollect(report, inputs.collect, relation);
  if (collect.kind === 'refused') return undefined;
  const scope = inputScope(report, rules, schema);
  const plans = planConditions(report, inputs, scope);
  return plans === undefined ? undefined : { inputs: plans, collect: collect.plan, schema };
}

/** The scope of conditions over one input row. */
export function inputScope(
  report: ModelReporter,
  rules: Pick<InputRules, 'policy' | 'branch'>,
  schema: string,
): ExpressionScope {
  const { context } = report;
  const branch = context.branchFields(rules.branch);
  const rows = { input: context.fieldsOf(schema), ...(branch === undefined ? {} : { branch }) };
  return readingScope(rules.policy, rows, context.surroundings);
}

function planConditions(
  report: ModelReporter,
  inputs: Inputs,
  scope: ExpressionScope,
): readonly InputPlan[] | undefined {
  const plans: InputPlan[] = [];
  for (const { relay, where } of inputs.relays) {
    const outcome = where === null ? null : checkCondition(where, scope);
    if (outcome?.kind === 'refused') {
      report.faults('FROM WHERE compile failed', outcome.faults);
      return undefined;
    }
    plans.push({ relay, where: outcome?.expression ?? null });
  }
  return plans;
}
