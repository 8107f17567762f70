const encoder = new TextEncoder();
const ROW_START = encoder.encode('{"row":');
const ROW_END = encoder.encode('}\n');
const LINE_FEED = 0x0a;

/**
 * Turns lines of one JSON row each into lines of one stream record each.
 *
 * @param lines rows, every one ended by a line feed
 * @param branchKey JSON object of the rows' branch key, or null on unbranched relays
 */
export function rowRecords(
  lines: Uint8Array,
  rowCount: number,
  branchKey: string | null,
): Uint8Array {
  const end = branchKey === null ? ROW_END : encoder.encode(`,"key":${branchKey}}\n`);
  // Each row gains a start and an end and loses its own line feed.
  const output = new Uint8Array(lines.length + rowCount * (ROW_START.length + end.length));
  let written = 0;
  let start = 0;
  for (;;) {
    const feed = lines.indexOf(LINE_FEED, start);
    if (feed < 0) break;
    output.set(ROW_START, written);
    written += ROW_START.length;
    output.set(lines.subarray(start, feed), written);
    written += feed - start;
    output.set(end, written);
    written += end.length;
    start = feed + 1;
  }
  return output.subarray(0, written);
}

/** One stream record that is no row. */
export function recordLine(record: object): Uint8Array {
  return encoder.encode(`${JSON.stringify(record)}\n`);
}
