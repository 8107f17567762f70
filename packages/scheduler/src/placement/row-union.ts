import type { BitMatrix } from './bit-matrix.js';
import type { NodeSet } from './reach-sets.js';

/**
 * Writes the union of some rows of a matrix. Four rows are read a turn, because loading and storing
 * the union would otherwise cost more than the rows themselves.
 *
 * @param rows not empty
 * @param union as wide as the matrix; what it held is lost
 */
export function uniteRows(
  { bits, words }: BitMatrix,
  rows: readonly number[],
  union: NodeSet,
): void {
  for (let at = 0; at < rows.length; at += 4) {
    const last = rows[at] ?? 0;
    const one = last * words;
    const two = (rows[at + 1] ?? last) * words;
    const three = (rows[at + 2] ?? last) * words;
    const four = (rows[at + 3] ?? last) * words;
    const isFirst = at === 0;
    for (let word = 0; word < words; word += 1) {
      const found =
        (bits[one + word] ?? 0) |
        (bits[two + word] ?? 0) |
        (bits[three + word] ?? 0) |
        (bits[four + word] ?? 0);
      union[word] = isFirst ? found : (union[word] ?? 0) | found;
    }
  }
}
