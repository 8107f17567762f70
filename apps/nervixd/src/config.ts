import { readFileSync } from 'node:fs';
import {
  COMPLETION_SHELLS,
  type Environment,
  type ProgramFlag,
  printCompletions,
  printOptionHelp,
  printSettings,
  readServerOptions,
  type ServerOptions,
} from '@nervix/server';

/** What a command line asks the process to do. */
export type Config =
  | { readonly kind: 'run'; readonly options: ServerOptions }
  | { readonly kind: 'print'; readonly text: string }
  | { readonly kind: 'refused'; readonly text: string };

const PRINT_CONFIG = '--print-config';
const COMPLETIONS = 'completions';

const ownFlags: readonly ProgramFlag[] = [
  { name: 'print-config', help: 'print the settings in force, without secrets, and exit' },
  { name: 'version', help: 'print the version and exit' },
  { name: 'help', help: 'print this text and exit' },
];

/** Reads the command line and the environment. */
export function readConfig(argv: readonly string[], env: Environment): Config {
  if (argv.includes('--help') || argv.includes('-h')) return { kind: 'print', text: helpText() };
  if (argv.includes('--version')) return { kind: 'print', text: `nervixd ${version()}\n` };
  if (argv[0] === COMPLETIONS) return completions(argv.slice(1));
  const reading = readServerOptions(
    argv.filter((argument) => argument !== PRINT_CONFIG),
    env,
  );
  if (reading.kind === 'refused') {
    const { option, message } = reading.error;
    return { kind: 'refused', text: `nervixd: ${option}: ${message}\n` };
  }
  return argv.includes(PRINT_CONFIG)
    ? { kind: 'print', text: printSettings(reading.settings) }
    : { kind: 'run', options: reading.options };
}

function completions([shell, ...rest]: readonly string[]): Config {
  const script =
    shell === undefined || rest.length > 0
      ? undefined
      : printCompletions(shell, 'nervixd', ownFlags);
  if (script !== undefined) return { kind: 'print', text: script };
  const shells = COMPLETION_SHELLS.join(', ');
  const fault =
    shell === undefined || rest.length > 0
      ? 'one shell is expected'
      : `there are none for '${shell}' in this release`;
  return { kind: 'refused', text: `nervixd: ${COMPLETIONS}: ${fault}; possible are ${shells}\n` };
}

function helpText(): string {
  const own = ownFlags.map(({ name, help }) => `  --${name}\n      ${help}\n`).join('');
  return (
    `Usage: nervixd [options]\n       nervixd ${COMPLETIONS} ${COMPLETION_SHELLS.join('|')}\n\n` +
    `Runs one Nervix node.\n\n${printOptionHelp()}${own}`
  );
}

function version(): string {
  const manifest = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { readonly version: string };
  return manifest.version;
}
