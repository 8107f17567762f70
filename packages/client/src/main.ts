import { readFileSync } from 'node:fs';
import { exitOnBrokenOutput } from './cli/broken-output.js';
import { EXIT } from './cli/command-line-error.js';
import { runCli } from './cli/run-cli.js';

const manifest = new URL('../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };

const interruption = new AbortController();
process.on('SIGINT', () => {
  // A second Ctrl-C does not wait for the orderly end that the first one began.
  if (interruption.signal.aborted) process.exit(EXIT.interrupted);
  interruption.abort();
});
exitOnBrokenOutput(EXIT.localIo);
process.stderr.on('error', () => process.exit(EXIT.localIo));

process.exitCode = await runCli(process.argv.slice(2), version, interruption.signal);
