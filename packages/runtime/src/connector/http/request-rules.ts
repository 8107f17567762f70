const METHOD_BYTES_MAX = 64;
const PATH_BYTES_MAX = 8 * 1024;
const HEADERS_MAX = 128;
const HEADER_BYTES_MAX = 32 * 1024;

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const PATH_REFUSED = /[\u0000-\u0020\u007f-\u00a0\\#]|\s/;
const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const VALUE_REFUSED = /[\u0000-\u0008\u000a-\u001f\u007f]/;

const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'expect',
]);

/** A value that may be sent, or why it may not. The reason never holds the value. */
export type Checked<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'refused'; readonly reason: string };

const refused = (reason: string) => ({ kind: 'refused', reason }) as const;

/** Checks the method of an outgoing request. */
export function checkMethod(method: string, hasBody: boolean): Checked<string> {
  if (!TOKEN.test(method)) return refused('method is not a valid token');
  if (method.length > METHOD_BYTES_MAX) return refused('method is longer than 64 bytes');
  const upper = method.toUpperCase();
  if (upper === 'CONNECT' || upper === 'TRACE') return refused('method is not supported');
  if (hasBody && (upper === 'GET' || upper === 'HEAD')) {
    return refused('method takes no body');
  }
  return { kind: 'ok', value: method };
}

/** Checks and normalizes the path, with its query, of an outgoing request. */
export function checkPath(path: string): Checked<string> {
  if (!path.startsWith('/') || path.startsWith('//')) {
    return refused("path must start with exactly one '/'");
  }
  if (PATH_REFUSED.test(path)) return refused('path holds a character that is not allowed');
  if (BAD_ESCAPE.test(path)) return refused('path holds an incomplete percent escape');
  const base = 'http://h';
  if (!URL.canParse(path, base)) return refused('path is not valid');
  const normalized = new URL(path, base).href.slice(base.length);
  if (normalized.startsWith('//')) return refused("path must start with exactly one '/'");
  if (normalized.length > PATH_BYTES_MAX) return refused('path is longer than 8 KiB');
  return { kind: 'ok', value: normalized };
}

/** Checks one header write. */
export function checkHeader(name: string, value: string): string | null {
  if (!TOKEN.test(name)) return 'header name is not a valid token';
  if (RESERVED_HEADERS.has(name.toLowerCase())) return 'header name is reserved';
  if (VALUE_REFUSED.test(value)) return 'header value holds a character that is not allowed';
  if (/^[ \t]|[ \t]$/.test(value)) return 'header value begins or ends with a blank';
  return null;
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
