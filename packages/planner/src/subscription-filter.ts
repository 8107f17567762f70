import type { Expression, SpanLookup, TypedExpression } from '@nervix/model';
import type { DomainModels } from './domain-models.js';
import type { PlanRefusal } from './errors.js';

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
