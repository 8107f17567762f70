/** Longest part that engines copy out of a text anyway, instead of pointing into it. */
const COPIED_LENGTH_MAX = 12;

/**
 * A copy of a part of a text, to be kept for longer than the text: what a host cuts out of a string
 * points into it, so that a name of thirty characters would hold a script of megabytes in memory.
 */
export function partOf(text: string, start: number, end: number): string {
  const part = text.slice(start, end);
  if (part.length <= COPIED_LENGTH_MAX) return part;
  // Joining writes all characters anew; a sum would point at both sides.
  return [part.slice(0, -1), part.slice(-1)].join('');
}
