import type { PlacementPolicy } from '@nervix/model';
import {
  boundRules,
  type DefinitionOutcome,
  type DomainDefinition,
  type DomainFlow,
  domainFlow,
  isSameFlow,
  type PlacementRule,
} from '@nervix/scheduler';
import type { ModelSet } from '../registry/model-set.js';

/** What a domain is to placement besides its models. */
export interface DomainSettings {
  readonly domain: string;
  readonly defaultPolicy: PlacementPolicy;
}

/** Flows and definitions by the sets that they were read off, which are never changed. */
const flows = new WeakMap<ModelSet, DomainFlow>();
const definitions = new WeakMap<ModelSet, DomainDefinition>();

/**
 * What placement depends on in a set of models. Where a difference from the base is none to
 * placement, it is the very same definition, and otherwise shares with it what is the same.
 *
 * @param base a set that the other one follows from
 */
export function domainDefinition(
  models: ModelSet,
  settings: DomainSettings,
  base: ModelSet = models,
): DefinitionOutcome {
  const known = definitions.get(models);
  if (known !== undefined && isOf(known, settings)) return { kind: 'defined', definition: known };
  const changed = base === models ? [] : [...models.differencesFrom(base)];
  const isSame = changed.every((key) => isSameFlow(base.get(key), models.get(key)));
  const flow = flowOf(isSame ? base : models);
  flows.set(models, flow);
  const former = isSame && base !== models ? definitionOf(base, settings) : undefined;
  if (former !== undefined && !changed.some(isRule)) {
    definitions.set(models, former);
    return { kind: 'defined', definition: former };
  }
  const rules = boundRules(
    models.rules(),
    { get: (name) => models.named(name) },
    formerRules(base, models, former),
  );
  if (rules.kind === 'refused') return rules;
  const definition = { ...settings, ...flow, rules: rules.rules };
  definitions.set(models, definition);
  return { kind: 'defined', definition };
}

function definitionOf(models: ModelSet, settings: DomainSettings): DomainDefinition | undefined {
  const outcome = domainDefinition(models, settings);
  return outcome.kind === 'defined' ? outcome.definition : undefined;
}

function flowOf(models: ModelSet): DomainFlow {
  const known = flows.get(models);
  if (known !== undefined) return known;
  const flow = domainFlow(models.values());
  flows.set(models, flow);
  return flow;
}

/** Rules that are the same models in both sets are bound to the same graph nodes of one flow. */
function formerRules(base: ModelSet, models: ModelSet, former: DomainDefinition | undefined) {
  const bound = new Map(former?.rules?.map((rule) => [rule.name, rule as PlacementRule]));
  return ({ name }: { readonly name: string }) => {
    const key = `placement/${name}`;
    return base.get(key) === models.get(key) ? bound.get(name) : undefined;
  };
}

function isOf(known: DomainDefinition, { domain, defaultPolicy }: DomainSettings): boolean {
  return known.domain === domain && known.defaultPolicy === defaultPolicy;
}

function isRule(key: string): boolean {
  return key.startsWith('placement/');
}
