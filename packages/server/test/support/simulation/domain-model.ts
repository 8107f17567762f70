import type { PlacementPolicy } from '@nervix/model';
import { BAD, type Entity, keyOf, type Level, type Part, type PartValue } from './catalogue.ts';

/** A version as a statement names it. */
export type WantedVersion = number | 'LATEST';

/** A statement that changes a domain. */
export type Change =
  | { readonly op: 'create domain'; readonly policy: PlacementPolicy }
  | { readonly op: 'alter domain'; readonly policy: PlacementPolicy }
  | { readonly op: 'start' | 'stop' }
  | { readonly op: 'drop domain'; readonly cascade: boolean }
  | { readonly op: 'declare'; readonly resource: string; readonly isEnsured?: boolean }
  | { readonly op: 'create'; readonly entity: Entity; readonly isEnsured?: boolean }
  | { readonly op: 'drop'; readonly entity: Entity }
  /** Creates a client that mounts a version. */
  | { readonly op: 'bind'; readonly entity: Entity; readonly to: WantedVersion }
  | { readonly op: 'rebind'; readonly resource: string; readonly to: WantedVersion }
  | {
      readonly op: 'alter';
      readonly entity: Entity;
      readonly part: Part;
      readonly to: PartValue;
    };

export function textOf(change: Change, domain: string): string {
  switch (change.op) {
    case 'create domain':
      return `CREATE DOMAIN ${domain} PLACEMENT ${change.policy};`;
    case 'alter domain':
      return `ALTER DOMAIN SET PLACEMENT ${change.policy};`;
    case 'start':
    case 'stop':
      return `${change.op.toUpperCase()};`;
    case 'drop domain':
      return `DROP DOMAIN ${domain}${change.cascade ? ' CASCADE' : ''};`;
    case 'declare':
      return `${createWords(change)} RESOURCE ${change.resource};`;
    case 'create':
      return change.entity.create
        .replaceAll(/\s+/gu, ' ')
        .replace('CREATE', () => createWords(change));
    case 'bind':
      return change.entity.create
        .replaceAll(/\s+/gu, ' ')
        .replace('VERSION LATEST', `VERSION ${change.to}`);
    case 'rebind':
      return `REBIND RESOURCE ${change.resource} TO VERSION ${change.to};`;
    case 'drop':
      return `DROP ${change.entity.label};`;
    case 'alter':
      return `ALTER ${change.entity.label} ${change.to.alter};`;
  }
}

function createWords({ isEnsured = false }: { readonly isEnsured?: boolean }): string {
  return isEnsured ? 'CREATE IF NOT EXISTS' : 'CREATE';
}

/** What a resource has been given. */
export interface HeldResource {
  readonly next: number;
  /** In ascending order. */
  readonly completed: readonly number[];
}

/** A model that binds a resource, before and behind a rebinding. */
export interface Usage {
  readonly entity: Entity;
  readonly from: number;
  readonly to: number;
}

/** An entity that is there, and the value of each of its parts. */
interface Held {
  readonly entity: Entity;
  readonly values: ReadonlyMap<string, PartValue>;
}

/** What a domain holds, told as plainly as possible. */
export class DomainModel {
  exists = false;
  status: 'stopped' | 'running' = 'stopped';
  generation = 0;
  policy: PlacementPolicy = 'NEUTRAL';
  readonly resources = new Map<string, HeldResource>();
  /** Whether what runs may lie behind what is stored, so that the next change holds all. */
  isDoubtful = false;
  /** Whether a start that came to nothing may have counted, or not. */
  isGenerationOpen = false;
  readonly #held = new Map<string, Held>();
  /** Versions that clients mount, by their keys. */
  readonly #mounted = new Map<string, number>();

  get isBad(): boolean {
    return [...this.#held.values()].some(({ entity }) => entity.name.startsWith(BAD));
  }

  /** Whether it holds a node that every member runs, which cannot reach its relay from most. */
  get isListening(): boolean {
    return [...this.#held.values()].some(({ entity }) => entity.kind === 'ingestor');
  }

  /** The version that a resource is bound at if a statement says so; undefined where it cannot be. */
  versionOf(resource: string, wanted: WantedVersion): number | undefined {
    const completed = this.resources.get(resource)?.completed ?? [];
    return wanted === 'LATEST' ? completed.at(-1) : completed.find((each) => each === wanted);
  }

  /** The version that a client mounts. */
  mountedBy(entity: Entity): number | undefined {
    return this.#mounted.get(keyOf(entity));
  }

  /** What a rebinding would make of those who bind the resource, by name. */
  usages(resource: string, to: number): readonly Usage[] {
    const bound = [...this.#held.values()].filter(({ entity }) => entity.mounts === resource);
    const usages = bound.map(({ entity }) => ({ entity, from: this.mountedBy(entity) ?? 0, to }));
    return usages.sort((a, b) => (a.entity.name < b.entity.name ? -1 : 1));
  }

  /** A version of a resource has arrived everywhere, or has failed for good. */
  uploaded(resource: string, isComplete: boolean): void {
    const { next, completed } = this.resources.get(resource) ?? { next: 1, completed: [] };
    const all = isComplete ? [...completed, next] : completed;
    this.resources.set(resource, { next: next + 1, completed: all });
  }

  /** Everything that is there, as `kind name`, sorted. */
  get entities(): readonly string[] {
    return [...this.#held.keys()].sort();
  }

  /** Names of the relays, sorted. */
  get relays(): readonly string[] {
    return this.executables.flatMap((key) => (key.startsWith('relay ') ? [key.slice(6)] : []));
  }

  /** What a running domain consists of, as `kind name`, sorted. */
  get executables(): readonly string[] {
    const running = [...this.#held].filter(([, { entity }]) => entity.isExecutable);
    return running.map(([key]) => key).sort();
  }

  /** Equal for equal contents. */
  get digest(): string {
    const { exists, status, generation, policy, resources } = this;
    const held = [...this.#held].map(([key, { values }]) => {
      const mounted = String(this.#mounted.get(key) ?? '-');
      return [key, mounted, ...[...values].map(([part, { name }]) => `${part}=${name}`).sort()];
    });
    const versions = [...resources].map(([name, { completed }]) => [name, ...completed]).sort();
    return JSON.stringify([exists, status, generation, policy, versions, held.sort()]);
  }

  holds(entity: Entity): boolean {
    return this.#held.has(keyOf(entity));
  }

  valueOf(entity: Entity, part: Part): PartValue | undefined {
    return this.#held.get(keyOf(entity))?.values.get(part.name);
  }

  /** Texts that the canonical statement of an entity holds, and those that it does not. */
  shownBy(key: string): { readonly shown: readonly string[]; readonly hidden: readonly string[] } {
    const { entity, values } = this.#held.get(key) ?? { entity: undefined, values: new Map() };
    const shown = [...values.values()].flatMap(({ shows }) => shows ?? []);
    const all = (entity?.parts ?? []).flatMap((part) =>
      part.values.flatMap(({ shows }) => shows ?? []),
    );
    return { shown, hidden: all.filter((text) => !shown.includes(text)) };
  }

  /** Whether a change is possible as things stand, without regard to activation. */
  permits(change: Change): boolean {
    if (!this.exists) return change.op === 'create domain';
    switch (change.op) {
      case 'create domain':
        return false;
      case 'alter domain':
        return true;
      case 'start':
        return this.status === 'stopped';
      case 'stop':
        return this.status === 'running';
      case 'drop domain':
        return this.status === 'stopped' && (change.cascade || this.isEmpty);
      case 'declare':
        return change.isEnsured === true || !this.resources.has(change.resource);
      case 'create': {
        const { entity, isEnsured = false } = change;
        if (this.holds(entity)) return isEnsured;
        return this.missing(entity).length === 0;
      }
      case 'bind': {
        const { mounts = '' } = change.entity;
        return !this.holds(change.entity) && this.versionOf(mounts, change.to) !== undefined;
      }
      case 'rebind':
        return this.versionOf(change.resource, change.to) !== undefined;
      case 'drop':
        return this.holds(change.entity) && this.usersOf(change.entity).length === 0;
      case 'alter': {
        const { entity, part, to } = change;
        const now = this.valueOf(entity, part);
        const isOther = now !== undefined && (part.isStrict !== true || now.name !== to.name);
        return isOther && (to.uses ?? []).every((key) => this.#held.has(key));
      }
    }
  }

  /** Whether nothing keeps the domain from being dropped as it is. */
  get isEmpty(): boolean {
    const versions = [...this.resources.values()].some(({ next }) => next > 1);
    return this.#held.size === 0 && !versions;
  }

  /** What an entity needs and the domain does not hold, as `kind name`. */
  missing(entity: Entity): readonly string[] {
    return usesOf(entity, firstValues(entity)).filter((key) => !this.#held.has(key));
  }

  /** What refers to an entity. */
  usersOf(entity: Entity): readonly Entity[] {
    return [...this.#held.values()]
      .filter((each) => usesOf(each.entity, each.values).includes(keyOf(entity)))
      .map((user) => user.entity);
  }

  /** CP-94…96: the pause of a permitted change by itself, where nothing moves. */
  levelOf(change: Change): Level {
    if (this.status !== 'running') return 'DYNAMIC';
    if (this.#isEnsuredAlready(change)) return 'DYNAMIC';
    if (change.op === 'create' || change.op === 'drop') {
      return change.entity.isExecutable ? 'DOMAIN_PAUSE' : 'DYNAMIC';
    }
    if (change.op === 'rebind') {
      const usages = this.usages(change.resource, this.versionOf(change.resource, change.to) ?? 0);
      return usages.some(({ from, to }) => from !== to) ? 'DOMAIN_PAUSE' : 'DYNAMIC';
    }
    if (change.op !== 'alter') return 'DYNAMIC';
    return this.#isNoChange(change) ? 'DYNAMIC' : change.part.level;
  }

  /** Whether a change asks for what is there already. */
  #isEnsuredAlready(change: Change): boolean {
    if (change.op === 'declare')
      return change.isEnsured === true && this.resources.has(change.resource);
    return change.op === 'create' && change.isEnsured === true && this.holds(change.entity);
  }

  /** Makes a change, whatever its order among others asks for. */
  apply(change: Change): void {
    if (this.#isEnsuredAlready(change)) return;
    switch (change.op) {
      case 'drop domain':
        this.#clear();
        break;
      case 'create domain':
        this.exists = true;
        this.policy = change.policy;
        break;
      case 'alter domain':
        this.policy = change.policy;
        break;
      case 'start':
        this.status = 'running';
        this.generation += 1;
        break;
      case 'stop':
        this.status = 'stopped';
        this.isDoubtful = false;
        break;
      case 'declare':
        this.resources.set(change.resource, { next: 1, completed: [] });
        break;
      case 'bind': {
        const { entity, to } = change;
        this.#held.set(keyOf(entity), { entity, values: new Map() });
        this.#mounted.set(keyOf(entity), this.versionOf(entity.mounts ?? '', to) ?? 0);
        break;
      }
      case 'rebind': {
        const version = this.versionOf(change.resource, change.to) ?? 0;
        for (const { entity, to } of this.usages(change.resource, version)) {
          this.#mounted.set(keyOf(entity), to);
        }
        break;
      }
      case 'create': {
        const { entity } = change;
        this.#held.set(keyOf(entity), { entity, values: firstValues(entity) });
        break;
      }
      case 'drop':
        this.#held.delete(keyOf(change.entity));
        this.#mounted.delete(keyOf(change.entity));
        break;
      case 'alter': {
        const { entity, part, to } = change;
        const values = new Map(this.#held.get(keyOf(entity))?.values);
        this.#held.set(keyOf(entity), { entity, values: values.set(part.name, to) });
        break;
      }
    }
  }

  #clear(): void {
    this.exists = false;
    this.status = 'stopped';
    this.generation = 0;
    this.isDoubtful = false;
    this.isGenerationOpen = false;
    this.resources.clear();
    this.#held.clear();
    this.#mounted.clear();
  }

  /** What a change that is permitted comes to when it runs by itself. */
  verdict(change: Change): 'completed' | 'activation failed' {
    const next = this.copy();
    next.apply(change);
    const isActivated = next.status === 'running' && this.#isPartOfGraph(change);
    return isActivated && next.isBad ? 'activation failed' : 'completed';
  }

  /** Rules of placement are no part of what runs; what stays as it is has to run all the same. */
  #isPartOfGraph(change: Change): boolean {
    if (change.op === 'create domain' || change.op === 'alter domain') return false;
    if (change.op === 'declare' || change.op === 'drop domain') return false;
    const isRule = 'entity' in change && change.entity.kind === 'placement';
    const isAlready = change.op === 'alter' && this.#isNoChange(change);
    return !isRule || isAlready || this.#isEnsuredAlready(change);
  }

  #isNoChange({ entity, part, to }: Extract<Change, { op: 'alter' }>): boolean {
    return this.valueOf(entity, part)?.name === to.name;
  }

  copy(): DomainModel {
    const copy = new DomainModel();
    copy.exists = this.exists;
    copy.status = this.status;
    copy.generation = this.generation;
    copy.policy = this.policy;
    copy.isDoubtful = this.isDoubtful;
    for (const [name, held] of this.resources) copy.resources.set(name, held);
    for (const [key, version] of this.#mounted) copy.#mounted.set(key, version);
    for (const [key, held] of this.#held) copy.#held.set(key, held);
    return copy;
  }
}

function firstValues({ parts }: Entity): ReadonlyMap<string, PartValue> {
  return new Map(
    parts.flatMap(({ name, values: [first] }) => (first === undefined ? [] : [[name, first]])),
  );
}

function usesOf(entity: Entity, values: ReadonlyMap<string, PartValue>): readonly string[] {
  return [...entity.uses, ...[...values.values()].flatMap(({ uses = [] }) => uses)];
}
