import { encodeText } from '../column/text.js';
import { RowFault } from '../program/row-fault.js';
import { type KernelFactory, type KernelFamily, plain } from './kernel.js';
import { readUtf8 } from './octets.js';

/** Ports of the schemes that have one of their own. */
const DEFAULT_PORTS: Readonly<Record<string, bigint>> = {
  'http:': 80n,
  'https:': 443n,
  'ws:': 80n,
  'wss:': 443n,
  'ftp:': 21n,
};
const SCHEME = /^[\s\p{Cc}]*[A-Za-z][A-Za-z0-9+.-]*:/u;

/** Kernels of the functions over URLs as the WHATWG standard reads them. */
export const URL_KERNELS: KernelFamily = {
  is_url: plain((text: string) => URL.canParse(text)),
  url_scheme: ofUrl('url_scheme', ({ protocol }) => protocol.slice(0, -1)),
  url_path: ofUrl('url_path', ({ pathname }) => pathname),
  url_host: ofUrl('url_host', ({ hostname }) =>
    hostname === '' ? null : hostname.replace(/^\[(.*)\]$/, '$1'),
  ),
  url_port: ofUrl('url_port', ({ port, protocol }) =>
    port === '' ? (DEFAULT_PORTS[protocol] ?? null) : BigInt(port),
  ),
  url_query: ofUrl('url_query', queryOf),
  url_fragment: ofUrl('url_fragment', ({ href }) => behind(href, '#')),
  url_query_value: plain((text: string, name: string) => {
    const query = queryOf(readUrl(text, 'url_query_value'));
    const pair = pairsOf(query).find((each) => decoded(each.name) === name);
    return pair === undefined ? null : decodedValue(pair.value, 'url_query_value');
  }),
  url_query_values: plain((text: string, name: string) => {
    const query = queryOf(readUrl(text, 'url_query_values'));
    return pairsOf(query)
      .filter((each) => decoded(each.name) === name)
      .map(({ value }) => decodedValue(value, 'url_query_values'));
  }),
  url_decode: plain((text: string) => checkDecoded(percentDecoded(text), 'url_decode')),
};

function ofUrl(name: string, part: (url: URL) => string | bigint | null): KernelFactory {
  return plain((text: string) => part(readUrl(text, name)));
}

function readUrl(text: string, name: string): URL {
  const url = URL.parse(text);
  if (url !== null) return url;
  const reason = SCHEME.test(text) ? 'invalid URL' : 'relative URL without a base';
  throw new RowFault('cast_failed', `${name} input is not an absolute URL: ${reason}`);
}

/** The text behind the first mark; null without one. */
function behind(text: string, mark: string): string | null {
  const at = text.indexOf(mark);
  return at < 0 ? null : text.slice(at + 1);
}

function queryOf({ href }: URL): string | null {
  const end = href.indexOf('#');
  return behind(end < 0 ? href : href.slice(0, end), '?');
}

interface Pair {
  readonly name: string;
  readonly value: string;
}

function pairsOf(query: string | null): readonly Pair[] {
  return (query ?? '').split('&').flatMap((piece) => {
    if (piece === '') return [];
    const at = piece.indexOf('=');
    return at < 0
      ? [{ name: piece, value: '' }]
      : [{ name: piece.slice(0, at), value: piece.slice(at + 1) }];
  });
}

/** A name or value of a query, where `+` is a space; undefined when it is not UTF-8. */
function decoded(text: string): string | undefined {
  return percentDecoded(text.replaceAll('+', ' '));
}

function decodedValue(text: string, name: string): string {
  return checkDecoded(decoded(text), name);
}

function checkDecoded(text: string | undefined, name: string): string {
  if (text !== undefined) return text;
  throw new RowFault('cast_failed', `${name} input is not valid percent-encoded UTF-8`);
}

const PERCENT = 0x25;

/** The text with its escapes decoded; undefined for a bare `%` or octets that are not UTF-8. */
function percentDecoded(text: string): string | undefined {
  if (!text.includes('%')) return text;
  const encoded = encodeText(text);
  const bytes = new Uint8Array(encoded.length);
  let length = 0;
  for (let at = 0; at < encoded.length; at += 1) {
    let byte = encoded[at] ?? 0;
    if (byte === PERCENT) {
      const high = hexDigit(encoded[at + 1]);
      const low = hexDigit(encoded[at + 2]);
      if (high < 0 || low < 0) return undefined;
      byte = high * 16 + low;
      at += 2;
    }
    bytes[length] = byte;
    length += 1;
  }
  return readUtf8(bytes.subarray(0, length));
}

/** Value of an ASCII digit of base 16; -1 for anything else. */
function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
