// The reference of the workload dedup-window: the loop that one writes by hand. It stands alone, so that a
// process which runs it loads nothing else.
const WINDOW_ROWS = 1000;
const MINUTE_MS = 60_000;

export function loop(blocks) {
  const seen = new Map();
  const windows = new Map();
  const made = [];
  for (const block of blocks) {
    const text = block.toString();
    for (let start = 0; start < text.length; ) {
      const end = text.indexOf('\n', start);
      const { key, tenant, marker, amount, ts } = JSON.parse(text.slice(start, end));
      start = end + 1;
      if (marker === 'grey') continue;
      const at = Date.parse(ts);
      const last = seen.get(key);
      if (last !== undefined && at - last < MINUTE_MS) continue;
      seen.set(key, at);
      let window = windows.get(tenant);
      if (window === undefined) {
        window = { rows: 0, sum: 0, min: Infinity, max: -Infinity };
        windows.set(tenant, window);
      }
      window.rows += 1;
      window.sum += amount;
      if (amount < window.min) window.min = amount;
      if (amount > window.max) window.max = amount;
      if (window.rows < WINDOW_ROWS) continue;
      made.push({ tenant, ...window, avg: window.sum / window.rows });
      windows.delete(tenant);
    }
  }
  return made;
}
