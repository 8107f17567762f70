/** Prints one JSON log line as text: time, level, message, then `name=value` fields. */
export function printTextRecord(line: string): string {
  const { time, level, message, stack, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const parts = [String(time), String(level).toUpperCase().padEnd(5), visible(message)];
  for (const [name, value] of Object.entries(fields)) {
    parts.push(`${visible(name)}=${printValue(value)}`);
  }
  const trace = typeof stack === 'string' ? stack.split('\n').map(traceLine).join('') : '';
  return `${parts.join(' ')}${trace}\n`;
}

/** A stack holds the error's message: its lines must not look like records either. */
function traceLine(line: string): string {
  return `\n    ${visible(line.trim())}`;
}

function printValue(value: unknown): string {
  if (typeof value === 'object') return visible(JSON.stringify(value));
  const text = String(value);
  return /^[^\s"=]+$/.test(text) ? visible(text) : visible(JSON.stringify(text));
}

/** A message may quote user text: what breaks a line or drives a terminal is spelled out. */
function visible(text: unknown): string {
  return String(text ?? '').replace(
    /[\p{Cc}\p{Zl}\p{Zp}]/gu,
    (character) => escapes[character] ?? codePoint(character),
  );
}

const escapes: Readonly<Record<string, string>> = { '\r': '\\r', '\n': '\\n', '\t': '\\t' };

function codePoint(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
