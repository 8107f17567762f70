import { readFileSync } from 'node:fs';
import { runStdioServer } from './stdio-server.js';

const USAGE = `Usage: nspl-language-server [--stdio]

Speaks the Language Server Protocol over standard input and output.

  --stdio      the default and only transport
  --version    prints the version
  --help       prints this
`;

/** Exit code for arguments that cannot be used. */
const USAGE_ERROR = 2;

const manifest = new URL('../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };

// Editors add the process to watch, which the protocol library reads itself.
const args = process.argv.slice(2).filter((argument, index, all) => {
  return !/^--clientProcessId(?:=|$)/u.test(argument) && all[index - 1] !== '--clientProcessId';
});
const unknown = args.find((argument) => !['--stdio', '--version', '--help'].includes(argument));
if (unknown !== undefined) {
  process.stderr.write(`unknown argument '${unknown}'\n\n${USAGE}`);
  process.exitCode = USAGE_ERROR;
} else if (args.includes('--help')) process.stdout.write(USAGE);
else if (args.includes('--version')) process.stdout.write(`${version}\n`);
else runStdioServer(version);
