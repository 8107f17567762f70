import { type PlacementPolicy, RELOCATABLE_KINDS, type RuntimeMember } from '@nervix/model';
import type { ScheduleNode } from '../../src/cluster/schedule-node.js';
import { computeSchedule } from '../../src/computation/compute-schedule.js';
import type { DomainSchedule } from '../../src/computation/domain-schedule.js';
import type { DomainScheduleInput } from '../../src/computation/domain-schedule-input.js';
import type { MemberTraits, Replication } from '../../src/computation/member-traits.js';
import { buildPlacementGraph, idOf } from '../../src/placement/build-placement-graph.js';
import type { GraphKey } from '../../src/placement/graph-key.js';
import { resolvePlacement } from '../../src/placement/resolve-placement.js';
import type { HardGroup, ResolvedPlacement } from '../../src/placement/resolved-placement.js';
import type { ScheduleEntry } from '../../src/schedule-entry.js';

/** One graph node of a fixture: `kind:name`, junction where no kind is given. */
export interface FixtureMember {
  readonly id: string;
  readonly replication?: Replication;
  readonly isListener?: boolean;
}

/** A domain in short form; members are named as in `FixtureMember`. */
export interface DomainFixture {
  readonly members: readonly (string | FixtureMember)[];
  readonly edges?: readonly (readonly [from: string, to: string])[];
  readonly groups?: readonly (readonly string[])[];
  readonly prefer?: readonly (readonly [string, string])[];
  readonly separate?: readonly (readonly [string, string])[];
}

export const keyOfId = (id: string): GraphKey => {
  const [kind, name] = id.split(':');
  return name === undefined ? { kind: 'junction', name: id } : { kind: kind ?? '', name };
};

/** A graph node as statements name it. */
export const memberOfKey = ({ kind, name }: GraphKey): RuntimeMember => ({
  kind: RELOCATABLE_KINDS.find((known) => known === kind) ?? 'hash_map',
  name,
});

const idOfKey = ({ kind, name }: GraphKey) => (kind === 'junction' ? name : `${kind}:${name}`);

export const node = (name: string, change: Partial<ScheduleNode> = {}): ScheduleNode => ({
  name,
  isLive: true,
  isCordoned: false,
  isTerminating: false,
  ...change,
});

export const nodes = (...names: readonly string[]): readonly ScheduleNode[] =>
  names.map((name) => node(name));

/** Entries from `id: 'primary replica ...'`; an empty text is an entry without nodes. */
export const entries = (owners: Readonly<Record<string, string>>): readonly ScheduleEntry[] =>
  Object.entries(owners).map(([id, text]) => ({
    ...keyOfId(id),
    nodes: text.split(' ').filter((name) => name !== ''),
  }));

/** The reverse of `entries`. */
export const owners = (schedule: {
  readonly entries: readonly ScheduleEntry[];
}): Readonly<Record<string, string>> =>
  Object.fromEntries(schedule.entries.map((entry) => [idOfKey(entry), entry.nodes.join(' ')]));

/** Input of a computation over a fixture. */
export function domainInput(
  fixture: DomainFixture,
  rest: Partial<Omit<DomainScheduleInput, 'placement' | 'traits'>> = {},
): DomainScheduleInput {
  const members = fixture.members.map((entry) =>
    typeof entry === 'string' ? { id: entry } : entry,
  );
  return {
    placement: resolvedFixture(fixture),
    traits: members.map(traitsOf),
    nodes: [],
    replicaCount: 0,
    previous: [],
    ...rest,
  };
}

/** Computes the schedule of a fixture. */
export const compute = (
  fixture: DomainFixture,
  rest: Partial<Omit<DomainScheduleInput, 'placement' | 'traits'>> = {},
): DomainSchedule => computeSchedule(domainInput(fixture, rest));

function traitsOf({ id, replication, isListener }: FixtureMember): MemberTraits {
  const key = keyOfId(id);
  return {
    ...key,
    runs: isListener === true ? 'every_node' : 'once',
    replication: replication ?? (key.kind === 'relay' ? 'none' : 'role'),
  };
}

/** A resolved placement with exactly the groups and soft pairs of the fixture. */
export function resolvedFixture(fixture: DomainFixture): ResolvedPlacement {
  const ids = fixture.members.map((entry) => (typeof entry === 'string' ? entry : entry.id));
  const edges = (fixture.edges ?? []).map(([from, to]) => ({
    from: keyOfId(from),
    to: keyOfId(to),
  }));
  const graph = buildPlacementGraph(ids.map(keyOfId), edges);
  const base = resolved({ graph, domain: 'd', defaultPolicy: 'NEUTRAL', rules: [] });
  const at = (id: string) => idOf(graph, keyOfId(id)) ?? -1;
  const groups: HardGroup[] = (fixture.groups ?? [])
    .map((group) => ({ members: group.map(at).sort((left, right) => left - right) }))
    .sort((left, right) => (left.members[0] ?? 0) - (right.members[0] ?? 0));
  const groupOf = new Int32Array(graph.keys.length).fill(-1);
  for (const [index, group] of groups.entries()) {
    for (const member of group.members) groupOf[member] = index;
  }
  const partners = (list: DomainFixture['prefer'], node: number) => {
    const row = new Uint32Array((graph.keys.length + 31) >>> 5);
    for (const [left, right] of (list ?? []).map((pair) => pair.map(at))) {
      const other = left === node ? right : right === node ? left : undefined;
      if (other !== undefined) row[other >>> 5]! |= 1 << (other & 31);
    }
    return row;
  };
  // Every graph node is a class of its own, so that classes and graph nodes have equal numbers.
  const claims = {
    ...base.claims,
    classOf: Int32Array.from(graph.keys.keys()),
    members: {
      starts: Uint32Array.from([...graph.keys.keys(), graph.keys.length]),
      targets: Uint32Array.from(graph.keys.keys()),
    },
    pairs: {
      prepare: () => base.claims.pairs.prepare(),
      row: (policy: PlacementPolicy, index: number) => {
        if (policy === 'PREFER COLOCATION') return partners(fixture.prefer, index);
        return partners(policy === 'SUGGEST SEPARATION' ? fixture.separate : [], index);
      },
    },
  };
  return { ...base, groups, groupOf, claims };
}

/** Resolves rules that are known to agree. */
export function resolved(input: Parameters<typeof resolvePlacement>[0]): ResolvedPlacement {
  const outcome = resolvePlacement(input);
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  return outcome.placement;
}
