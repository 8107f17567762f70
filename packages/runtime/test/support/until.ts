/** Waits until a condition holds; fails with `what` when it does not within the bound. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  boundMs = 10_000,
): Promise<void> {
  const endMs = performance.now() + boundMs;
  while (!(await condition())) {
    if (performance.now() > endMs) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
