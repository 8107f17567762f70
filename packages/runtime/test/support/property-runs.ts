/** Cases that the long mode asks of each property. */
const LONG_RUNS = process.env['PROP_RUNS'];

/**
 * Cases that a property tries: as many as usual, or as `PROP_RUNS` says, which the parts of a table
 * divide among them.
 *
 * @param usual cases of each part
 */
export function propertyRuns(usual: number, parts = 1): number {
  return LONG_RUNS === undefined ? usual : Math.ceil(Number(LONG_RUNS) / parts);
}
