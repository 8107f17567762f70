/** Edits that may stand between a name and the one that was meant: short names become others easily. */
function toleranceOf(name: string): number {
  if (name.length < 4) return 1;
  return name.length < 8 ? 2 : 3;
}

/**
 * The candidate that a mistyped name is nearest to, if exactly one is near enough.
 *
 * @returns the candidate in its own spelling
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const written = name.toLowerCase();
  let nearest: string | undefined;
  let least = toleranceOf(written);
  let isTied = false;
  for (const candidate of candidates) {
    const edits = editDistance(written, candidate.toLowerCase(), least);
    // A name of which no letter stands is another name.
    if (edits > least || edits >= written.length) continue;
    // One word in two spellings, such as a function and an aggregate, is no tie: the later counts.
    const isSame = nearest?.toLowerCase() === candidate.toLowerCase();
    if (!isSame) isTied = nearest !== undefined && edits === least;
    if (!isTied) nearest = candidate;
    least = edits;
  }
  return isTied ? undefined : nearest;
}

/**
 * Edits between two words, neighbours exchanged counting as one (optimal string alignment); stops
 * counting beyond `limit`.
 */
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let before: readonly number[] = [];
  let above: readonly number[] = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const at = (line: readonly number[], index: number): number => line[index] ?? limit + 1;
      let least = Math.min(
        at(above, column) + 1,
        at(current, column - 1) + 1,
        at(above, column - 1) + (isSame ? 0 : 1),
      );
      const isExchanged =
        left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && isExchanged) {
        least = Math.min(least, at(before, column - 2) + 1);
      }
      current.push(least);
    }
    before = above;
    above = current;
  }
  return above[right.length] ?? limit + 1;
}
