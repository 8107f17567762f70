const LINE_FEED = 10;
const prefix = new TextEncoder().encode('data: ');

/** Turns complete NDJSON lines into server-sent events, one a line, without touching their bytes. */
export function toServerSentEvents(lines: Uint8Array): Uint8Array {
  let count = 0;
  for (const byte of lines) if (byte === LINE_FEED) count += 1;
  const events = new Uint8Array(lines.length + count * (prefix.length + 1));
  let read = 0;
  let written = 0;
  while (read < lines.length) {
    const end = lines.indexOf(LINE_FEED, read);
    const line = lines.subarray(read, end === -1 ? lines.length : end + 1);
    events.set(prefix, written);
    events.set(line, written + prefix.length);
    written += prefix.length + line.length;
    events[written] = LINE_FEED;
    written += 1;
    read += line.length;
  }
  return events.subarray(0, written);
}
