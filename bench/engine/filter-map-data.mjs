/** Words of the values; some of them hold the letter that the filter looks for. */
const WORDS = [
  'amber',
  'fox',
  'delta',
  'river',
  'mixed',
  'stone',
  'cloud',
  'paper',
  'lamp',
  'onward',
];

/**
 * Records `{id, key, value, amount, ts}` of about 190 bytes. Of the values, 6 % hold raw characters
 * outside ASCII and 6 % hold JSON escapes.
 */
export function filterMapRecord(number) {
  const random = (number * 2_654_435_761) % 4_294_967_296;
  const length = 64 + (random % 65);
  let value = '';
  for (let at = number; value.length < length; at += 1) value += `${WORDS[(at * 7) % 10]} `;
  // Half of the records must not hold the letter anywhere.
  if (number % 2 === 0) value = value.replaceAll('x', 'z');
  value = value.slice(0, length);
  if (number % 17 === 3) value = `${value.slice(0, -8)}été żółw`;
  else if (number % 17 === 9) value = `${value.slice(0, -6)}"a"\tb\n`;
  return {
    id: 1_000_000_000 + number * 7919,
    key: `customer-${String(number % 977).padStart(4, '0')}`,
    value,
    amount: random % 1000,
    ts: new Date(1_893_456_000_000 + number * 1000).toISOString(),
  };
}

/** The same records as lines, `count` of them. */
export function filterMapLines(count) {
  const lines = [];
  for (let number = 0; number < count; number += 1) {
    lines.push(`${JSON.stringify(filterMapRecord(number))}\n`);
  }
  return Buffer.from(lines.join(''));
}
