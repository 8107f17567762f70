import type { PlacementPolicy } from '@nervix/model';
import { BAD, type Entity, keyOf, type Level, type Part, type PartValue } from './catalogue.ts';

/** A statement that changes a domain. */
export type Change =
  | { readonly op: 'create domain'; readonly policy: PlacementPolicy }
  | { readonly op: 'alter domain'; readonly policy: PlacementPolicy }
  | { readonly op: 'start' | 'stop' }
  | { readonly op: 'declare'; readonly resource: string }
  | { readonly op: 'create' | 'drop'; readonly entity: Entity }
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
    case 'declare':
      return `CREATE RESOURCE ${change.resource};`;
    case 'create':
      return change.entity.create.replaceAll(/\s+/gu, ' ');
    case 'drop':
      return `DROP ${change.entity.label};`;
    case 'alter':
      return `ALTER ${change.entity.label} ${change.to.alter};`;
  }
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
  readonly resources = new Set<string>();
  /** Whether what runs may lie behind what is stored, so that the next change holds all. */
  isDoubtful = false;
  readonly #held = new Map<string, Held>();

  get isBad(): boolean {
    return [...this.#held.values()].some(({ entity }) => entity.name.startsWith(BAD));
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
      return [key, ...[...values].map(([part, { name }]) => `${part}=${name}`).sort()];
    });
    return JSON.stringify([exists, status, generation, policy, [...resources].sort(), held.sort()]);
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
      case 'declare':
        return !this.resources.has(change.resource);
      case 'create': {
        const { entity } = change;
        const uses = usesOf(entity, firstValues(entity));
        return !this.holds(entity) && uses.every((key) => this.#held.has(key));
      }
      case 'drop':
        return this.holds(change.entity) && !this.#isUsed(keyOf(change.entity));
      case 'alter': {
        const { entity, part, to } = change;
        const now = this.valueOf(entity, part);
        const isOther = now !== undefined && (part.isStrict !== true || now.name !== to.name);
        return isOther && (to.uses ?? []).every((key) => this.#held.has(key));
      }
    }
  }

  #isUsed(key: string): boolean {
    return [...this.#held.values()].some(({ entity, values }) =>
      usesOf(entity, values).includes(key),
    );
  }

  /** CP-94…96: the pause of a permitted change by itself, where nothing moves. */
  levelOf(change: Change): Level {
    if (this.status !== 'running') return 'DYNAMIC';
    if (change.op === 'create' || change.op === 'drop') {
      return change.entity.isExecutable ? 'DOMAIN_PAUSE' : 'DYNAMIC';
    }
    if (change.op !== 'alter') return 'DYNAMIC';
    return this.#isNoChange(change) ? 'DYNAMIC' : change.part.level;
  }

  /** Makes a change, whatever its order among others asks for. */
  apply(change: Change): void {
    switch (change.op) {
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
        this.resources.add(change.resource);
        break;
      case 'create': {
        const { entity } = change;
        this.#held.set(keyOf(entity), { entity, values: firstValues(entity) });
        break;
      }
      case 'drop':
        this.#held.delete(keyOf(change.entity));
        break;
      case 'alter': {
        const { entity, part, to } = change;
        const values = new Map(this.#held.get(keyOf(entity))?.values);
        this.#held.set(keyOf(entity), { entity, values: values.set(part.name, to) });
        break;
      }
    }
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
    if (change.op === 'declare') return false;
    const isRule = 'entity' in change && change.entity.kind === 'placement';
    return !isRule || (change.op === 'alter' && this.#isNoChange(change));
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
    for (const resource of this.resources) copy.resources.add(resource);
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
