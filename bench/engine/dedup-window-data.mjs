/** Keys of a cycle; each comes twice, 15 s apart, and cycles begin 90 s apart. */
const KEYS = 1024;
const COPY_MS = 15_000;
const CYCLE_MS = 90_000;
const TENANTS = 16;
const MARKERS = ['red', 'green', 'blue', 'grey'];
const START_MS = 1_893_456_000_000;

/** Record `{key, tenant, marker, amount, ts}` of about 110 bytes. */
export function dedupWindowRecord(number) {
  const cycle = Math.floor(number / (KEYS * 2));
  const copy = Math.floor(number / KEYS) % 2;
  const key = number % KEYS;
  return {
    key: `customer-${String((key * 7919) % KEYS).padStart(4, '0')}`,
    tenant: `tenant-${String((key * 31 + cycle) % TENANTS).padStart(2, '0')}`,
    marker: MARKERS[(key * 13 + cycle * 7) % MARKERS.length],
    amount: (number * 2_654_435_761) % 100_003,
    ts: new Date(START_MS + cycle * CYCLE_MS + copy * COPY_MS).toISOString(),
  };
}

/** The records as lines, `count` of them. */
export function dedupWindowLines(count) {
  const lines = [];
  for (let number = 0; number < count; number += 1) {
    lines.push(`${JSON.stringify(dedupWindowRecord(number))}\n`);
  }
  return Buffer.from(lines.join(''));
}
