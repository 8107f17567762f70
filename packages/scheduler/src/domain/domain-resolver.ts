import { memberTraits } from '../computation/member-traits.js';
import { invalidInput } from '../errors.js';
import { buildPlacementGraph, idOf } from '../placement/build-placement-graph.js';
import { type GraphKey, keyText } from '../placement/graph-key.js';
import { keyWords } from '../placement/key-words.js';
import { isSameGraph, type PlacementGraph } from '../placement/placement-graph.js';
import { PlacementResolver } from '../placement/placement-resolver.js';
import type { PlacementRule } from '../placement/placement-rule.js';
import { isRank } from '../placement/tiers.js';
import type { DomainDefinition, MemberDefinition, RuleDefinition } from './domain-definition.js';
import type { DomainOutcome } from './resolved-domain.js';

/**
 * Resolves the definitions of one domain, one after the other, and keeps what stays the same
 * between them: the graph, what is reachable in it, and what unchanged rules decide. The outcome is
 * always that of a resolver that has seen nothing.
 */
export class DomainResolver {
  readonly #placements = new PlacementResolver();
  #graph: PlacementGraph | undefined;

  /**
   * @returns the domain, or the conflict of two rules of equal rank
   * @throws ScheduleError when the definition contradicts itself
   */
  resolve(definition: DomainDefinition): DomainOutcome {
    const { domain, members, defaultPolicy = 'NEUTRAL' } = definition;
    const graph = this.#graphOf(definition);
    const rules = (definition.rules ?? []).map(withRank);
    checkRules(graph, rules);
    const outcome = this.#placements.resolve({ domain, graph, defaultPolicy, rules });
    if (outcome.kind === 'refused') return outcome;
    return { kind: 'resolved', placement: outcome.placement, traits: members.map(traitsOf) };
  }

  #graphOf({ members, edges }: DomainDefinition): PlacementGraph {
    const known = uniqueTexts(members.map(keyText), 'member');
    for (const { from, to } of edges) {
      for (const end of [from, to]) {
        if (!known.has(keyText(end))) invalidInput(`an edge joins unlisted ${keyWords(end)}`);
      }
    }
    const graph = buildPlacementGraph(members, edges);
    // What is known of a graph is told by its identity, so an equal one is replaced by the old one.
    if (this.#graph === undefined || !isSameGraph(this.#graph, graph)) this.#graph = graph;
    return this.#graph;
  }
}

/**
 * Resolves a domain from its definition alone.
 *
 * @returns the domain, or the conflict of two rules of equal rank
 * @throws ScheduleError when the definition contradicts itself
 */
export function resolveDomain(definition: DomainDefinition): DomainOutcome {
  return new DomainResolver().resolve(definition);
}

function withRank({ rank = null, ...rule }: RuleDefinition): PlacementRule {
  return { ...rule, rank };
}

function traitsOf(member: MemberDefinition): ReturnType<typeof memberTraits> {
  const { kind, name, runs, replication, requirements } = member;
  return {
    ...memberTraits({ kind, name }),
    ...(runs === undefined ? {} : { runs }),
    ...(replication === undefined ? {} : { replication }),
    ...(requirements === undefined ? {} : { requirements }),
  };
}

function checkRules(graph: PlacementGraph, rules: readonly PlacementRule[]): void {
  uniqueTexts(
    rules.map(({ name }) => name),
    'rule',
  );
  for (const { name, from, to, rank } of rules) {
    if (rank !== null && !isRank(rank)) invalidInput(`rule '${name}' has rank '${rank}'`);
    checkSide(graph, name, from);
    checkSide(graph, name, to);
  }
}

function checkSide(graph: PlacementGraph, rule: string, side: readonly GraphKey[]): void {
  if (side.length === 0) invalidInput(`rule '${rule}' has a side without members`);
  uniqueTexts(side.map(keyText), `member of one side of rule '${rule}',`);
  const unknown = side.find((key) => idOf(graph, key) === undefined);
  if (unknown !== undefined) invalidInput(`rule '${rule}' names unlisted ${keyWords(unknown)}`);
}

function uniqueTexts(texts: readonly string[], what: string): ReadonlySet<string> {
  const seen = new Set<string>();
  for (const text of texts) {
    if (seen.has(text)) invalidInput(`${what} '${text}' is given twice`);
    seen.add(text);
  }
  return seen;
}
