import { finish, type Steps } from '../steps.js';
import { type BitMatrix, bitMatrix } from './bit-matrix.js';

const BANDS_A_STEP = 4;

/** A square of 32 rows of one word. */
export type BitBlock = Uint32Array<ArrayBuffer>;

/** The matrix with rows and columns exchanged, block by block. */
export function transposed(matrix: BitMatrix): BitMatrix {
  return finish(transposeSteps(matrix));
}

/** The work of {@link transposed}. */
export function* transposeSteps(matrix: BitMatrix): Steps<BitMatrix> {
  const result = bitMatrix(matrix.columns, matrix.rows);
  const block: BitBlock = new Uint32Array(32);
  for (let band = 0; band < result.words; band += 1) {
    if (band % BANDS_A_STEP === BANDS_A_STEP - 1) yield;
    for (let word = 0; word < matrix.words; word += 1) {
      if (!readBlock(matrix, band, word, block)) continue;
      transposeBlock(block);
      const rows = Math.min(32, matrix.columns - (word << 5));
      for (let row = 0; row < rows; row += 1) {
        result.bits[((word << 5) + row) * result.words + band] = block[row] ?? 0;
      }
    }
  }
  return result;
}

/** Reads 32 rows of one word; false when nothing is set in them. */
function readBlock(matrix: BitMatrix, band: number, word: number, block: BitBlock): boolean {
  let any = 0;
  const rows = Math.min(32, matrix.rows - (band << 5));
  for (let row = 0; row < 32; row += 1) {
    const value = row < rows ? (matrix.bits[((band << 5) + row) * matrix.words + word] ?? 0) : 0;
    block[row] = value;
    any |= value;
  }
  return any !== 0;
}

/** Exchanges rows and columns by swapping ever smaller quarters (Hacker's Delight, section 7-3). */
export function transposeBlock(block: BitBlock): void {
  let mask = 0x0000ffff;
  for (let size = 16; size !== 0; size >>>= 1, mask ^= mask << size) {
    for (let row = 0; row < 32; row = (row + size + 1) & ~size) {
      const upper = block[row] ?? 0;
      const lower = block[row + size] ?? 0;
      const swapped = ((upper >>> size) ^ lower) & mask;
      block[row] = upper ^ (swapped << size);
      block[row + size] = lower ^ swapped;
    }
  }
}
