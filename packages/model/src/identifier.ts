/** Longest accepted name, in bytes. */
export const NAME_LENGTH_MAX = 128;

const NAME_CHARACTERS = /^[A-Za-z0-9_~.-]$/;

/**
 * Checks a statement-level name and gives the reason it is refused.
 *
 * @param name the name as written
 * @param allowDot false for domain names, which may not contain `.`
 * @returns the reason, or undefined when the name is acceptable
 */
export function nameDefect(name: string, allowDot = true): string | undefined {
  if (name.length === 0) return 'name must not be empty';
  if (name.length > NAME_LENGTH_MAX) {
    return `name length ${name.length} exceeds max length ${NAME_LENGTH_MAX}`;
  }
  for (const character of name) {
    if (!NAME_CHARACTERS.test(character)) return `invalid character '${character}' in name`;
    if (character === '.' && !allowDot) return "dot '.' is not allowed";
  }
  return undefined;
}

/** Names are case-insensitive: this is the form in which they are stored and compared. */
export function canonicalName(name: string): string {
  return name.toLowerCase();
}
