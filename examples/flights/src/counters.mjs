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
  const filtered = (target, stage) =>
    seriesValue(text, 'nervix_messages_filtered_total', { target, stage });
  return {
    delivered: seriesValue(text, 'nervix_messages_total', {
      target: 'once',
      direction: 'sent',
      relay: 'unique_flights',
    }),
    duplicates: filtered('once', 'duplicate'),
    shortHops: filtered('flights_in', 'filter_where'),
  };
}
