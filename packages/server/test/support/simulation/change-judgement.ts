import assert from 'node:assert/strict';
import type { Answer } from './caller.ts';
import { keyOf } from './catalogue.ts';
import { type Change, type DomainModel, textOf } from './domain-model.ts';

/** A word in every refusal that the simulation makes up. */
export const SIMULATED = 'simulated';
/** What a graph is told that needs a relay of another node. */
const SEVERED = 'which nodes of this release cannot reach';
/** What a graph is told that nobody may run, because of cordons. */
const WAITING = 'no cluster node may take new work';

/** Where a change is judged. */
export interface Surroundings {
  readonly domain: string;
  /** Whether a cordon may keep work from having an owner. */
  readonly mayWait: boolean;
}

/** CP-24, CP-103, CP-104: an effect that cannot be had stays, but that of a start or a listener. */
export function learnChange(
  model: DomainModel,
  change: Change,
  answer: Answer,
  place: Surroundings,
): void {
  const { code, isCompleted, message } = answer;
  if (isCompleted) {
    assert.equal(model.permits(change), true, `accepted: ${textOf(change, place.domain)}`);
    checkLevel(model, change, message);
    const told = completionText(model, change, place.domain);
    if (told !== undefined) checkWords(message, told, textOf(change, place.domain));
    model.apply(change);
    return;
  }
  if (isOfCluster(model, change, message, place)) {
    if (change.op === 'start') model.isGenerationOpen = true;
  } else if (code === 'QUIESCE_FAILED' || message.includes(SIMULATED)) {
    const isRunning = model.status === 'running' || change.op === 'start';
    assert.equal(isRunning, true, `only what runs is drained or refused: ${message}`);
  } else if (code === 'ACTIVATION_FAILED') {
    assert.equal(model.verdict(change), 'activation failed', message);
  } else {
    assert.equal(model.permits(change), false, `${message}: ${textOf(change, place.domain)}`);
    const told = refusalText(model, change, place.domain);
    if (told !== undefined) checkWords(message, told, textOf(change, place.domain));
  }
  if (code !== 'ACTIVATION_FAILED') return;
  model.isDoubtful = true;
  const isKept = message.startsWith('committed') && !message.endsWith('rolled back');
  if (isKept) model.apply(change);
  if (change.op === 'start') model.generation += 1;
}

/** Whether a graph could not be run for what the cluster was like, and not for what it says. */
function isOfCluster(
  model: DomainModel,
  change: Change,
  message: string,
  { mayWait }: Surroundings,
): boolean {
  if (message.includes(WAITING)) {
    assert(mayWait, `only cordons keep work from an owner: ${message}`);
    return true;
  }
  if (!message.includes(SEVERED)) return false;
  const next = model.copy();
  next.apply(change);
  assert(model.isListening || next.isListening, `only listeners reach for other nodes: ${message}`);
  return true;
}

/** CP-94…96: a statement that moves nothing holds what the table says, or all where it has to. */
function checkLevel(model: DomainModel, change: Change, message: string): void {
  const told = /quiesce level: (\w+)/u.exec(message)?.[1];
  const mayMove = change.op !== 'rebind' && !message.includes('relocations: 0');
  if (told === undefined || mayMove || /relocations: [1-9]/u.test(message)) return;
  const level = model.levelOf(change);
  if (told !== 'DOMAIN_PAUSE' || !model.isDoubtful) assert.equal(told, level, textOf(change, ''));
}

const PAUSE = 'quiesce level: [A-Z_]+; planned relocations: \\d+';

/** What a change by itself answers, as the model knows it before it makes the change. */
function completionText(model: DomainModel, change: Change, domain: string): RegExp | undefined {
  switch (change.op) {
    case 'create domain':
      return exactly(`created domain '${domain}'`);
    case 'drop domain':
      return exactly(`dropped domain '${domain}'`);
    case 'start':
      return exactly(`starting domain '${domain}'`);
    case 'stop':
      return exactly(`stopped domain '${domain}'`);
    case 'alter domain':
      return model.policy === change.policy
        ? exactly(
            `domain '${domain}' placement is already ${change.policy}; ` +
              'quiesce level: DYNAMIC\nplanned relocations: 0',
          )
        : beginning(`set domain '${domain}' placement to ${change.policy}; quiesce level: `);
    case 'declare':
      return model.resources.has(change.resource)
        ? exactly(`resource '${change.resource}' already exists`)
        : exactly(`created resource '${change.resource}'`);
    case 'create':
      return model.holds(change.entity)
        ? exactly(`model '${change.entity.name}' already exists in domain '${domain}'`)
        : new RegExp(`^${PAUSE}$`, 'u');
    case 'drop':
      return beginning(`dropped model '${change.entity.name}' from domain '${domain}'; `);
    case 'alter':
      return beginning('altered ');
    case 'bind':
      return new RegExp(`^${PAUSE}${bindingText(model, change, '')}$`, 'u');
    case 'rebind':
      return rebindText(model, change, '');
  }
}

/** CP-56: what `LATEST` stands for, as an answer tells it. */
export function bindingText(
  model: DomainModel,
  { entity, to }: Extract<Change, { op: 'bind' }>,
  provisionally: string,
): string {
  if (to !== 'LATEST') return '';
  return `; ${latestText(model, entity.mounts ?? '', entity.name, provisionally)}`;
}

function latestText(model: DomainModel, resource: string, client: string, word: string): string {
  const version = model.versionOf(resource, 'LATEST');
  return `${word}resolved VERSION LATEST of resource '${resource}' to version ${version} for client '${client}'`;
}

/** CP-125: what a rebinding answers, to the last line. */
export function rebindText(
  model: DomainModel,
  { resource, to }: Extract<Change, { op: 'rebind' }>,
  provisionally: string,
): RegExp {
  const version = model.versionOf(resource, to) ?? 0;
  const usages = model.usages(resource, version);
  const changed = usages.filter(({ from }) => from !== version);
  const isLatest = to === 'LATEST';
  const lines = [
    `rebound ${changed.length} of ${usages.length} usage(s) of resource '${resource}' ` +
      `to version ${version}${isLatest ? ' (latest)' : ''}`,
    'LEVEL',
    ...usages.flatMap(({ entity }) =>
      isLatest ? [latestText(model, resource, entity.name, provisionally)] : [],
    ),
    ...usages.map(({ entity, from }) => {
      const end = from === version ? ' unchanged' : '';
      return `- kind=client name=${entity.name} from=${from} to=${version}${end}`;
    }),
  ];
  const pattern = escaped(lines.join('\n'));
  const level = 'quiesce level: [A-Z_]+(\nplanned relocations: \\d+)?';
  return new RegExp(`^${pattern.replace('LEVEL', () => level)}$`, 'u');
}

/** CP-36: why a change is refused; undefined where the model does not tell the words. */
export function refusalText(
  model: DomainModel,
  change: Change,
  domain: string,
): RegExp | undefined {
  if (!model.exists) return containing(`domain '${domain}' does not exist`);
  switch (change.op) {
    case 'create domain':
      return containing(`domain '${domain}' already exists`);
    case 'drop domain':
      return model.status === 'running'
        ? containing(`domain '${domain}' is running; STOP it first`)
        : new RegExp(`^domain '${domain}' (has an open transaction|still has \\d+ )`, 'u');
    case 'start':
      return containing(`domain '${domain}' is already running`);
    case 'stop':
      return containing(`domain '${domain}' is already stopped`);
    case 'declare':
      return containing(`resource '${change.resource}' already exists`);
    case 'create':
      return creationRefusal(model, change.entity, domain);
    case 'drop':
      return dropRefusal(model, change.entity, domain);
    case 'alter':
      return model.holds(change.entity) ? undefined : absent(change.entity.name, domain);
    case 'bind':
      return bindingRefusal(model, change, domain);
    case 'rebind':
      return versionRefusal(model, change.resource, change.to);
    default:
      return undefined;
  }
}

type Named = Extract<Change, { op: 'create' }>['entity'];

function creationRefusal(model: DomainModel, entity: Named, domain: string): RegExp | undefined {
  if (model.holds(entity)) return present(entity.name, domain);
  // A rule names nodes of the graph, and is told of them in other words.
  if (entity.kind === 'placement') return undefined;
  const names = model.missing(entity).map((key) => key.slice(key.indexOf(' ') + 1));
  const start = escaped(`model '${entity.name}' in domain '${domain}' requires missing `);
  return new RegExp(`${start}.*'(${names.join('|')})'`, 'u');
}

function dropRefusal(model: DomainModel, entity: Named, domain: string): RegExp | undefined {
  if (!model.holds(entity)) return absent(entity.name, domain);
  const users = model.usersOf(entity);
  assert(users.length > 0, `nothing keeps ${keyOf(entity)}`);
  // A rule keeps its members too, and is told of in other words behind all else.
  const models = users.filter(({ kind }) => kind !== 'placement').map(({ name }) => name);
  if (models.length === 0) return undefined;
  const names = [...new Set(models)].sort().join(', ');
  return containing(
    `cannot delete model '${entity.name}' in domain '${domain}' because it is used by ${names}`,
  );
}

/** A version is resolved before anyone looks whether the name is taken. */
function bindingRefusal(
  model: DomainModel,
  { entity, to }: Extract<Change, { op: 'bind' }>,
  domain: string,
): RegExp {
  const resource = entity.mounts ?? '';
  const isResolved = model.versionOf(resource, to) !== undefined;
  if (isResolved && model.holds(entity)) return present(entity.name, domain);
  return versionRefusal(model, resource, to);
}

function versionRefusal(model: DomainModel, resource: string, to: number | 'LATEST'): RegExp {
  if (!model.resources.has(resource) && to !== 'LATEST') {
    return containing(`resource '${resource}@${to}' does not exist`);
  }
  return to === 'LATEST'
    ? containing(`resource '${resource}' has no completed versions`)
    : containing(`resource '${resource}@${to}' is not a completed version`);
}

function present(name: string, domain: string): RegExp {
  return containing(`model '${name}' already exists in domain '${domain}'`);
}

function absent(name: string, domain: string): RegExp {
  return containing(`model '${name}' does not exist in domain '${domain}'`);
}

/** An answer has the words that it has to have. */
export function checkWords(message: string, told: RegExp, query: string): void {
  assert(told.test(message), `${query} -> ${message}, not ${told.source}`);
}

export function containing(text: string): RegExp {
  return new RegExp(escaped(text), 'u');
}

export function exactly(text: string): RegExp {
  return new RegExp(`^${escaped(text)}$`, 'u');
}

function beginning(text: string): RegExp {
  return new RegExp(`^${escaped(text)}`, 'u');
}

export function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
}
