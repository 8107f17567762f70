/** How many letters a name may be off and still be taken for another one. */
const DISTANCE_MAX = 2;

/**
 * The known name that was probably meant by an unknown one, if any is near: the same letters in
 * another case, or at most two letters put in, left out or exchanged.
 */
export function nearestName(unknown: string, known: readonly string[]): string | undefined {
  const wanted = unknown.toLowerCase();
  let nearest: string | undefined;
  let least = Math.min(DISTANCE_MAX, Math.floor(wanted.length / 2)) + 1;
  for (const name of known) {
    const distance = editDistance(wanted, name.toLowerCase());
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}

/** Levenshtein's distance, row by row. Source: Wagner and Fischer, 1974. */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (const [above, letter] of [...left].entries()) {
    const next = [above + 1];
    for (const [at, other] of [...right].entries()) {
      const replaced = (row[at] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
