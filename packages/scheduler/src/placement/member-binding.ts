import { kindWords, MODEL_KINDS, type Model, type PlacementModel } from '@nervix/model';
import { compareText, type GraphKey } from './graph-key.js';
import { graphKeyOf } from './model-flow.js';
import type { PlacementRule } from './placement-rule.js';
import { isRank } from './tiers.js';

/** Outcome of binding one name or one rule. */
export type Bound<Value> =
  | { readonly kind: 'bound'; readonly value: Value }
  | { readonly kind: 'refused'; readonly reason: string };

/** Finds the models of a domain by name, inside a name in the order of kinds. */
export type ModelsByName = Pick<ReadonlyMap<string, readonly Model[]>, 'get'>;

/** Models in the order of their names; inside a name in the order of kinds. */
export function modelsByName(models: Iterable<Model>): ReadonlyMap<string, readonly Model[]> {
  const ordered = [...models].sort(
    (left, right) =>
      compareText(left.name, right.name) ||
      MODEL_KINDS.indexOf(left.kind) - MODEL_KINDS.indexOf(right.kind),
  );
  return Map.groupBy(ordered, ({ name }) => name);
}

/**
 * Binds the names of a rule to graph nodes; repeats keep their first place.
 *
 * @returns the rule, or the reason for the first member that is refused, FROM before TO
 */
export function bindRule(model: PlacementModel, models: ModelsByName): Bound<PlacementRule> {
  const { name, policy, rank } = model;
  if (rank !== null && !isRank(rank)) {
    return refused(`placement RANK ${rank} is invalid; RANK must be greater than zero`);
  }
  const from = bindSide('FROM', model.from, models);
  if (from.kind === 'refused') return from;
  const to = bindSide('TO', model.to, models);
  if (to.kind === 'refused') return to;
  return { kind: 'bound', value: { name, from: from.value, to: to.value, policy, rank } };
}

/** Binds one name to the only eligible graph node that has it. */
export function bindMember(name: string, models: ModelsByName): Bound<GraphKey> {
  const named = models.get(name) ?? [];
  const eligible = named.filter(isEligible);
  const keys = eligible.flatMap((model) => graphKeyOf(model) ?? []);
  const [only] = keys;
  if (only === undefined) return refused(ineligibleReason(name, named));
  if (keys.length === 1) return { kind: 'bound', value: only };
  const kinds = eligible.map(({ kind }) => kindWords(kind)).join(', ');
  return refused(`placement member '${name}' is ambiguous across eligible kinds ${kinds}`);
}

/** Whether rules may name a model: it is scheduled, and on one cluster node. */
export function isEligible(model: Model): boolean {
  return graphKeyOf(model) !== undefined && !isListener(model);
}

/** Ingestors whose listeners run on every cluster node. */
export function isListener(model: Model): boolean {
  if (model.kind !== 'ingestor') return false;
  return model.source.kind === 'endpoint' || model.source.kind === 'syslog';
}

function bindSide(
  side: 'FROM' | 'TO',
  names: readonly string[],
  models: ModelsByName,
): Bound<readonly GraphKey[]> {
  if (names.length === 0) return refused(`placement ${side} must name at least one member`);
  const keys: GraphKey[] = [];
  for (const name of new Set(names)) {
    const member = bindMember(name, models);
    if (member.kind === 'refused') return member;
    keys.push(member.value);
  }
  return { kind: 'bound', value: keys };
}

function ineligibleReason(name: string, named: readonly Model[]): string {
  const [first] = named;
  if (first === undefined) return `placement member '${name}' does not exist`;
  if (named.some(isListener)) {
    return (
      `placement member '${name}' is not placement-eligible: ` +
      'endpoint-source ingestors execute on every cluster node'
    );
  }
  const kind = kindWords(first.kind);
  const member = `placement member '${name}'`;
  return `${member} has non-schedulable kind ${kind} and is not placement-eligible`;
}

function refused(reason: string): { readonly kind: 'refused'; readonly reason: string } {
  return { kind: 'refused', reason };
}
