import { PLACEMENT_POLICIES } from '@nervix/model';
import {
  type DomainDefinition,
  type DomainScheduleInput,
  type GraphKey,
  type MemberDefinition,
  type RuleDefinition,
  resolveDomain,
  type ScheduleEntry,
  ScheduleError,
  type ScheduleNode,
} from '@nervix/scheduler';
import { localRefusal, usageError } from '../command-line-error.js';
import { JsonReader } from './json-reader.js';

/** A JSON file that was read. */
export interface InputFile {
  readonly label: string;
  readonly text: string;
}

const SECTIONS = [
  'domain',
  'defaultPolicy',
  'replicas',
  'graph',
  'rules',
  'nodes',
  'schedule',
] as const;
type Section = (typeof SECTIONS)[number];

/**
 * Puts files together into the input of one domain's schedule. Every section stands in one file;
 * which in which is up to the writer.
 *
 * @throws CommandLineError for files that cannot be used, naming the place; and for rules of equal
 * rank that contradict each other
 */
export function placementInput(files: readonly InputFile[]): DomainScheduleInput {
  const sections = sectionsOf(files);
  const { graph, rules, nodes } = sections;
  if (graph === undefined) throw usageError('no file has a section graph');
  if (nodes === undefined) throw usageError('no file has a section nodes');
  const { members, edges } = readGraph(graph);
  const keyOf = memberNames(members);
  const definition: DomainDefinition = {
    domain: sections.domain?.text() ?? 'domain',
    members,
    edges: edges.map(([from, to]) => ({ from: keyOf(from), to: keyOf(to) })),
    rules: rules?.list().map((rule) => readRule(rule, keyOf)) ?? [],
    defaultPolicy: sections.defaultPolicy?.choice(PLACEMENT_POLICIES) ?? 'NEUTRAL',
  };
  return {
    ...resolved(definition),
    nodes: uniqueNodes(nodes),
    replicaCount: sections.replicas?.count(0) ?? 0,
    previous: sections.schedule?.list().map((entry) => readEntry(entry, keyOf)) ?? [],
  };
}

function sectionsOf(files: readonly InputFile[]): Partial<Record<Section, JsonReader>> {
  const found: Partial<Record<Section, JsonReader>> = {};
  for (const { label, text } of files) {
    const own = new JsonReader(parsedJson(label, text), label).fields(SECTIONS);
    for (const section of SECTIONS) {
      if (!own[section].isPresent) continue;
      if (found[section] !== undefined) own[section].refuse('an earlier file has it as well');
      found[section] = own[section];
    }
  }
  return found;
}

function parsedJson(label: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw usageError(`${label}: it is not JSON: ${reason}`);
  }
}

function resolved(definition: DomainDefinition): Pick<DomainScheduleInput, 'placement' | 'traits'> {
  try {
    const outcome = resolveDomain(definition);
    if (outcome.kind === 'refused') throw localRefusal('INVALID_MODEL', outcome.message);
    const { placement, traits } = outcome;
    return { placement, traits };
  } catch (error) {
    if (error instanceof ScheduleError) throw usageError(error.message);
    throw error;
  }
}

interface InputGraph {
  readonly members: readonly MemberDefinition[];
  readonly edges: readonly (readonly [from: JsonReader, to: JsonReader])[];
}

function readGraph(graph: JsonReader): InputGraph {
  const { nodes, edges } = graph.fields(['nodes', 'edges']);
  const seen = new Set<string>();
  return {
    members: nodes.list().map((reader) => {
      const member = readMember(reader);
      const text = `${member.kind} ${member.name}`;
      if (seen.has(text)) reader.refuse(`${text} is given twice`);
      seen.add(text);
      return member;
    }),
    edges: edges.list().map((edge) => {
      const [from, to, ...more] = edge.list();
      if (from === undefined || to === undefined || more.length > 0) {
        return edge.refuse('it must be a pair of graph nodes');
      }
      return [from, to];
    }),
  };
}

const REPLICATIONS = ['none', 'role', 'state'] as const;

/** `kind name` in one text, or an object that can say more. */
function readMember(member: JsonReader): MemberDefinition {
  if (member.isText) return writtenKey(member) ?? member.refuse("it must be 'kind name'");
  const fields = member.fields(['kind', 'name', 'listener', 'replication']);
  const isListener = fields.listener.isPresent && fields.listener.flag();
  return {
    kind: fields.kind.text(),
    name: fields.name.text(),
    ...(isListener ? { runs: 'every_node' } : {}),
    ...(fields.replication.isPresent
      ? { replication: fields.replication.choice(REPLICATIONS) }
      : {}),
  };
}

function writtenKey(reader: JsonReader): GraphKey | undefined {
  const [, kind, name] = /^([a-z_]+) (\S.*)$/u.exec(reader.text()) ?? [];
  return kind === undefined || name === undefined ? undefined : { kind, name };
}

/** Finds a graph node by its bare name where only one has it, or by `kind name`. */
function memberNames(members: readonly GraphKey[]): (reader: JsonReader) => GraphKey {
  const byName = Map.groupBy(members, ({ name }) => name);
  return (reader) => {
    const text = reader.text();
    const written = writtenKey(reader);
    const exact = byName.get(written?.name ?? '')?.find(({ kind }) => kind === written?.kind);
    if (exact !== undefined) return exact;
    const [only, ...others] = byName.get(text) ?? [];
    if (only === undefined) return reader.refuse(`the graph has no node '${text}'`);
    if (others.length === 0) return only;
    const kinds = [only, ...others].map(({ kind }) => kind).join(', ');
    return reader.refuse(
      `'${text}' is a name of several kinds (${kinds}): write the kind before it`,
    );
  };
}

function readRule(rule: JsonReader, keyOf: (reader: JsonReader) => GraphKey): RuleDefinition {
  const { name, from, to, policy, rank } = rule.fields(['name', 'from', 'to', 'policy', 'rank']);
  return {
    name: name.text(),
    from: from.list().map(keyOf),
    to: to.list().map(keyOf),
    policy: policy.choice(PLACEMENT_POLICIES),
    ...(rank.isPresent ? { rank: String(rank.count(1)) } : {}),
  };
}

function uniqueNodes(nodes: JsonReader): readonly ScheduleNode[] {
  const seen = new Set<string>();
  return nodes.list().map((reader) => {
    const node = readNode(reader);
    if (seen.has(node.name)) reader.refuse(`node '${node.name}' is given twice`);
    seen.add(node.name);
    return node;
  });
}

const NODE_FIELDS = ['name', 'live', 'cordoned', 'terminating', 'voter', 'quarantined'] as const;

/** A name for a node that may receive work, or an object that can say more. */
function readNode(node: JsonReader): ScheduleNode {
  if (node.isText) {
    return { name: node.text(), isLive: true, isCordoned: false, isTerminating: false };
  }
  const fields = node.fields(NODE_FIELDS);
  const flag = (reader: JsonReader, absent: boolean): boolean =>
    reader.isPresent ? reader.flag() : absent;
  return {
    name: fields.name.text(),
    isLive: flag(fields.live, true),
    isCordoned: flag(fields.cordoned, false),
    isTerminating: flag(fields.terminating, false),
    isVoter: flag(fields.voter, true),
    isQuarantined: flag(fields.quarantined, false),
  };
}

function readEntry(entry: JsonReader, keyOf: (reader: JsonReader) => GraphKey): ScheduleEntry {
  const { node, on } = entry.fields(['node', 'on']);
  const { kind, name } = keyOf(node);
  return { kind, name, nodes: on.list().map((reader) => reader.text()) };
}
