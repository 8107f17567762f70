const REDACTED = '<redacted>';

/** Fields whose value is never logged, whoever passes it. */
const secretField =
  /(pass(word|phrase|wd)?|secret|token|credential|authorization|cookie|ticket|branch_?key)s?$/i;

/** Fields that hold content when they hold text, and a count when they hold a number. */
const contentField = /(payload|body|bodie|row|record|value)s?$/i;

const credentials = /\b(Basic|Bearer)\s+[A-Za-z0-9+/=._~-]+/gi;
const userInfo = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*):[^\s/@]*@/gi;
const queryCredential = /([?&](?:auth|ticket|token|password)=)[^&\s"']*/gi;
const passwordClause = /(\bPASSWORD\s+)'(?:[^'\\]|\\.|'')*'/gi;

/** Takes credentials out of a text. */
export function redactText(text: string): string {
  return text
    .replace(credentials, `$1 ${REDACTED}`)
    .replace(userInfo, `$1:${REDACTED}@`)
    .replace(queryCredential, `$1${REDACTED}`)
    .replace(passwordClause, `$1'${REDACTED}'`);
}

/** Takes secrets out of the fields of a record, by name and by form. */
export function redactFields(
  fields: Readonly<Record<string, unknown>>,
): Record<string, string | number | boolean> {
  const safe: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (secretField.test(name)) safe[name] = REDACTED;
    else if (typeof value === 'number' || typeof value === 'boolean') safe[name] = value;
    else if (contentField.test(name)) safe[name] = REDACTED;
    else safe[name] = redactText(String(value));
  }
  return safe;
}
