import type { Model, PlacementPolicy } from '@nervix/model';
import { type MemberForm, memberTraits } from '../computation/member-traits.js';
import { refusal, type ScheduleRefusal } from '../errors.js';
import { bindRule, isListener, modelsByName } from '../placement/member-binding.js';
import { graphKeyOf, modelFlow } from '../placement/model-flow.js';
import type { PlacementRule } from '../placement/placement-rule.js';
import type { DomainDefinition, MemberDefinition } from './domain-definition.js';

/** What placement depends on in a domain that is made of models. */
export interface DomainModels {
  readonly domain: string;
  /** All models of the domain, placement rules among them, in any order. */
  readonly models: Iterable<Model>;
  readonly defaultPolicy: PlacementPolicy;
}

/** A definition, or the first rule, by name, that cannot be bound to graph nodes. */
export type DefinitionOutcome =
  | { readonly kind: 'defined'; readonly definition: DomainDefinition }
  | ScheduleRefusal<'SCHED_INVALID_RULE'>;

/**
 * Reads graph nodes, flow and rules off the models of a domain. The models must refer only to each
 * other, as they do after validation.
 */
export function defineDomain({ domain, models, defaultPolicy }: DomainModels): DefinitionOutcome {
  const all = [...models];
  const byName = modelsByName(all);
  const rules: PlacementRule[] = [];
  for (const model of [...byName.values()].flat()) {
    if (model.kind !== 'placement') continue;
    const bound = bindRule(model, byName);
    if (bound.kind === 'refused') {
      return refusal('SCHED_INVALID_RULE', { placement: model.name, reason: bound.reason });
    }
    rules.push(bound.value);
  }
  const members = all.flatMap((model) => memberOf(model) ?? []);
  const { edges } = modelFlow(all);
  return { kind: 'defined', definition: { domain, members, edges, rules, defaultPolicy } };
}

/** The graph node that a model is, or undefined for one that is not scheduled. */
function memberOf(model: Model): MemberDefinition | undefined {
  const key = graphKeyOf(model);
  return key === undefined ? undefined : memberTraits(key, formOf(model));
}

function formOf(model: Model): MemberForm {
  switch (model.kind) {
    case 'relay':
      return { isMaterialized: model.materialized };
    case 'ingestor': {
      const { source } = model;
      const isOffsetByDomain = source.kind === 'kafka' && source.offsets.kind === 'domain';
      return { isListener: isListener(model), isOffsetByDomain };
    }
    default:
      return {};
  }
}
