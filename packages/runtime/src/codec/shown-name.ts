/** Characters that diagnostics show of a name which a payload brought. */
export const SHOWN_NAME_MAX = 128;

/** A name as diagnostics show it: cut, with an ellipsis, when it is too long. */
export function shownName(name: string): string {
  if (name.length <= SHOWN_NAME_MAX) return name;
  // A character takes two units at most; the rest of a long name is never looked at.
  const head = [...name.slice(0, 2 * SHOWN_NAME_MAX + 2)];
  if (head.length <= SHOWN_NAME_MAX) return name;
  return `${head.slice(0, SHOWN_NAME_MAX).join('')}…`;
}
