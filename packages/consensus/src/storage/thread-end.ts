let isEnding = false;

process.once('exit', () => {
  isEnding = true;
});

/**
 * Throws while the process, or the worker thread that this runs in, is ending. After an exception
 * that nobody caught a worker goes on for a moment, and the binding of LevelDB reports what it has
 * dropped from its queue meanwhile as done.
 */
export function checkThreadGoesOn(): void {
  if (isEnding) throw new Error('the thread ended before the write was known to be durable');
}
