const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const METHOD_BYTES_MAX = 64;
const PATH_BYTES_MAX = 8 * 1024;
const HEADER_VALUE_BYTES_MAX = 32 * 1024;

/** Why a request method is refused, or undefined. */
export function methodDefect(method: string, hasBody: boolean): string | undefined {
  if (!TOKEN.test(method) || method.length > METHOD_BYTES_MAX) {
    return `HTTP METHOD must be a token of 1 to ${METHOD_BYTES_MAX} bytes`;
  }
  const upper = method.toUpperCase();
  if (upper === 'CONNECT' || upper === 'TRACE') return `HTTP METHOD ${upper} is not allowed`;
  if (hasBody && (upper === 'GET' || upper === 'HEAD')) {
    return `HTTP METHOD ${upper} requires WITHOUT BODY`;
  }
  return undefined;
}

/** Outcome of {@link normalizePath}. */
export type PathOutcome =
  | { readonly kind: 'ok'; readonly path: string }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Normalises a request path with its optional query: dot segments go, characters outside ASCII are
 * percent-encoded; escapes, parameter order, `+` and a trailing `?` stay.
 */
export function normalizePath(text: string): PathOutcome {
  const defect = pathDefect(text);
  if (defect !== undefined) return { kind: 'refused', reason: `HTTP PATH ${defect}` };
  const queryStart = text.indexOf('?');
  const pathPart = queryStart === -1 ? text : text.slice(0, queryStart);
  const query = queryStart === -1 ? '' : text.slice(queryStart);
  const path = encodeNonAscii(removeDotSegments(pathPart) + query);
  if (path.startsWith('//')) {
    return { kind: 'refused', reason: 'HTTP PATH must not start with // after normalization' };
  }
  if (path.length > PATH_BYTES_MAX) {
    return { kind: 'refused', reason: `HTTP PATH must not exceed ${PATH_BYTES_MAX} bytes` };
  }
  return { kind: 'ok', path };
}

function pathDefect(text: string): string | undefined {
  if (!text.startsWith('/')) return 'must start with /';
  if (text.startsWith('//')) return 'must start with exactly one /';
  if (text.includes('#')) return 'must not contain a fragment';
  if (text.includes('\\')) return 'must not contain a backslash';
  if (/[\s\p{Cc}]/u.test(text)) return 'must not contain white space or control characters';
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return 'contains an incomplete percent escape';
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode';
}

/** RFC 3986, 5.2.4. Escaped dots count as dots, as receivers read them so. */
function removeDotSegments(path: string): string {
  const kept: string[] = [];
  const segments = path.split('/').slice(1);
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    const dots = segment.replace(/%2e/gi, '.');
    if (dots === '..') kept.pop();
    if (dots !== '.' && dots !== '..') kept.push(segment);
    else if (isLast) kept.push('');
  }
  return `/${kept.join('/')}`;
}

function encodeNonAscii(text: string): string {
  return text.replace(/[^\p{ASCII}]+/gu, (characters) =>
    [...new TextEncoder().encode(characters)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );
}

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

/** Why a header name is refused, or undefined. */
export function headerNameDefect(name: string): string | undefined {
  if (!TOKEN.test(name)) return 'HTTP header name must be a token';
  return RESERVED_HEADERS.has(name.toLowerCase()) ? `HTTP header '${name}' is reserved` : undefined;
}

/** Why a header value is refused, or undefined. */
export function headerValueDefect(value: string): string | undefined {
  const hasControl = /[\p{Cc}]/u.test(value.replaceAll('\t', ''));
  if (hasControl || !value.isWellFormed()) {
    return 'HTTP header value must not contain control characters';
  }
  if (/^[ \t]|[ \t]$/.test(value)) return 'HTTP header value must not start or end with a blank';
  return new TextEncoder().encode(value).length > HEADER_VALUE_BYTES_MAX
    ? `HTTP header value must not exceed ${HEADER_VALUE_BYTES_MAX} bytes`
    : undefined;
}
