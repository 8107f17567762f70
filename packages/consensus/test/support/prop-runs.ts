/** How often a property runs: as many times as `PROP_RUNS` says, else the given number. */
export function propRuns(standard: number): number {
  const wanted = Number(process.env.PROP_RUNS);
  return Number.isSafeInteger(wanted) && wanted > 0 ? wanted : standard;
}
