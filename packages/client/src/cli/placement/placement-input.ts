import { PLACEMENT_POLICIES, RELOCATABLE_KINDS } from '@nervix/model';
import {
  type DomainDefinition,
  type DomainScheduleInput,
  type GraphKey,
  graphKeyOf,
  type MemberDefinition,
  type RuleDefinition,
  resolveDomain,
  type ScheduleEntry,
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
  const memberOf = memberNames(members);
  const definition: DomainDefinition = {
    domain: sections.domain?.text() ?? 'domain',
    members,
    edges: edges.map(([from, to]) => ({ from: memberOf(from), to: memberOf(to) })),
    rules: rules === undefined ? [] : readRules(rules, memberOf),
    defaultPolicy: sections.defaultPolicy?.choice(PLACEMENT_POLICIES) ?? 'NEUTRAL',
  };
  return {
    ...resolved(definition),
    nodes: readNodes(nodes),
    replicaCount: sections.replicas?.count(0) ?? 0,
    previous: sections.schedule === undefined ? [] : readSchedule(sections.schedule, memberOf),
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
  const outcome = resolveDomain(definition);
  if (outcome.kind === 'refused') throw localRefusal('INVALID_MODEL', outcome.message);
  const { placement, traits } = outcome;
  return { placement, traits };
}

interface InputGraph {
  readonly members: readonly MemberDefinition[];
  readonly edges: readonly (readonly [from: JsonReader, to: JsonReader])[];
}

function readGraph(graph: JsonReader): InputGraph {
  const { nodes, edges } = graph.fields(['nodes', 'edges']);
  return {
    members: distinct(nodes.list(), readMember, ({ kind, name }) => `${kind} ${name}`),
    edges: edges.list().map((edge) => {
      const [from, to, ...more] = edge.list();
      if (from === undefined || to === undefined || more.length > 0) {
        return edge.refuse('it must be a pair of graph nodes');
      }
      return [from, to];
    }),
  };
}

/** Reads a list whose items must differ in what names them. */
function distinct<Item>(
  readers: readonly JsonReader[],
  read: (reader: JsonReader) => Item,
  nameOf: (item: Item) => string,
): readonly Item[] {
  const seen = new Set<string>();
  return readers.map((reader) => {
    const item = read(reader);
    const name = nameOf(item);
    if (seen.has(name)) reader.refuse(`${name} is given twice`);
    seen.add(name);
    return item;
  });
}

/** As schedules spell them. */
const KINDS = RELOCATABLE_KINDS.map((kind) => graphKeyOf({ kind, name: '' })?.kind ?? kind);
const REPLICATIONS = ['none', 'role', 'state'] as const;

/** `kind name` in one text, or an object that can say more. */
function readMember(member: JsonReader): MemberDefinition {
  if (member.isText) {
    const written = writtenKey(member) ?? member.refuse("it must be 'kind name'");
    if (KINDS.includes(written.kind)) return written;
    return member.refuse(`the kind must be one of ${KINDS.join(', ')}`);
  }
  const fields = member.fields(['kind', 'name', 'listener', 'replication']);
  const kind = fields.kind.choice(KINDS);
  const isListener = fields.listener.isPresent && fields.listener.flag();
  if (isListener && kind !== 'ingestor') fields.listener.refuse('only an ingestor listens');
  return {
    kind,
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
function memberNames(members: readonly MemberDefinition[]): MemberReader {
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

type MemberReader = (reader: JsonReader) => MemberDefinition;

function readRules(rules: JsonReader, memberOf: MemberReader): readonly RuleDefinition[] {
  return distinct(
    rules.list(),
    (rule) => readRule(rule, memberOf),
    ({ name }) => `rule '${name}'`,
  );
}

function readRule(rule: JsonReader, memberOf: MemberReader): RuleDefinition {
  const { name, from, to, policy, rank } = rule.fields(['name', 'from', 'to', 'policy', 'rank']);
  return {
    name: name.text(),
    from: readSide(from, memberOf),
    to: readSide(to, memberOf),
    policy: policy.choice(PLACEMENT_POLICIES),
    ...(rank.isPresent ? { rank: String(rank.count(1)) } : {}),
  };
}

/** Repeats keep their first place, as in statements. */
function readSide(side: JsonReader, memberOf: MemberReader): readonly GraphKey[] {
  const members = side.list().map((reader) => {
    const member = memberOf(reader);
    if (member.runs === 'every_node') {
      reader.refuse(`ingestor '${member.name}' listens on every node, so no rule may name it`);
    }
    return member;
  });
  if (members.length === 0) side.refuse('it must not be empty');
  return [...new Set(members)];
}

function readNodes(nodes: JsonReader): readonly ScheduleNode[] {
  return distinct(nodes.list(), readNode, ({ name }) => `node '${name}'`);
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

function readSchedule(schedule: JsonReader, memberOf: MemberReader): readonly ScheduleEntry[] {
  return distinct(
    schedule.list(),
    (entry) => readEntry(entry, memberOf),
    ({ kind, name }) => `${kind} ${name}`,
  );
}

function readEntry(entry: JsonReader, memberOf: MemberReader): ScheduleEntry {
  const { node, on } = entry.fields(['node', 'on']);
  const { kind, name } = memberOf(node);
  const nodes = distinct(
    on.list(),
    (reader) => reader.text(),
    (text) => `node '${text}'`,
  );
  return { kind, name, nodes };
}
