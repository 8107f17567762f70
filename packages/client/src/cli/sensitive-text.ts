const secretWord = /pass(word|phrase)|secret|token|credential|(private|access|api).?key/i;
const stringOpening = /['"$]/;

/** Whether a text may hold a secret in the clear: it is then neither stored nor shown again. */
export function isSensitiveText(text: string): boolean {
  return secretWord.test(text) && stringOpening.test(text);
}
