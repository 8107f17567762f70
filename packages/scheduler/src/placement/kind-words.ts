/** Words of a schedule's kind in messages: `window processor`, and `hash map` for a lookup. */
export function kindWords(kind: string): string {
  return kind === 'lookup' ? 'hash map' : kind.replaceAll('_', ' ');
}
