import { isSecretKey, REDACTED } from '@nervix/model';

/** Fields whose value is never logged, whoever passes it. */
const secretField =
  /(pass(word|phrase|wd)?|secret|token|credential|authorization|cookie|ticket|branch_?key)s?$/i;

/** Fields that hold content when they hold text, and a count when they hold a number. */
const contentField = /(payload|body|bodie|row|record|value)s?$/i;

const credentials = /\b(Basic|Bearer)\s+[A-Za-z0-9+/=._~-]+/gi;
/** Up to the last `@` of the authority; not from the scheme on, which takes long to search for. */
const userInfo = /:\/\/([^\s/?#:@]*:)?[^\s/?#'"]*@/g;
const queryCredential = /([?&](?:auth|ticket|token|password)=)[^&\s"']*/gi;

/** A string of a statement in any of its quotes, also one whose end is cut off. */
const literal = String.raw`(?:'[^'\n]*'?|"[^"\n]*"?|\$(?<tag>\w*)\$[^]*?(?:\$\k<tag>\$|$))`;
/** What may stand between two tokens, with a few comments: each is looked at from many places. */
const gap = String.raw`(?:[\s\u0085]*//[^\n]{0,200}\n){0,8}[\s\u0085]*`;
/** In any case, which no flag may say: the tag of a dollar quote ends it in its own letters only. */
const password = 'PASSWORD'.replace(/./g, (letter) => `[${letter}${letter.toLowerCase()}]`);
const passwordClause = new RegExp(`((?<!['".-])\\b${password}${gap})${literal}`, 'g');
/** An entry of a client's config with a value of its own, not one of a stored secret. */
const configEntry = new RegExp(
  String.raw`('([^'\n]*)'|"([^"\n]*)")(${gap}=${gap})(?:${literal}|(?!SECRET\b)\w+(?![\w.(]))`,
  'g',
);

/** Longest text of a field or message. */
const TEXT_LENGTH_MAX = 4_096;
/** How much of a text is searched for credentials: one that starts in what is kept ends here. */
const SEARCHED_LENGTH_MAX = 65_536;

/** Names that a record gives itself: a second member of the name would hide one of the two. */
const reservedNames: ReadonlySet<string> = new Set([
  'level',
  'time',
  'node',
  'incarnation',
  'message',
]);

/** Takes credentials out of a text, and cuts one that is too long for a log. */
export function redactText(text: string, lengthMax: number = TEXT_LENGTH_MAX): string {
  const redacted = withoutCredentials(text.slice(0, Math.max(SEARCHED_LENGTH_MAX, lengthMax)));
  if (text.length <= SEARCHED_LENGTH_MAX && redacted.length <= lengthMax) return redacted;
  return `${redacted.slice(0, lengthMax)}… (${text.length} characters)`;
}

function withoutCredentials(text: string): string {
  return text
    .replace(credentials, `$1 ${REDACTED}`)
    .replace(userInfo, `://$1${REDACTED}@`)
    .replace(queryCredential, `$1${REDACTED}`)
    .replace(passwordClause, `$1'${REDACTED}'`)
    .replace(configEntry, withoutConfigSecret);
}

/** The config entry that was found, without its value if its key is that of a secret. */
function withoutConfigSecret(entry: string, quoted: string, ...parts: readonly unknown[]): string {
  const [single, double, equals] = parts;
  // Of the types of clients, this is the one with the most secrets.
  const isSecret = isSecretKey('OTEL', String(single ?? double));
  return isSecret ? `${quoted}${String(equals)}'${REDACTED}'` : entry;
}

/** The name under which a field is logged: that of a field which is not the record's own. */
function fieldName(name: string): string {
  return reservedNames.has(name) ? `${name}_` : name;
}

/** Takes secrets out of the fields of a record, by name and by form. */
export function redactFields(
  fields: Readonly<Record<string, unknown>>,
): Record<string, string | number | boolean> {
  const safe: Record<string, string | number | boolean> = {};
  for (const [given, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const name = fieldName(given);
    if (secretField.test(name)) safe[name] = REDACTED;
    else if (typeof value === 'number' || typeof value === 'boolean') safe[name] = value;
    else if (contentField.test(name)) safe[name] = REDACTED;
    else safe[name] = redactText(String(value));
  }
  return safe;
}
