import { compareNames } from '../domain-models.js';
import { orderedList } from './ordered-list.js';
import { SharedTable } from './shared-table.js';

/** Which members come to and go from a term. */
interface TermChange {
  readonly added: string[];
  readonly removed: Set<string>;
}

/** Collects what changes of an index. */
export class IndexChanges {
  readonly #terms = new Map<string, TermChange>();

  /** Moves a member from the terms that it had to those that it has; neither list repeats any. */
  move(member: string, before: readonly string[], after: readonly string[]): void {
    if (before === after) return;
    for (const term of before) if (!after.includes(term)) this.#term(term).removed.add(member);
    for (const term of after) if (!before.includes(term)) this.#term(term).added.push(member);
  }

  /** Terms whose members differ. */
  terms(): IterableIterator<[string, TermChange]> {
    return this.#terms.entries();
  }

  #term(term: string): TermChange {
    const known = this.#terms.get(term);
    if (known !== undefined) return known;
    const change = { added: [], removed: new Set<string>() };
    this.#terms.set(term, change);
    return change;
  }
}

/** Members by the terms that each of them has. Never changed; versions share what is the same. */
export class InvertedIndex {
  static readonly EMPTY: InvertedIndex = new InvertedIndex(SharedTable.of<readonly string[]>([]));

  readonly #members: SharedTable<readonly string[]>;

  private constructor(members: SharedTable<readonly string[]>) {
    this.#members = members;
  }

  /** The members that have a term, in code-unit order. */
  membersOf(term: string): readonly string[] {
    return this.#members.get(term) ?? [];
  }

  with(changes: IndexChanges): InvertedIndex {
    const lists = new Map<string, readonly string[] | undefined>();
    for (const [term, change] of changes.terms()) {
      const { removed, added } = change;
      const list = orderedList(this.membersOf(term), removed, added, compareNames);
      lists.set(term, list.length === 0 ? undefined : list);
    }
    return lists.size === 0 ? this : new InvertedIndex(this.#members.with(lists));
  }
}
