import { isSecretKey } from '@nervix/model';

const secretWord = /pass(word|phrase)|secret|token|credential|(private|access|api).?key/i;
const stringOpening = /['"$]/;
/** A string that is given a value, as the keys of a client's config are. */
const assignedKey = /(?:'([^'\n]*)'|"([^"\n]*)"|\$(\w*)\$([^$\n]*)\$\3\$)\s*=/g;
/** Credentials in a URL. */
const userInformation = /:\/\/[^\s/?#]*@/;

/** Whether a text may hold a secret in the clear: it is then neither stored nor shown again. */
export function isSensitiveText(text: string): boolean {
  if (secretWord.test(text) && stringOpening.test(text)) return true;
  return userInformation.test(text) || hasSecretKey(text);
}

function hasSecretKey(text: string): boolean {
  for (const [, single, double, , dollar] of text.matchAll(assignedKey)) {
    // Of the types of clients, this is the one with the most secrets.
    if (isSecretKey('OTEL', single ?? double ?? dollar ?? '')) return true;
  }
  return false;
}
