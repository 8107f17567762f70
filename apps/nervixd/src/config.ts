import { readFileSync } from 'node:fs';
import {
  type Environment,
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

/** Reads the command line and the environment. */
export function readConfig(argv: readonly string[], env: Environment): Config {
  if (argv.includes('--help') || argv.includes('-h')) return { kind: 'print', text: helpText() };
  if (argv.includes('--version')) return { kind: 'print', text: `nervixd ${version()}\n` };
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

function helpText(): string {
  const own = [
    '  --print-config\n      print the settings in force, without secrets, and exit\n',
    '  --version\n      print the version and exit\n',
    '  --help\n      print this text and exit\n',
  ];
  return `Usage: nervixd [options]\n\nRuns one Nervix node.\n\n${printOptionHelp()}${own.join('')}`;
}

function version(): string {
  const manifest = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { readonly version: string };
  return manifest.version;
}
