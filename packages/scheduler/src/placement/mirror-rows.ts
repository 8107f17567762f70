import type { BitMatrix } from './bit-matrix.js';
import { type BitBlock, transposeBlock } from './transpose.js';

/**
 * Completes a square matrix, known from the diagonal on, to a symmetric one. Works on blocks of 32
 * rows, so the cost does not depend on how many bits are set.
 */
export function mirrorRows(matrix: BitMatrix): void {
  const block: BitBlock = new Uint32Array(32);
  for (let band = 0; band < matrix.words && matrix.rows > 0; band += 1) {
    for (let word = band; word < matrix.words; word += 1) {
      if (!readBlock(matrix, band, word, block)) continue;
      transposeBlock(block);
      writeBlock(matrix, band, word, block);
    }
  }
}

function readBlock(matrix: BitMatrix, band: number, word: number, block: BitBlock): boolean {
  let any = 0;
  for (let offset = 0; offset < 32; offset += 1) {
    const row = (band << 5) + offset;
    const bits = row < matrix.rows ? (matrix.bits[row * matrix.words + word] ?? 0) : 0;
    block[offset] = bits;
    any |= bits;
  }
  return any !== 0;
}

function writeBlock(matrix: BitMatrix, band: number, word: number, block: BitBlock): void {
  for (let offset = 0; offset < 32; offset += 1) {
    const row = (word << 5) + offset;
    if (row >= matrix.rows) return;
    const index = row * matrix.words + band;
    // On the diagonal the bits from the row's own on are there already.
    const lower = band === word ? (1 << offset) - 1 : -1;
    matrix.bits[index] = ((matrix.bits[index] ?? 0) & ~lower) | ((block[offset] ?? 0) & lower);
  }
}
