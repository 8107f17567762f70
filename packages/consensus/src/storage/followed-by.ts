/**
 * Does `next` behind work that may be over already, which `undefined` says. Then it is done at once:
 * a write that needs no other thread is one run of code, and waiting for what has happened would be
 * a good part of what it costs.
 */
export function followedBy(
  work: Promise<void> | undefined,
  next: () => Promise<void> | undefined | void,
): Promise<void> | undefined {
  if (work === undefined) return next() ?? undefined;
  return work.then(next);
}
