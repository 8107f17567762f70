import { modelKey, type PlacementPolicy } from '@nervix/model';
import {
  type DomainDefinition,
  type DomainOutcome,
  DomainResolver,
  finish,
  type ResolvedDomain,
  type Steps,
} from '@nervix/scheduler';
import { type DomainModels, findModel } from '../domain-models.js';
import type { PlanRefusal } from '../errors.js';
import { ModelSet } from '../registry/model-set.js';
import { domainDefinition } from './domain-definition.js';

/** What the meaning of a domain's placement rules depends on. */
export interface DomainPlacementInput {
  readonly domain: string;
  readonly models: DomainModels;
  /** Models that these follow from: what is the same to placement is not looked at again. */
  readonly base?: DomainModels;
  /** What direct pairs get that no rule claims. */
  readonly defaultPolicy: PlacementPolicy;
  /** Keys of the models a batch touched: of two rules that disagree, a touched one is refused. */
  readonly touched?: ReadonlySet<string>;
  /** Keeps what stays the same between inputs of this domain; absent keeps nothing. */
  readonly resolver?: DomainResolver;
}

export type DomainPlacementOutcome =
  | ({ readonly kind: 'resolved' } & ResolvedDomain)
  | { readonly kind: 'rejected'; readonly refusal: PlanRefusal };

/**
 * Derives from the complete graph what the placement rules of a domain amount to. The models must
 * refer only to each other, as they do in a domain that was planned.
 */
export function domainPlacement(input: DomainPlacementInput): DomainPlacementOutcome {
  return finish(domainPlacementSteps(input));
}

/** The work of {@link domainPlacement}, for `runSliced`; one input of a resolver at a time. */
export function* domainPlacementSteps(input: DomainPlacementInput): Steps<DomainPlacementOutcome> {
  const { domain, models, base, defaultPolicy } = input;
  const settings = { domain, defaultPolicy };
  const set = ModelSet.of(models);
  const outcome = domainDefinition(set, settings, base === undefined ? set : ModelSet.of(base));
  if (outcome.kind === 'refused') {
    const { placement, reason } = outcome.details;
    const message = `model '${placement}' in domain '${domain}' is invalid: ${reason}`;
    return { kind: 'rejected', refusal: ruleRefusal(models, placement, message) };
  }
  yield;
  const resolved = yield* resolvedSteps(outcome.definition, input.resolver);
  if (resolved.kind === 'resolved') return resolved;
  const { rules } = resolved.details;
  const blamed = rules.find((name) => input.touched?.has(modelKey('placement', name)) === true);
  const message = resolved.message;
  return { kind: 'rejected', refusal: ruleRefusal(models, blamed ?? rules[0], message) };
}

/** Outcomes by the definitions that they follow from. */
const outcomes = new WeakMap<DomainDefinition, DomainOutcome>();

function* resolvedSteps(
  definition: DomainDefinition,
  resolver: DomainResolver = new DomainResolver(),
): Steps<DomainOutcome> {
  const known = outcomes.get(definition);
  if (known !== undefined) return known;
  const outcome = yield* resolver.resolveSteps(definition);
  outcomes.set(definition, outcome);
  return outcome;
}

function ruleRefusal(models: DomainModels, name: string, message: string): PlanRefusal {
  const subject = findModel(models, 'placement', name);
  return {
    code: 'PLAN_INVALID_MODEL',
    message,
    model: { kind: 'placement', name },
    ...(subject === undefined ? {} : { subject }),
  };
}
