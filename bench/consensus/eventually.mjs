const POLL_MS = 50;
const READY_MS = 30_000;

/** Looks until `find` gives something, or throws. */
export async function eventually(what, find) {
  const deadline = performance.now() + READY_MS;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`${what} took more than ${READY_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
