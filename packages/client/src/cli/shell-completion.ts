import type { Command } from 'commander';

/** What may be written in one place of a command line. */
interface Words {
  readonly subcommand: string;
  readonly words: readonly string[];
}

type Printer = (program: string, top: readonly string[], subcommands: readonly Words[]) => string;

const printers: Readonly<Record<string, Printer>> = {
  bash: printBash,
  elvish: printElvish,
  fish: printFish,
  powershell: printPowershell,
  zsh: printZsh,
};

/** Shells that {@link shellCompletion} knows. */
export const COMPLETION_SHELLS: readonly string[] = Object.keys(printers);

function flagsOf(command: Command): string[] {
  return command.options.flatMap(({ long, hidden }) =>
    long === undefined || long === null || hidden ? [] : [long],
  );
}

/** Subcommands of a subcommand, and their flags. */
function nestedWords({ commands }: Command): string[] {
  const flags = new Set(commands.flatMap(flagsOf));
  return [...commands.map((command) => command.name()), ...flags];
}

/**
 * A script that completes subcommands and flags in a shell. It contacts no server.
 *
 * @param shell one of {@link COMPLETION_SHELLS}
 */
export function shellCompletion(shell: string, program: Command): string {
  const own = flagsOf(program);
  const subcommands = program.commands.map((command) => ({
    subcommand: command.name(),
    words: [...nestedWords(command), ...flagsOf(command), ...own],
  }));
  const top = [...subcommands.map(({ subcommand }) => subcommand), ...own];
  return printers[shell]?.(program.name(), top, subcommands) ?? '';
}

function printBash(program: string, top: readonly string[], subcommands: readonly Words[]): string {
  return [
    `_${program}() {`,
    `  local words="${top.join(' ')}" word`,
    `  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do`,
    '    case $word in',
    ...subcommands.map(
      ({ subcommand, words }) => `      ${subcommand}) words="${words.join(' ')}"; break ;;`,
    ),
    '    esac',
    '  done',
    `  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
    '}',
    `complete -o default -F _${program} ${program}`,
    '',
  ].join('\n');
}

function printZsh(program: string, top: readonly string[], subcommands: readonly Words[]): string {
  return [
    `#compdef ${program}`,
    `_${program}() {`,
    `  local -a offered=(${top.join(' ')})`,
    '  local word',
    `  for word in \${words[2,CURRENT-1]}; do`,
    '    case $word in',
    ...subcommands.map(
      ({ subcommand, words }) => `      ${subcommand}) offered=(${words.join(' ')}); break ;;`,
    ),
    '    esac',
    '  done',
    '  compadd -a offered',
    '  _files',
    '}',
    `compdef _${program} ${program}`,
    '',
  ].join('\n');
}

function printFish(program: string, top: readonly string[], subcommands: readonly Words[]): string {
  const names = subcommands.map(({ subcommand }) => subcommand).join(' ');
  return [
    `complete -c ${program} -n "not __fish_seen_subcommand_from ${names}" -a "${top.join(' ')}"`,
    ...subcommands.map(
      ({ subcommand, words }) =>
        `complete -c ${program} -n "__fish_seen_subcommand_from ${subcommand}" ` +
        `-a "${words.join(' ')}"`,
    ),
    '',
  ].join('\n');
}

function printElvish(
  program: string,
  top: readonly string[],
  subcommands: readonly Words[],
): string {
  return [
    `set edit:completion:arg-completer[${program}] = {|@words|`,
    '  var known = [',
    ...subcommands.map(({ subcommand, words }) => `    &${subcommand}=[${words.join(' ')}]`),
    '  ]',
    `  var offered = [${top.join(' ')}]`,
    '  for word $words[1..-1] {',
    '    if (has-key $known $word) { set offered = $known[$word]; break }',
    '  }',
    '  all $offered',
    '}',
    '',
  ].join('\n');
}

function printPowershell(
  program: string,
  top: readonly string[],
  subcommands: readonly Words[],
): string {
  const list = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');
  return [
    `Register-ArgumentCompleter -Native -CommandName ${program} -ScriptBlock {`,
    '  param($word, $line, $cursor)',
    '  $known = @{',
    ...subcommands.map(({ subcommand, words }) => `    '${subcommand}' = @(${list(words)})`),
    '  }',
    `  $offered = @(${list(top)})`,
    '  foreach ($element in $line.CommandElements) {',
    '    if ($known.ContainsKey("$element")) { $offered = $known["$element"]; break }',
    '  }',
    '  $offered | Where-Object { $_ -like "$word*" }',
    '}',
    '',
  ].join('\n');
}
