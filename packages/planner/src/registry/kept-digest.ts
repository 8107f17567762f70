/** Digests by what they were taken of, which is never changed in place. */
const digests = new WeakMap<object, string>();

/** The digest of a subject, taken once. */
export function keptDigest<Subject extends object>(
  subject: Subject,
  digest: (subject: Subject) => string,
): string {
  const known = digests.get(subject);
  if (known !== undefined) return known;
  const fresh = digest(subject);
  digests.set(subject, fresh);
  return fresh;
}
