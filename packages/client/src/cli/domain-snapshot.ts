import type { Model, PlacementPolicy } from '@nervix/model';
import { parseStatement } from '@nervix/nspl-parser';
import { type PlanningSnapshot, type SnapshotResource, snapshotOf } from '@nervix/planner';
import type { ScheduleEntry, ScheduleNode } from '@nervix/scheduler';
import { CommandLineError, EXIT } from './command-line-error.js';

/** The texts that a node answers reads with, of which a snapshot is made. */
export interface DomainTexts {
  readonly domain: string;
  /** `SHOW CREATE` of each model. */
  readonly models: readonly string[];
  /** `DESCRIBE RESOURCE` of each resource, by name. */
  readonly resources: ReadonlyMap<string, string>;
  /** `DESCRIBE DOMAIN`. */
  readonly description: string;
  /** `SHOW CLUSTER STATUS`. */
  readonly cluster: string;
}

/**
 * What plans of a domain are made from, as far as a node tells it: models, resources with their
 * versions, status, default policy, members and schedule. A level of features is not told.
 *
 * @throws CommandLineError for a model that this release of the client cannot read
 */
export function domainSnapshot(texts: DomainTexts): PlanningSnapshot {
  const { domain, description, cluster } = texts;
  const status = lineOf(description, 'status: ') === 'stopped' ? 'stopped' : 'running';
  const policy = lineOf(description, '  default policy: ');
  return {
    ...snapshotOf(domain, texts.models.map(readModel)),
    status,
    startGeneration: status === 'running' ? 1 : 0,
    placement: (policy?.toUpperCase() ?? 'NEUTRAL') as PlacementPolicy,
    resources: [...texts.resources].map(readResource),
    nodes: readNodes(cluster),
    schedule: readSchedule(cluster, domain),
  };
}

function readModel(text: string): Model {
  const result = parseStatement(text);
  if (result.kind === 'parsed' && result.parsed.statement.kind === 'create_model') {
    return result.parsed.statement.model;
  }
  const message = `the node described a model that this client cannot read: ${text.slice(0, 80)}`;
  throw new CommandLineError('CLIENT_CONFIGURATION', message, { exitCode: EXIT.localIo });
}

function readResource([name, text]: readonly [string, string]): SnapshotResource {
  const versions = lineOf(text, 'versions: ') ?? '(none)';
  const isEmpty = versions === '(none)' || versions === '';
  return { name, versions: isEmpty ? [] : versions.split(',').map(Number) };
}

/** What follows a label at the start of a line; undefined where no line begins with it. */
function lineOf(text: string, label: string): string | undefined {
  return text
    .split('\n')
    .find((line) => line.startsWith(label))
    ?.slice(label.length);
}

function readNodes(cluster: string): readonly ScheduleNode[] {
  const cordoned = new Set(lineOf(cluster, 'raft.cordoned_nodes: ')?.split(','));
  const silent = new Set(
    [...cluster.matchAll(/^- raft member '([^']+)' is marked unavailable/gmu)].map(
      ([, name]) => name,
    ),
  );
  return [...cluster.matchAll(/^- (\S+) \[(voter|learner)\] /gmu)].map(([, name = '', part]) => ({
    name,
    isLive: !silent.has(name),
    isCordoned: cordoned.has(name),
    isTerminating: false,
    isVoter: part === 'voter',
  }));
}

const ASSIGNMENT = /^- domain=(\S+) kind=(\S+) name=(\S+) owner=(\S+) replicas=(\S+)/gmu;

function readSchedule(cluster: string, domain: string): readonly ScheduleEntry[] {
  return [...cluster.matchAll(ASSIGNMENT)].flatMap(([, of, kind, name = '', owner, replicas]) => {
    if (of !== domain) return [];
    const nodes = [owner ?? '-', ...(replicas ?? '-').split(',')].filter((node) => node !== '-');
    return [{ kind: kind as ScheduleEntry['kind'], name, nodes }];
  });
}
