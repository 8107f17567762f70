import { equalData, type Model, type PlacementModel, type PlacementPolicy } from '@nervix/model';
import { type MemberForm, memberTraits } from '../computation/member-traits.js';
import { refusal, type ScheduleRefusal } from '../errors.js';
import type { FlowEdge } from '../placement/build-placement-graph.js';
import { compareText } from '../placement/graph-key.js';
import {
  bindRule,
  isListener,
  type ModelsByName,
  modelsByName,
} from '../placement/member-binding.js';
import { flowEdges, graphKeyOf } from '../placement/model-flow.js';
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
  const bound = boundRules(
    all.filter((model) => model.kind === 'placement'),
    modelsByName(all),
  );
  if (bound.kind === 'refused') return bound;
  const { rules } = bound;
  const flow = domainFlow(all.flatMap((model) => flowMemberOf(model) ?? []));
  return { kind: 'defined', definition: { domain, ...flow, rules, defaultPolicy } };
}

/** The graph nodes of a domain and how records flow between them. */
export type DomainFlow = Pick<DomainDefinition, 'members' | 'edges'>;

/** A graph node and the flow that its own model states. */
export interface FlowMember {
  readonly member: MemberDefinition;
  readonly edges: readonly FlowEdge[];
}

/** Graph nodes by their models, which are never changed in place; null for what is none. */
const flowMembers = new WeakMap<Model, FlowMember | null>();

/** Reads a graph node off its model, or undefined for one that is not scheduled. */
export function flowMemberOf(model: Model): FlowMember | undefined {
  const known = flowMembers.get(model);
  if (known !== undefined) return known ?? undefined;
  const member = memberOf(model);
  const read = member === undefined ? null : { member, edges: flowEdges(model) };
  flowMembers.set(model, read);
  return read ?? undefined;
}

/** Puts graph nodes together, in the order given. */
export function domainFlow(members: readonly FlowMember[]): DomainFlow {
  return {
    members: members.map(({ member }) => member),
    edges: members.flatMap(({ edges }) => edges),
  };
}

/** Whether a model and what becomes of it are the same graph node, or none, with the same flow. */
export function isSameFlow(before: Model | undefined, after: Model | undefined): boolean {
  const [old, latter] = [before, after].map((model) =>
    model === undefined ? undefined : flowMemberOf(model),
  );
  return old === latter || equalData(old, latter);
}

/** Bound rules by name, or the first one, by name, that cannot be bound. */
export type RulesOutcome =
  | { readonly kind: 'bound'; readonly rules: readonly PlacementRule[] }
  | ScheduleRefusal<'SCHED_INVALID_RULE'>;

/**
 * Binds rules to the graph nodes of a domain.
 *
 * @param known the bound form of a rule, where it is known
 */
export function boundRules(
  models: readonly PlacementModel[],
  byName: ModelsByName,
  known: (model: PlacementModel) => PlacementRule | undefined = () => undefined,
): RulesOutcome {
  const rules: PlacementRule[] = [];
  for (const model of models.toSorted((left, right) => compareText(left.name, right.name))) {
    const before = known(model);
    const bound = before === undefined ? bindRule(model, byName) : undefined;
    if (bound?.kind === 'refused') {
      return refusal('SCHED_INVALID_RULE', { placement: model.name, reason: bound.reason });
    }
    const rule = before ?? bound?.value;
    if (rule !== undefined) rules.push(rule);
  }
  return { kind: 'bound', rules };
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
