import { type Catalog, type Completion, completeAt } from '../../src/index.ts';

/** Completes at `|` in a text. */
export function completion(marked: string, catalog?: Catalog): Completion {
  const cursor = marked.indexOf('|');
  const text = marked.slice(0, cursor) + marked.slice(cursor + 1);
  return completeAt(text, Buffer.byteLength(marked.slice(0, cursor)), catalog);
}

/** Labels of the items offered at `|`. */
export function labels(marked: string, catalog?: Catalog): readonly string[] {
  return completion(marked, catalog).items.map(({ label }) => label);
}

/** Text that would be replaced at `|`. */
export function replaced(marked: string): string {
  const { start, end } = completion(marked).replace;
  return Buffer.from(marked.replace('|', '')).subarray(start, end).toString();
}
