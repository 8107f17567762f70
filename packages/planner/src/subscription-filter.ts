import { type Expression, NO_SPANS, type SpanLookup, type TypedExpression } from '@nervix/model';
import { PlanningContext } from './checks/planning-context.js';
import type { DomainModels } from './domain-models.js';
import type { PlanRefusal } from './errors.js';
import { checkCondition } from './expression/condition.js';
import { readingScope } from './expression/scope.js';
import { SUBSCRIPTION_WHERE } from './expression/scope-policy.js';

/** A subscription's condition and the relay it is about. */
export interface SubscriptionFilterInput {
  readonly domain: string;
  readonly models: DomainModels;
  readonly relay: string;
  readonly where: Expression;
  readonly spans?: SpanLookup;
}

export type SubscriptionFilterOutcome =
  | { readonly kind: 'accepted'; readonly filter: TypedExpression }
  | { readonly kind: 'rejected'; readonly refusals: readonly PlanRefusal[] };

/** Types the WHERE of a subscription against the fields of its relay. */
export function planSubscriptionFilter(input: SubscriptionFilterInput): SubscriptionFilterOutcome {
  const { domain, models, relay, where, spans = NO_SPANS } = input;
  const context = new PlanningContext({
    domain,
    models: { get: (key) => models.get(key), keysWith: () => [] },
    spans,
  });
  const schema = context.find('relay', relay)?.schema;
  if (schema === undefined) {
    const message = `stream '${relay}' does not exist in domain '${domain}'`;
    return {
      kind: 'rejected',
      refusals: [{ code: 'PLAN_MODEL_NOT_FOUND', message, missingName: relay }],
    };
  }
  const rows = { input: context.fieldsOf(schema) };
  const outcome = checkCondition(
    where,
    readingScope(SUBSCRIPTION_WHERE, rows, context.surroundings),
  );
  if (outcome.kind === 'ok') return { kind: 'accepted', filter: outcome.expression };
  const refusals = outcome.faults.map(
    ({ reason, ...place }): PlanRefusal => ({
      code: 'PLAN_INVALID_EXPRESSION',
      message: `subscription WHERE compile failed: ${reason}`,
      ...place,
    }),
  );
  return { kind: 'rejected', refusals };
}
