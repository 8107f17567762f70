import type { BitMatrix } from './bit-matrix.js';
import type { ClaimClasses } from './claim-classes.js';
import { type BitBlock, transposeBlock } from './transpose.js';

/**
 * Completes rows that are right only above the smallest member of their class: the pair of that
 * member with a lower node stands in the row of the lower node's class. Works on squares of 32
 * nodes, so the cost does not depend on how many pairs there are.
 */
export function mirrorRows(matrix: BitMatrix, classes: ClaimClasses): void {
  if (matrix.rows === 0) return;
  const block: BitBlock = new Uint32Array(32);
  for (const word of wordsOfFirsts(classes)) {
    for (let band = 0; band <= word; band += 1) {
      const square = { band, word, block };
      if (!readSquare(matrix, classes, square)) continue;
      transposeBlock(block);
      writeSquare(matrix, classes, square);
    }
  }
}

/** Words with smallest members of classes, which alone have rows to complete; ascending. */
function wordsOfFirsts({ members: { starts, targets } }: ClaimClasses): ReadonlySet<number> {
  const words = new Set<number>();
  for (const start of starts.subarray(0, -1)) words.add((targets[start] ?? 0) >>> 5);
  return words;
}

interface Square {
  readonly band: number;
  readonly word: number;
  readonly block: BitBlock;
}

function readSquare(
  matrix: BitMatrix,
  { classOf }: ClaimClasses,
  { band, word, block }: Square,
): boolean {
  let any = 0;
  for (let offset = 0; offset < 32; offset += 1) {
    const row = classOf[(band << 5) + offset] ?? -1;
    const bits = row < 0 ? 0 : (matrix.bits[row * matrix.words + word] ?? 0);
    block[offset] = bits;
    any |= bits;
  }
  return any !== 0;
}

function writeSquare(
  matrix: BitMatrix,
  { classOf, members }: ClaimClasses,
  { band, word, block }: Square,
): void {
  for (let offset = 0; offset < 32; offset += 1) {
    const node = (word << 5) + offset;
    const row = classOf[node] ?? -1;
    if (row < 0 || members.targets[members.starts[row] ?? 0] !== node) continue;
    const index = row * matrix.words + band;
    // On the diagonal the bits from the node on are its own already.
    const lower = band === word ? (1 << offset) - 1 : -1;
    matrix.bits[index] = ((matrix.bits[index] ?? 0) & ~lower) | ((block[offset] ?? 0) & lower);
  }
}
