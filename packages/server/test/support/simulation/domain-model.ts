/** A statement that changes a domain. */
export type Change =
  | { readonly op: 'create domain' }
  | { readonly op: 'start' | 'stop' }
  | { readonly op: 'create schema' | 'drop schema' | 'drop relay'; readonly name: string }
  | { readonly op: 'create relay'; readonly name: string; readonly schema: string };

/** Plans with a relay whose name starts so are refused by the data plane of the simulation. */
export const BAD = 'bad';

export function textOf(change: Change, domain: string): string {
  switch (change.op) {
    case 'create domain':
      return `CREATE DOMAIN ${domain};`;
    case 'start':
    case 'stop':
      return `${change.op.toUpperCase()};`;
    case 'create schema':
      return `CREATE SCHEMA ${change.name} (id I64);`;
    case 'create relay':
      return `CREATE RELAY ${change.name} SCHEMA ${change.schema} UNBRANCHED CAPACITY 8;`;
    default:
      return `${change.op.toUpperCase()} ${change.name};`;
  }
}

/** What a domain holds, told as plainly as possible. */
export class DomainModel {
  exists = false;
  status: 'stopped' | 'running' = 'stopped';
  generation = 0;
  readonly schemas = new Set<string>();
  /** Schema of each relay. */
  readonly relays = new Map<string, string>();

  get isBad(): boolean {
    return [...this.relays.keys()].some((name) => name.startsWith(BAD));
  }

  /** Equal for equal contents. */
  get digest(): string {
    const { exists, status, generation } = this;
    const relays = [...this.relays].map((each) => each.join('/')).sort();
    return JSON.stringify([exists, status, generation, [...this.schemas].sort(), relays]);
  }

  /** Whether a change is possible as things stand, without regard to activation. */
  permits(change: Change): boolean {
    if (!this.exists) return change.op === 'create domain';
    switch (change.op) {
      case 'create domain':
        return false;
      case 'start':
        return this.status === 'stopped';
      case 'stop':
        return this.status === 'running';
      case 'create schema':
        return !this.schemas.has(change.name);
      case 'drop schema':
        return this.schemas.has(change.name) && ![...this.relays.values()].includes(change.name);
      case 'create relay':
        return !this.relays.has(change.name) && this.schemas.has(change.schema);
      case 'drop relay':
        return this.relays.has(change.name);
    }
  }

  /** Makes a change, whatever its order among others asks for. */
  apply(change: Change): void {
    switch (change.op) {
      case 'create domain':
        this.exists = true;
        break;
      case 'start':
        this.status = 'running';
        this.generation += 1;
        break;
      case 'stop':
        this.status = 'stopped';
        break;
      case 'create schema':
        this.schemas.add(change.name);
        break;
      case 'drop schema':
        this.schemas.delete(change.name);
        break;
      case 'create relay':
        this.relays.set(change.name, change.schema);
        break;
      case 'drop relay':
        this.relays.delete(change.name);
        break;
    }
  }

  /** What a change that is permitted comes to when it runs by itself. */
  verdict(change: Change): 'completed' | 'activation failed' {
    const next = this.copy();
    next.apply(change);
    const isActivated = next.status === 'running' && change.op !== 'create domain';
    return isActivated && next.isBad ? 'activation failed' : 'completed';
  }

  copy(): DomainModel {
    const copy = new DomainModel();
    copy.exists = this.exists;
    copy.status = this.status;
    copy.generation = this.generation;
    for (const name of this.schemas) copy.schemas.add(name);
    for (const [name, schema] of this.relays) copy.relays.set(name, schema);
    return copy;
  }
}
