/** Resolves once `isMet` does with `true`. */
export async function eventually(
  isMet: () => Promise<boolean> | boolean,
  what: string,
  limitMs = 30_000,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await isMet())) {
    if (performance.now() > deadline) throw new Error(`${what} did not come about in time`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
