import {
  type ClientType,
  isSecretKey,
  PLAIN_CLIENT_TYPES,
  POOLED_CLIENT_TYPES,
  REDACTED,
  redactConfigText,
} from '@nervix/model';
import type { IToken } from 'chevrotain';
import { describeString, describeToken } from './diagnostics.js';
import {
  Comma,
  END_TOKEN,
  indexOf,
  isWord,
  keyword,
  LeftBrace,
  NumberToken,
  QuotedName,
  RightBrace,
  StringToken,
  stringValue,
} from './tokens.js';

const STRING = indexOf(StringToken);
const COMMA = indexOf(Comma);
const LEFT_BRACE = indexOf(LeftBrace);
const RIGHT_BRACE = indexOf(RightBrace);
const K = {
  alter: indexOf(keyword('ALTER')),
  client: indexOf(keyword('CLIENT')),
  config: indexOf(keyword('CONFIG')),
  create: indexOf(keyword('CREATE')),
  exists: indexOf(keyword('EXISTS')),
  password: indexOf(keyword('PASSWORD')),
  type: indexOf(keyword('TYPE')),
  user: indexOf(keyword('USER')),
};
/** Types that a value with a missing quote begins with. */
const TEXTS: ReadonlySet<number> = new Set([STRING, indexOf(NumberToken), indexOf(QuotedName)]);

/**
 * How a message names the token that should not stand at a place of a statement. Messages quote
 * what was written, except where somebody was about to write a secret: every string of CREATE USER
 * and ALTER USER, what stands right behind PASSWORD, and the value of a secret key of a client read
 * `"<redacted>"`; of URLs in such a value the password does. All that is decided by the tokens
 * before, since the statement as a whole has no meaning: it has been refused.
 */
export function describeFound(tokens: readonly IToken[], position: number): string {
  const token = tokens[position] ?? END_TOKEN;
  if (!isText(token)) return describeToken(token);
  const kind = kindIndex(tokens);
  // What stands in place of the name is none of its secrets.
  if (kind + 1 >= position) return describeToken(token);
  switch (tokens[kind]?.tokenTypeIdx) {
    case K.user:
      return describeInUser(tokens, position, token);
    case K.client:
      return describeInClient(tokens, position, token);
    default:
      return describeToken(token);
  }
}

/** Whether a token may be a value: a string, a number or a word. */
function isText(token: IToken): boolean {
  return TEXTS.has(token.tokenTypeIdx) || isWord(token);
}

/** Where the kind of what a statement creates or alters stands; past the end in any other. */
function kindIndex(tokens: readonly IToken[]): number {
  const verb = tokens.findIndex(
    ({ tokenTypeIdx }) => tokenTypeIdx === K.create || tokenTypeIdx === K.alter,
  );
  if (verb < 0) return tokens.length;
  return tokens[verb + 3]?.tokenTypeIdx === K.exists ? verb + 4 : verb + 1;
}

function describeInUser(tokens: readonly IToken[], position: number, token: IToken): string {
  const isBehindPassword = tokens[position - 1]?.tokenTypeIdx === K.password;
  const isSecret = token.tokenTypeIdx === STRING || isBehindPassword;
  return isSecret ? describeString(REDACTED) : describeToken(token);
}

function describeInClient(tokens: readonly IToken[], position: number, token: IToken): string {
  const key = configKeyBefore(tokens, position);
  if (key === undefined) return describeToken(token);
  const type = clientType(tokens);
  if (isSecretKey(type, key)) return describeString(REDACTED);
  if (token.tokenTypeIdx !== STRING) return describeToken(token);
  return describeString(redactConfigText(type, key, stringValue(token)));
}

/** The key of the config entry that a token stands in, behind the key; undefined elsewhere. */
function configKeyBefore(tokens: readonly IToken[], position: number): string | undefined {
  for (let index = position - 1; index > 0; index -= 1) {
    const type = tokens[index]?.tokenTypeIdx;
    if (type === RIGHT_BRACE || type === K.config) return undefined;
    if (type !== COMMA && type !== LEFT_BRACE) continue;
    const key = tokens[index + 1];
    const isKey = index + 1 < position && key?.tokenTypeIdx === STRING;
    return isKey ? stringValue(key) : undefined;
  }
  return undefined;
}

const CLIENT_TYPES: readonly ClientType[] = [
  ...PLAIN_CLIENT_TYPES,
  ...POOLED_CLIENT_TYPES,
  'WEBSOCKETS',
];

/** The type of a client with a config; the one with the most secret keys where none is named. */
function clientType(tokens: readonly IToken[]): ClientType {
  const at = tokens.findIndex(({ tokenTypeIdx }) => tokenTypeIdx === K.type);
  const word = tokens[at + 1]?.image.toUpperCase();
  return CLIENT_TYPES.find((type) => type === word) ?? 'OTEL';
}
