/** Rows of bits of equal width. */
export interface BitMatrix {
  readonly rows: number;
  /** Columns; the bits beyond in the last word of a row are zero. */
  readonly columns: number;
  /** 32-bit words a row. */
  readonly words: number;
  /** All rows, one after the other; column `c` of row `r` is bit `c & 31` of its word `c >> 5`. */
  readonly bits: Uint32Array;
}

/** A matrix of zeros. */
export function bitMatrix(rows: number, columns: number): BitMatrix {
  const words = (columns + 31) >>> 5;
  return { rows, columns, words, bits: new Uint32Array(rows * words) };
}

export function hasBit(matrix: BitMatrix, row: number, column: number): boolean {
  const word = matrix.bits[row * matrix.words + (column >>> 5)] ?? 0;
  return ((word >>> (column & 31)) & 1) === 1;
}

export function setBit(matrix: BitMatrix, row: number, column: number): void {
  const index = row * matrix.words + (column >>> 5);
  matrix.bits[index] = (matrix.bits[index] ?? 0) | (1 << (column & 31));
}

/** A row as a set of its own; changes of one are changes of the other. */
export function matrixRow({ bits, words }: BitMatrix, row: number): Uint32Array {
  return bits.subarray(row * words, (row + 1) * words);
}

/** Visits the set columns of a row, ascending. */
export function visitRow(matrix: BitMatrix, row: number, visit: (column: number) => void): void {
  const start = row * matrix.words;
  for (let word = 0; word < matrix.words; word += 1) {
    let rest = matrix.bits[start + word] ?? 0;
    while (rest !== 0) {
      visit((word << 5) + 31 - Math.clz32(rest & -rest));
      rest &= rest - 1;
    }
  }
}
