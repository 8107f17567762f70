// Domains of any size in the shapes that placement is measured on, always the same for a seed.

const POLICIES = ['REQUIRE COLOCATION', 'PREFER COLOCATION', 'NEUTRAL', 'SUGGEST SEPARATION'];
const KINDS = ['relay', 'junction', 'relay', 'deduplicator'];

/** A small generator of numbers (mulberry32); results are in [0, 1). */
export function seededNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Names whose order says nothing about the place in the graph. */
function keysOf(count, random) {
  const order = Array.from({ length: count }, (_, index) => [random(), index]);
  order.sort(([left], [right]) => left - right);
  return order.map(([, number], index) => ({
    kind: KINDS[index % KINDS.length],
    name: `n${String(number).padStart(6, '0')}`,
  }));
}

/** A hundred layers; every node feeds some of the layer behind its own. */
function layers(nodes, random, fan) {
  const width = Math.max(2, Math.floor(nodes.length / 100));
  return nodes.flatMap((from, index) => {
    const next = (Math.floor(index / width) + 1) * width;
    if (next + width > nodes.length) return [];
    return Array.from({ length: fan }, () => ({
      from,
      to: nodes[next + Math.floor(random() * width)],
    }));
  });
}

const edgesOf = {
  layered: (nodes, random) => layers(nodes, random, 4),
  /** The same with one edge in a hundred turned back over a few layers. */
  cyclic(nodes, random) {
    const span = Math.max(4, Math.floor(nodes.length / 50));
    const back = nodes.flatMap((from, index) =>
      index >= span && random() < 0.01
        ? [{ from, to: nodes[index - 1 - Math.floor(random() * span)] }]
        : [],
    );
    return [...layers(nodes, random, 4), ...back];
  },
  /** Ten times as many edges. */
  dense: (nodes, random) => layers(nodes, random, 40),
  /** One line through all nodes. */
  chain: (nodes) => nodes.slice(1).map((to, index) => ({ from: nodes[index], to })),
  /** One source that feeds everything. */
  star: (nodes) => nodes.slice(1).map((to) => ({ from: nodes[0], to })),
};

/** Rules whose policy follows from their rank, so that no two of one rank disagree. */
function rulesOf(nodes, count, random) {
  const pick = () => {
    const first = Math.floor(random() * nodes.length);
    const members = Array.from(
      { length: 1 + Math.floor(random() * 3) },
      (_, index) => nodes[(first + index) % nodes.length],
    );
    return { first, members };
  };
  return Array.from({ length: count }, (_, index) => {
    const [from, to] = [pick(), pick()].sort((left, right) => left.first - right.first);
    const rank = 1 + Math.floor(random() * 9);
    return {
      name: `rule_${String(index).padStart(5, '0')}`,
      from: from.members,
      to: to.members,
      policy: rank === 9 ? 'PREFER COLOCATION' : POLICIES[rank % POLICIES.length],
      rank: rank === 9 ? null : String(rank),
    };
  });
}

/** Nodes, edges and rules of one domain. */
export function generatedDomain({ shape, nodes: count, rules: ruleCount, seed = 1 }) {
  const random = seededNumbers(seed);
  const nodes = keysOf(count, random);
  return { nodes, edges: edgesOf[shape](nodes, random), rules: rulesOf(nodes, ruleCount, random) };
}
