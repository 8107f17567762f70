const HEADER_FUNCTIONS: ReadonlySet<unknown> = new Set(['read_header', 'read_headers']);

/** Whether any expression inside a part of a plan reads headers of the source message. */
export function readsHeaders(part: unknown): boolean {
  if (part === null || typeof part !== 'object') return false;
  if ('kind' in part && part.kind === 'call' && 'function' in part) {
    if (HEADER_FUNCTIONS.has(part.function)) return true;
  }
  return Object.values(part).some(readsHeaders);
}
