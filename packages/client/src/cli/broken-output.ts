import type { ExitCode } from './command-line-error.js';

/** Ends the process with this code when its standard output cannot be written to. */
export function exitOnBrokenOutput(exitCode: ExitCode): void {
  // In front of those that were told another code before.
  process.stdout.prependListener('error', (error: NodeJS.ErrnoException) => {
    // A reader that has left, such as `head`, knows why.
    if (error.code !== 'EPIPE') process.stderr.write(`cannot write the output: ${error.message}\n`);
    process.exit(exitCode);
  });
}
