const REDACTED = '<redacted>';

/** Fields whose value is never logged, whoever passes it. */
const secretField =
  /(pass(word|phrase|wd)?|secret|token|credential|authorization|cookie|ticket|branch_?key)s?$/i;

/** Fields that hold content when they hold text, and a count when they hold a number. */
const contentField = /(payload|body|bodie|row|record|value)s?$/i;

const credentials = /\b(Basic|Bearer)\s+[A-Za-z0-9+/=._~-]+/gi;
const userInfo = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*):[^\s/@]*@/gi;
const queryCredential = /([?&](?:auth|ticket|token|password)=)[^&\s"']*/gi;
/** Also one whose end is cut off. */
const passwordClause = /(\bPASSWORD\s+)'(?:[^'\\]|\\.|'')*(?:'|\\?$)/gi;

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
    .replace(userInfo, `$1:${REDACTED}@`)
    .replace(queryCredential, `$1${REDACTED}`)
    .replace(passwordClause, `$1'${REDACTED}'`);
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
