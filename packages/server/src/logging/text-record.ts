/** Prints one JSON log line as text: time, level, message, then `name=value` fields. */
export function printTextRecord(line: string): string {
  const { time, level, message, stack, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const parts = [String(time), String(level).toUpperCase().padEnd(5), oneLine(message)];
  for (const [name, value] of Object.entries(fields)) parts.push(`${name}=${printValue(value)}`);
  const trace = typeof stack === 'string' ? `\n${stack}` : '';
  return `${parts.join(' ')}${trace}\n`;
}

function printValue(value: unknown): string {
  const text = String(value);
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
}

/** A message may quote user text: line breaks in it must not look like records. */
function oneLine(message: unknown): string {
  return String(message ?? '')
    .replaceAll('\r', '\\r')
    .replaceAll('\n', '\\n');
}
