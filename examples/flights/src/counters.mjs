// Reads the node's own counters, as any Prometheus would.

/** Value of the first series whose line holds every given label. */
function seriesValue(text, name, labels) {
  for (const line of text.split('\n')) {
    if (!line.startsWith(`${name}{`)) continue;
    const matches = Object.entries(labels).every(([key, value]) =>
      line.includes(`${key}="${value}"`),
    );
    if (matches) return Number(line.slice(line.lastIndexOf(' ') + 1));
  }
  return 0;
}

/** What the graph has done with the records so far. */
export async function readCounters(observability) {
  const text = await (await fetch(`${observability}/metrics`)).text();
  const messages = (target, direction, relay) =>
    seriesValue(text, 'nervix_messages_total', { target, direction, relay });
  const deduplicated = messages('once', 'received', 'flights');
  return {
    dispatched: messages('flights_in', 'sent', 'flights'),
    delivered: messages('once', 'sent', 'unique_flights'),
    duplicates: deduplicated - messages('once', 'sent', 'unique_flights'),
    undecodable: seriesValue(text, 'nervix_ingestor_decode_errors_total', {
      ingestor: 'flights_in',
    }),
  };
}
