const BLOCK_BYTES = 128 * 1024;
const LINE_FEED = 10;

/** Blocks of a body that end with a line, of about 128 KiB. */
export function blocksOf(body) {
  const blocks = [];
  for (let start = 0; start < body.length; ) {
    const lineEnd = body.indexOf(LINE_FEED, Math.min(start + BLOCK_BYTES, body.length - 1));
    const end = lineEnd < 0 ? body.length : lineEnd + 1;
    blocks.push(body.subarray(start, end));
    start = end;
  }
  return blocks;
}
