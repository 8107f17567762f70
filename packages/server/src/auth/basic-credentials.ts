/** A user name and password as a request presents them. */
export interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** Longest accepted header, so that a hash never runs over unbounded text. */
const HEADER_LENGTH_MAX = 4096;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Reads an `Authorization` header of the Basic scheme; undefined when it is anything else. */
export function readBasicCredentials(header: string | undefined): Credentials | undefined {
  if (header === undefined || header.length > HEADER_LENGTH_MAX) return undefined;
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  let text: string;
  try {
    text = decoder.decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
  const colon = text.indexOf(':');
  if (colon <= 0) return undefined;
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
