import type { PlacementPolicy } from '@nervix/model';
import {
  boundRules,
  compareKeys,
  type DefinitionOutcome,
  type DomainDefinition,
  type DomainFlow,
  domainFlow,
  type FlowMember,
  flowMemberOf,
  isSameFlow,
  type PlacementRule,
} from '@nervix/scheduler';
import type { ModelSet } from '../registry/model-set.js';

/** What a domain is to placement besides its models. */
export interface DomainSettings {
  readonly domain: string;
  readonly defaultPolicy: PlacementPolicy;
}

/** The flow of a domain by graph node, in key order. */
interface KnownFlow {
  readonly list: readonly FlowMember[];
  readonly flow: DomainFlow;
}

/** Flows and definitions by the sets that they were read off, which are never changed. */
const flows = new WeakMap<ModelSet, KnownFlow>();
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
  const read = isSame ? flowOf(base) : changedFlow(base, models, changed);
  flows.set(models, read);
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
  const definition = { ...settings, ...read.flow, rules: rules.rules };
  definitions.set(models, definition);
  return { kind: 'defined', definition };
}

/** Reads a set by what is known of another one, if anything is. */
export function carryDefinition(from: ModelSet, to: ModelSet): void {
  const known = definitions.get(from);
  if (known === undefined || definitions.has(to)) return;
  const { domain, defaultPolicy = 'NEUTRAL' } = known;
  domainDefinition(to, { domain, defaultPolicy }, from);
}

function definitionOf(models: ModelSet, settings: DomainSettings): DomainDefinition | undefined {
  const outcome = domainDefinition(models, settings);
  return outcome.kind === 'defined' ? outcome.definition : undefined;
}

function flowOf(models: ModelSet): KnownFlow {
  const known = flows.get(models);
  if (known !== undefined) return known;
  const list = Array.from(models.values()).flatMap((model) => flowMemberOf(model) ?? []);
  list.sort(compareMembers);
  const fresh = { list, flow: domainFlow(list) };
  flows.set(models, fresh);
  return fresh;
}

/** The flow after changes, still in key order: what is in order already is soon sorted. */
function changedFlow(base: ModelSet, models: ModelSet, changed: readonly string[]): KnownFlow {
  // Told by their keys: a flow that stays the same is read off models that became other objects.
  const names = new Set(changed.map((key) => key.slice(key.indexOf('/') + 1)));
  const gone = new Set(membersOf(base, changed).map(({ member }) => keyText(member)));
  const kept = flowOf(base).list.filter(
    ({ member }) => !(names.has(member.name) && gone.has(keyText(member))),
  );
  const list = [...kept, ...membersOf(models, changed)].sort(compareMembers);
  return { list, flow: domainFlow(list) };
}

function keyText({ kind, name }: FlowMember['member']): string {
  return `${kind}/${name}`;
}

function membersOf(models: ModelSet, keys: readonly string[]): readonly FlowMember[] {
  return keys.flatMap((key) => {
    const model = models.get(key);
    return model === undefined ? [] : (flowMemberOf(model) ?? []);
  });
}

function compareMembers(left: FlowMember, right: FlowMember): number {
  return compareKeys(left.member, right.member);
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
