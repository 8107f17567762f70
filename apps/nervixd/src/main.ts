import { processEffects, StopControl } from './signals.js';
import { sizeThreadPool } from './thread-pool.js';
import { holdYoungGeneration } from './young-generation.js';

// Before anything else, also before the server's code is loaded: a signal must find its handler.
const stop = new StopControl(processEffects);

holdYoungGeneration();

// A reader of the ready line that closes its end must not take the node down.
process.stdout.on('error', () => undefined);

const threadPoolProblem = sizeThreadPool(process.env);
const { EXIT, runNervixd } = await import('./run.js');
if (threadPoolProblem !== undefined) {
  process.stderr.write(threadPoolProblem);
  process.exit(EXIT.badOption);
}
const status = await runNervixd(
  {
    argv: process.argv.slice(2),
    env: process.env,
    print: (text) => process.stdout.write(text),
    printError: (text) => process.stderr.write(text),
    onFault: (log) => {
      process.on('uncaughtException', (error) => {
        log(error);
        process.exit(EXIT.failed);
      });
    },
  },
  stop,
);
// Work that was abandoned must not keep the process.
process.exit(status);
