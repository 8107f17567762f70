import { OPTION_SPECS, type OptionSpec } from './option-table.js';

/** A flag that is no option of the server but of the program around it. */
export interface ProgramFlag {
  /** Flag without dashes in front. */
  readonly name: string;
  readonly help: string;
}

/** What a flag takes: nothing, one of a few words, a folder, or any text. */
type Argument = 'none' | 'folder' | 'text' | readonly string[];

interface Flag extends ProgramFlag {
  readonly argument: Argument;
}

const COMMAND = 'completions';
const printers: Readonly<Record<string, (program: string, flags: readonly Flag[]) => string>> = {
  bash: printBash,
  fish: printFish,
  zsh: printZsh,
};

/** Shells that {@link printCompletions} knows. */
export const COMPLETION_SHELLS: readonly string[] = Object.keys(printers);

/**
 * A script that completes the program's flags in a shell; secrets are left out.
 *
 * @returns undefined for a shell that is not one of {@link COMPLETION_SHELLS}
 */
export function printCompletions(
  shell: string,
  program: string,
  own: readonly ProgramFlag[],
): string | undefined {
  if (!COMPLETION_SHELLS.includes(shell)) return undefined;
  const flags: readonly Flag[] = [
    ...OPTION_SPECS.filter(({ isSecret }) => !isSecret).map((spec) => ({
      name: spec.name,
      help: spec.help,
      argument: argumentOf(spec),
    })),
    ...own.map((flag) => ({ ...flag, argument: 'none' as const })),
  ];
  return printers[shell]?.(program, flags);
}

function argumentOf({ isSwitch, type }: OptionSpec): Argument {
  if (isSwitch) return 'none';
  return type.choices ?? (type.placeholder === 'folder' ? 'folder' : 'text');
}

function printBash(program: string, flags: readonly Flag[]): string {
  const words = [...flags.map(({ name }) => `--${name}`), COMMAND].join(' ');
  const cases = flags.flatMap(({ name, argument }) => {
    if (argument === 'none') return [];
    const values =
      argument === 'text'
        ? 'COMPREPLY=()'
        : argument === 'folder'
          ? `mapfile -t COMPREPLY < <(compgen -d -- "$word")`
          : bashWords(argument.join(' '));
    return [`    --${name}) ${values}; return ;;`];
  });
  return [
    `_${program}() {`,
    `  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]}`,
    '  # bash takes the = of --flag=value for a word of its own.',
    `  if [[ $word == = ]]; then word=''`,
    `  elif [[ $before == = ]]; then before=\${COMP_WORDS[COMP_CWORD - 2]}; fi`,
    '  case $before in',
    ...cases,
    `    ${COMMAND}) ${bashWords(COMPLETION_SHELLS.join(' '))}; return ;;`,
    '  esac',
    `  ${bashWords(words)}`,
    '}',
    `complete -F _${program} ${program}`,
    '',
  ].join('\n');
}

function bashWords(words: string): string {
  return `mapfile -t COMPREPLY < <(compgen -W '${words}' -- "$word")`;
}

function printZsh(program: string, flags: readonly Flag[]): string {
  const specs = flags.map(({ name, help, argument }) => {
    const text = `[${zshText(help)}]`;
    if (argument === 'none') return quoted(`--${name}${text}`);
    const values =
      argument === 'text' ? ' ' : argument === 'folder' ? '_files -/' : `(${argument.join(' ')})`;
    return quoted(`--${name}=${text}:${name}:${values}`);
  });
  const shells = quoted(`2::shell:(${COMPLETION_SHELLS.join(' ')})`);
  return [
    `#compdef ${program}`,
    `_${program}() {`,
    '  _arguments \\',
    ...[...specs, quoted(`1::command:(${COMMAND})`)].map((spec) => `    ${spec} \\`),
    `    ${shells}`,
    '}',
    '# Either autoloaded as a function, or sourced.',
    `if [[ $funcstack[1] == _${program} ]]; then _${program} "$@"; else compdef _${program} ${program}; fi`,
    '',
  ].join('\n');
}

function zshText(text: string): string {
  return text.replace(/[\\[\]:]/g, '\\$&');
}

function printFish(program: string, flags: readonly Flag[]): string {
  const isFirst = `test (count (commandline -opc)) -eq 1`;
  const isShell = `__fish_seen_subcommand_from ${COMMAND}`;
  const lines = flags.map(({ name, help, argument }) => {
    const values =
      argument === 'none'
        ? ''
        : argument === 'text'
          ? ' -x'
          : argument === 'folder'
            ? ` -x -a '(__fish_complete_directories)'`
            : ` -x -a '${argument.join(' ')}'`;
    return `complete -c ${program} -l ${name}${values} -d ${fishText(help)}`;
  });
  return [
    `complete -c ${program} -f`,
    ...lines,
    `complete -c ${program} -n '${isFirst}' -a ${COMMAND} -d 'print completions for a shell'`,
    `complete -c ${program} -n '${isShell}' -a '${COMPLETION_SHELLS.join(' ')}'`,
    '',
  ].join('\n');
}

function fishText(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
