import type { PlacementPolicy } from '@nervix/model';
import type { FlowEdge } from '../../src/placement/build-placement-graph.js';
import type { GraphKey } from '../../src/placement/graph-key.js';
import type { PlacementRule } from '../../src/placement/placement-rule.js';

/** A domain as the naive reference takes it. */
export interface OracleDomain {
  readonly nodes: readonly GraphKey[];
  readonly edges: readonly FlowEdge[];
  readonly rules: readonly PlacementRule[];
  readonly defaultPolicy: PlacementPolicy;
}

export interface OraclePair {
  readonly left: number;
  readonly right: number;
  /** Rules of the strongest tier that claims the pair, by name. */
  readonly winners: readonly PlacementRule[];
  readonly policy: PlacementPolicy | undefined;
}

const text = ({ kind, name }: GraphKey) => `${kind} ${name}`;
const byText = (left: string, right: string) => (left < right ? -1 : Number(left > right));

/** Placement of small domains, straight from the definitions: every path, every pair, every rule. */
export class PlacementOracle {
  readonly keys: readonly GraphKey[];
  readonly #domain: OracleDomain;
  readonly #edges: readonly (readonly number[])[];
  readonly #paths = new Map<string, readonly (readonly number[])[]>();
  #pairs: readonly OraclePair[] | undefined;

  constructor(domain: OracleDomain) {
    this.#domain = domain;
    const names = [...new Set(domain.nodes.map(text))].sort(byText);
    this.keys = names.map((name) => domain.nodes.find((key) => text(key) === name)!);
    this.#edges = this.keys.map((key) =>
      domain.edges.filter(({ from }) => text(from) === text(key)).map(({ to }) => this.id(to)),
    );
  }

  id(key: GraphKey): number {
    return this.keys.findIndex((other) => text(other) === text(key));
  }

  /** All simple paths from one node to another; for equal ends all simple cycles. */
  paths(from: number, to: number): readonly (readonly number[])[] {
    const known = this.#paths.get(`${from} ${to}`);
    if (known !== undefined) return known;
    const found: number[][] = [];
    const extend = (path: readonly number[]) => {
      for (const next of new Set(this.#edges[path.at(-1)!])) {
        if (next === to) found.push([...path, next]);
        if (next !== to && !path.includes(next)) extend([...path, next]);
      }
    };
    extend([from]);
    this.#paths.set(`${from} ${to}`, found);
    return found;
  }

  /** Nodes v with a walk from → v → to; undefined without a connection. */
  corridor(from: number, to: number): readonly number[] | undefined {
    if (this.paths(from, to).length === 0) return undefined;
    const reaches = (a: number, b: number) => a === b || this.paths(a, b).length > 0;
    return [...this.keys.keys()].filter((node) => reaches(from, node) && reaches(node, to));
  }

  corridors(rule: PlacementRule): readonly (readonly number[] | undefined)[] {
    return rule.from.flatMap((f) => rule.to.map((t) => this.corridor(this.id(f), this.id(t))));
  }

  pairs(): readonly OraclePair[] {
    this.#pairs ??= this.#allPairs();
    return this.#pairs;
  }

  #allPairs(): readonly OraclePair[] {
    const corridors = this.#domain.rules.map((rule) => ({ rule, found: this.corridors(rule) }));
    const pairs: OraclePair[] = [];
    for (const right of this.keys.keys()) {
      for (let left = 0; left < right; left += 1) {
        const claims = corridors
          .filter(({ found }) => found.some((it) => it?.includes(left) && it.includes(right)))
          .map(({ rule }) => rule);
        const strongest = Math.min(...claims.map(strength));
        const winners = claims.filter((rule) => strength(rule) === strongest);
        const isDirect = this.#edges[left]!.includes(right) || this.#edges[right]!.includes(left);
        const fallback = isDirect ? this.#domain.defaultPolicy : undefined;
        winners.sort((a, b) => byText(a.name, b.name));
        pairs.push({ left, right, winners, policy: winners[0]?.policy ?? fallback });
      }
    }
    return pairs.sort((a, b) => a.left - b.left || a.right - b.right);
  }

  /** Names and pair of the conflict that is reported. */
  conflict(): { readonly rules: readonly string[]; readonly pair: readonly number[] } | undefined {
    for (const { left, right, winners } of this.pairs()) {
      const [first] = winners;
      const second = winners.find(({ policy }) => policy !== first?.policy);
      if (first === undefined || second === undefined) continue;
      return { rules: [first.name, second.name], pair: [left, right] };
    }
    return undefined;
  }

  groups(): readonly (readonly number[])[] {
    const group = [...this.keys.keys()];
    const required = this.pairs().filter(({ policy }) => policy === 'REQUIRE COLOCATION');
    for (const _ of required) {
      for (const { left, right } of required) {
        const lower = Math.min(group[left]!, group[right]!);
        group[left] = lower;
        group[right] = lower;
      }
    }
    return [...new Set(group)]
      .map((root) => [...group.keys()].filter((node) => group[node] === root))
      .filter((members) => members.length > 1)
      .sort((a, b) => a[0]! - b[0]!);
  }

  coverage(rule: PlacementRule): string {
    const found = this.corridors(rule);
    const connected = found.filter((corridor) => corridor !== undefined);
    if (connected.length === 0) return 'empty';
    const claims = this.pairs().filter(({ left, right }) =>
      connected.some((corridor) => corridor.includes(left) && corridor.includes(right)),
    );
    const won = claims.filter(({ winners }) => winners.includes(rule));
    if (claims.length > 0 && won.length === 0) return 'overridden';
    const isWhole = connected.length === found.length && won.length === claims.length;
    return isWhole ? 'effective' : 'partial';
  }
}

function strength({ rank }: PlacementRule): number {
  return rank === null ? 1_000 : Number(rank);
}
