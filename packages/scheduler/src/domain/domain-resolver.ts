import { type MemberTraits, memberTraits } from '../computation/member-traits.js';
import { invalidInput } from '../errors.js';
import { graphSteps, idOf } from '../placement/build-placement-graph.js';
import { compareKeys, type GraphKey, keyText } from '../placement/graph-key.js';
import { keyWords } from '../placement/key-words.js';
import { isSameGraph, type PlacementGraph } from '../placement/placement-graph.js';
import { PlacementResolver } from '../placement/placement-resolver.js';
import type { PlacementRule } from '../placement/placement-rule.js';
import { isRank } from '../placement/tiers.js';
import { finish, type Steps } from '../steps.js';
import type { DomainDefinition, MemberDefinition, RuleDefinition } from './domain-definition.js';
import type { DomainOutcome } from './resolved-domain.js';

const EDGES_A_STEP = 4_096;
const RULES_A_STEP = 128;

/**
 * Resolves the definitions of one domain, one after the other, and keeps what stays the same
 * between them: the graph, what is reachable in it, and what unchanged rules decide. The outcome is
 * always that of a resolver that has seen nothing. Lists are told apart by identity first, so pass
 * the same ones again where only rules changed, and do not change them.
 */
export class DomainResolver {
  readonly #placements = new PlacementResolver();
  #topology: Topology | undefined;
  #checked = new WeakSet<PlacementRule>();

  /**
   * @returns the domain, or the conflict of two rules of equal rank
   * @throws ScheduleError when the definition contradicts itself
   */
  resolve(definition: DomainDefinition): DomainOutcome {
    return finish(this.resolveSteps(definition));
  }

  /** The work of {@link resolve}, for `runSliced`; one definition at a time. */
  *resolveSteps(definition: DomainDefinition): Steps<DomainOutcome> {
    const { domain, defaultPolicy = 'NEUTRAL' } = definition;
    const { graph, traits } = yield* this.#topologyOf(definition);
    const rules = (definition.rules ?? []).map(withRank);
    yield* this.#check({ graph, traits }, rules);
    yield;
    const input = { domain, graph, defaultPolicy, rules };
    const outcome = yield* this.#placements.resolveSteps(input);
    if (outcome.kind === 'refused') return outcome;
    return { kind: 'resolved', placement: outcome.placement, traits };
  }

  /** Rules that were checked against the graph at hand are not checked again. */
  *#check(known: Domain, rules: readonly PlacementRule[]): Steps<void> {
    uniqueTexts(
      rules.map(({ name }) => name),
      'rule',
    );
    for (const [index, rule] of rules.entries()) {
      if (!this.#checked.has(rule)) checkRule(known, rule);
      this.#checked.add(rule);
      if (index % RULES_A_STEP === 0) yield;
    }
  }

  *#topologyOf({ members, edges }: DomainDefinition): Steps<Topology> {
    const before = this.#topology;
    if (before?.members === members && before.edges === edges) return before;
    yield* checkEdges(members, edges);
    for (const member of members) checkRequirements(member);
    const built = yield* graphSteps(members, edges);
    // What is known of a graph is told by its identity, so an equal one is replaced by the old one.
    const graph = before !== undefined && isSameGraph(before.graph, built) ? before.graph : built;
    this.#checked = new WeakSet();
    yield;
    const traits = members.map(traitsOf).sort(compareKeys);
    yield;
    this.#topology = { members, edges, graph, traits };
    return this.#topology;
  }
}

/** What follows from members and edges alone. */
interface Topology extends Pick<DomainDefinition, 'members' | 'edges'> {
  readonly graph: PlacementGraph;
  /** By graph node id. */
  readonly traits: readonly MemberTraits[];
}

/** What rules are checked against. */
type Domain = Pick<Topology, 'graph' | 'traits'>;

function* checkEdges(
  members: DomainDefinition['members'],
  edges: DomainDefinition['edges'],
): Steps<void> {
  const known = new Map<string, Set<string>>();
  for (const member of members) {
    const { kind, name } = member;
    const names = known.get(kind) ?? new Set();
    if (names.has(name)) invalidInput(`member '${keyText(member)}' is given twice`);
    known.set(kind, names.add(name));
  }
  const isListed = ({ kind, name }: GraphKey) => known.get(kind)?.has(name) === true;
  for (const [index, { from, to }] of edges.entries()) {
    if (index % EDGES_A_STEP === 0) yield;
    if (!isListed(from)) invalidInput(`an edge joins unlisted ${keyWords(from)}`);
    if (!isListed(to)) invalidInput(`an edge joins unlisted ${keyWords(to)}`);
  }
}

/** What is declared must be an amount: less than nothing would make room for others. */
function checkRequirements(member: MemberDefinition): void {
  for (const [amount, value] of Object.entries(member.requirements?.capacity ?? {})) {
    if (!(value >= 0)) invalidInput(`${keyWords(member)} needs ${value} of ${amount}`);
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

/** The same object where the rank is given, so that known rules are known again. */
function withRank(rule: RuleDefinition): PlacementRule {
  return hasRank(rule) ? rule : { ...rule, rank: null };
}

function hasRank(rule: RuleDefinition): rule is PlacementRule {
  return rule.rank !== undefined;
}

function traitsOf(member: MemberDefinition): MemberTraits {
  const { kind, name, runs, replication, requirements } = member;
  return {
    ...memberTraits({ kind, name }),
    ...(runs === undefined ? {} : { runs }),
    ...(replication === undefined ? {} : { replication }),
    ...(requirements === undefined ? {} : { requirements }),
  };
}

function checkRule(known: Domain, { name, from, to, rank }: PlacementRule): void {
  if (rank !== null && !isRank(rank)) invalidInput(`rule '${name}' has rank '${rank}'`);
  checkSide(known, name, from);
  checkSide(known, name, to);
}

function checkSide({ graph, traits }: Domain, rule: string, side: readonly GraphKey[]): void {
  if (side.length === 0) invalidInput(`rule '${rule}' has a side without members`);
  uniqueTexts(side.map(keyText), `member of one side of rule '${rule}',`);
  for (const key of side) {
    const id = idOf(graph, key);
    if (id === undefined) invalidInput(`rule '${rule}' names unlisted ${keyWords(key)}`);
    if (traits[id]?.runs === 'every_node') {
      invalidInput(`rule '${rule}' names ${keyWords(key)}, which runs on every cluster node`);
    }
  }
}

function uniqueTexts(texts: readonly string[], what: string): ReadonlySet<string> {
  const seen = new Set<string>();
  for (const text of texts) {
    if (seen.has(text)) invalidInput(`${what} '${text}' is given twice`);
    seen.add(text);
  }
  return seen;
}
