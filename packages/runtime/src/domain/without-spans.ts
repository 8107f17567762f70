/** Plain data without the places in texts that its expressions carry. */
export function withoutSpans(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(withoutSpans);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'span')
      .map(([name, part]) => [name, withoutSpans(part)]),
  );
}
