import { CAST_FAILED, INVALID_ARGUMENT } from './failure-kind.js';
import type { BuiltinFunction } from './function-signature.js';
import {
  count,
  exact,
  familyOf,
  type SignatureChange,
  signature,
  text,
  word,
} from './signature-builder.js';

const define = familyOf('network');
const ADDRESS = exact('address', 'BYTES');
const BAD_ADDRESS: SignatureChange = { failures: [INVALID_ARGUMENT] };
const BAD_URL: SignatureChange = { failures: [CAST_FAILED] };
const ofUrl = signature([text('url')], 'STRING', BAD_URL);
const partOfUrl = signature([text('url')], 'STRING', { ...BAD_URL, nullability: 'always' });
const test = signature([text('text')], 'BOOL');

/** IP addresses, as 4 or 16 bytes, and URLs as WHATWG reads them. */
export const NETWORK_FUNCTIONS: readonly BuiltinFunction[] = [
  define(
    'ip_from_string',
    'The 4 or 16 bytes of an IP address.',
    signature([text('text')], 'BYTES', BAD_URL),
  ),
  define(
    'ip_to_string',
    'An IP address in its canonical spelling.',
    signature([ADDRESS], 'STRING', BAD_ADDRESS),
  ),
  define('ip_family', '4 or 6.', signature([ADDRESS], 'I64', BAD_ADDRESS)),
  define(
    'ip_unmap',
    'The IPv4 address inside a mapped IPv6 one; any other as it is.',
    signature([ADDRESS], 'BYTES', BAD_ADDRESS),
  ),
  define(
    'ip_trunc',
    'The address with all bits behind the prefix cleared.',
    signature([ADDRESS, count('prefix')], 'BYTES', BAD_ADDRESS),
  ),
  define(
    'ip_in_network',
    'Whether an address lies in a network written address/prefix.',
    signature([ADDRESS, word('network', 'network')], 'BOOL', BAD_ADDRESS),
  ),
  define('is_ip_address', 'Whether the text is an IP address.', test),
  define('is_url', 'Whether the text is an absolute URL.', test),
  define('url_scheme', 'Scheme of a URL.', ofUrl),
  define('url_path', 'Path of a URL.', ofUrl),
  define('url_host', 'Host of a URL; null where it has none.', partOfUrl),
  define('url_query', 'Query of a URL; null where it has none.', partOfUrl),
  define('url_fragment', 'Fragment of a URL; null where it has none.', partOfUrl),
  define(
    'url_port',
    "Port of a URL, or its scheme's default.",
    signature([text('url')], 'I64', { ...BAD_URL, nullability: 'always' }),
  ),
  define(
    'url_query_value',
    'First value of a name in the query of a URL.',
    signature([text('url'), text('name')], 'STRING', { ...BAD_URL, nullability: 'always' }),
  ),
  define(
    'url_query_values',
    'All values of a name in the query of a URL.',
    signature([text('url'), text('name')], { kind: 'vec', element: 'STRING' }, BAD_URL),
  ),
  define(
    'url_decode',
    'The text with its percent escapes decoded.',
    signature([text('text')], 'STRING', BAD_URL),
  ),
];
