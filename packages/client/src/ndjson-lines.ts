/**
 * Cuts a byte stream into its lines, leaving blank lines out. Reads on only when asked for the next
 * line, so that a slow reader slows the sender down.
 */
export async function* ndjsonLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = body.getReader();
  let pending = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      pending += decoder.decode(value, { stream: true });
      let from = 0;
      for (;;) {
        const end = pending.indexOf('\n', from);
        if (end < 0) break;
        const line = pending.slice(from, end).trim();
        from = end + 1;
        if (line !== '') yield line;
      }
      pending = pending.slice(from);
    }
    // A last line without its line feed was cut off and is no record.
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
