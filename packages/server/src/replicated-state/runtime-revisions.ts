import type { DomainRecord, StateRecord } from './records.js';

/** What one publication made readable. */
export interface Publication {
  readonly revision: number;
  /** Domains of which something that nodes run has changed. */
  readonly domains: ReadonlySet<string>;
}

/**
 * At which revision what nodes run of each domain changed last: its models, its schedule, whether it
 * runs and since which start. Transactions, resource catalogs and marks on a domain move nothing.
 */
export class RuntimeRevisions {
  readonly #byDomain = new Map<string, number>();
  #changed = new Set<string>();

  /** @param former what stood under the key of the record before */
  put(record: StateRecord, revision: number, former: StateRecord | undefined): void {
    switch (record.kind) {
      case 'model':
      case 'assignment':
      case 'schedule':
        this.#move(record.domain, revision);
        break;
      case 'domain':
        if (former?.kind !== 'domain' || !runsAlike(former, record)) {
          this.#move(record.name, revision);
        }
        break;
      default:
    }
  }

  remove(record: StateRecord, revision: number): void {
    switch (record.kind) {
      case 'model':
      case 'assignment':
      case 'schedule':
        // Of a domain that is removed with them nothing remains.
        if (this.#byDomain.has(record.domain)) this.#move(record.domain, revision);
        break;
      case 'domain':
        this.#byDomain.delete(record.name);
        this.#changed.add(record.name);
        break;
      default:
    }
  }

  /** Undefined of a domain that does not exist. */
  of(domain: string): number | undefined {
    return this.#byDomain.get(domain);
  }

  /** Domains that changed since they were last asked for. */
  takeChanged(): ReadonlySet<string> {
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  #move(domain: string, revision: number): void {
    this.#byDomain.set(domain, Math.max(revision, this.#byDomain.get(domain) ?? revision));
    this.#changed.add(domain);
  }
}

function runsAlike(left: DomainRecord, right: DomainRecord): boolean {
  return left.status === right.status && left.generation === right.generation;
}
