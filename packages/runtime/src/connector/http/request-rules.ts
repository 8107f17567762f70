import { headerNameDefect, headerValueDefect, methodDefect, normalizePath } from '@nervix/model';

const HEADERS_MAX = 128;
const HEADER_BYTES_MAX = 32 * 1024;

/** A value that may be sent, or why it may not. The reason never holds the value. */
export type Checked<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'refused'; readonly reason: string };

const refused = (reason: string) => ({ kind: 'refused', reason }) as const;

/** Checks the method of an outgoing request. */
export function checkMethod(method: string, hasBody: boolean): Checked<string> {
  const defect = methodDefect(method, hasBody);
  return defect === undefined ? { kind: 'ok', value: method } : refused(defect);
}

/** Checks and normalizes the path, with its query, of an outgoing request. */
export function checkPath(path: string): Checked<string> {
  const outcome = normalizePath(path);
  return outcome.kind === 'ok' ? { kind: 'ok', value: outcome.path } : outcome;
}

/** Checks one header write. */
export function checkHeader(name: string, value: string): string | null {
  return headerNameDefect(name) ?? headerValueDefect(value) ?? null;
}

/**
 * Joins header writes: names without regard to case, the last write wins.
 *
 * @param writes checked writes, in order
 */
export function joinHeaders(
  writes: readonly (readonly [name: string, value: string])[],
): Checked<readonly (readonly [name: string, value: string])[]> {
  const headers = new Map<string, readonly [string, string]>();
  let bytes = 0;
  for (const [name, value] of writes) headers.set(name.toLowerCase(), [name, value]);
  for (const [name, value] of headers.values()) bytes += name.length + Buffer.byteLength(value) + 4;
  if (headers.size > HEADERS_MAX) return refused('more than 128 headers');
  if (bytes > HEADER_BYTES_MAX) return refused('headers are larger than 32 KiB');
  if (!headers.has('accept')) headers.set('accept', ['Accept', '*/*']);
  return { kind: 'ok', value: [...headers.values()] };
}
