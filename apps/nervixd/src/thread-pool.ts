import { availableParallelism } from 'node:os';

/** Threads that the pool has at least, whatever the machine. */
const THREADS_MIN = 16;

/**
 * Sizes libuv's pool of threads, which durable writes share with files and compression: one long
 * task must not keep a write waiting. Works until the first task of the process takes a thread.
 *
 * @returns why the process must not start, when the environment asks for fewer threads than it needs
 */
export function sizeThreadPool(
  env: Record<string, string | undefined>,
  processors: number = availableParallelism(),
): string | undefined {
  const least = Math.max(THREADS_MIN, 2 * processors);
  env['UV_THREADPOOL_SIZE'] ??= String(least);
  const size = env['UV_THREADPOOL_SIZE'];
  if (/^\d{1,4}$/.test(size) && Number(size) >= least) return undefined;
  return `UV_THREADPOOL_SIZE is '${size}'; unset it or give at least ${least} threads\n`;
}
