import type { StateRecord } from './records.js';
import { type SecretRecord, secretKey } from './secret-records.js';

const NONE: readonly SecretRecord[] = [];

/** The secrets of all domains in memory, as the records about them say. */
export class SecretIndex {
  readonly #domains = new Map<string, Map<string, SecretRecord>>();
  /** Of each domain its secrets in order, made when somebody asks. */
  readonly #lists = new Map<string, readonly SecretRecord[]>();

  /** Takes the newest state of a record; those about anything else are none of its business. */
  put(record: StateRecord): void {
    if (record.kind !== 'secret') return;
    const { domain, name, key } = record;
    const known = this.#domains.get(domain) ?? new Map<string, SecretRecord>();
    this.#domains.set(domain, known.set(secretKey(domain, name, key), record));
    this.#lists.delete(domain);
  }

  remove(record: StateRecord): void {
    if (record.kind !== 'secret') return;
    const { domain, name, key } = record;
    const known = this.#domains.get(domain);
    known?.delete(secretKey(domain, name, key));
    if (known?.size === 0) this.#domains.delete(domain);
    this.#lists.delete(domain);
  }

  /** Whether no domain has any. */
  get isEmpty(): boolean {
    return this.#domains.size === 0;
  }

  /** The secrets of a domain, by name and key; one without a key comes first. */
  of(domain: string): readonly SecretRecord[] {
    const known = this.#domains.get(domain);
    if (known === undefined) return NONE;
    let list = this.#lists.get(domain);
    if (list === undefined) {
      list = [...known.values()].sort(
        (left, right) =>
          compareTexts(left.name, right.name) || compareTexts(left.key ?? '', right.key ?? ''),
      );
      this.#lists.set(domain, list);
    }
    return list;
  }
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
