import type { RaftOptions } from '../../../src/raft/raft-options.ts';
import { configurationOf, TEST_OPTIONS } from '../core-member.ts';
import { CommandWords } from './command-words.ts';
import { blocksOf, type CommandLine, type Script, ScriptError } from './script-file.ts';
import { MOVES } from './script-moves.ts';
import { ScriptStage } from './script-stage.ts';
import { VIEWS } from './script-views.ts';

const NOTHING = '(nothing)';
/** Options of the core that are one of a few words. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  readMode: ['round', 'lease'],
};

/** Carries a script out on real cores. Returns what each block printed. */
export function runScript(script: Script): readonly (readonly string[])[] {
  let stage: ScriptStage | undefined;
  return blocksOf(script).map(({ commands }) => {
    if (stage !== undefined) stage.lines = [];
    for (const command of commands) stage = runCommand(stage, command);
    const lines = stage?.lines ?? [];
    return lines.length === 0 ? [NOTHING] : lines;
  });
}

/** Compares with what is recorded. Returns the first difference with its place and both texts. */
export function differenceIn(
  script: Script,
  outputs: readonly (readonly string[])[],
): string | undefined {
  for (const [at, { commands, expected, place }] of blocksOf(script).entries()) {
    const actual = outputs[at] ?? [];
    const count = Math.max(actual.length, expected.length);
    for (let line = 0; line < count; line += 1) {
      if (actual[line] === expected[line]) continue;
      const [file = '', first = '0'] = place.split(/:(?=\d+$)/);
      return [
        `${file}:${Number(first) + line}: the output differs`,
        ...commands.map(({ text }) => `> ${text}`),
        `recorded: ${expected[line] ?? '(end)'}`,
        `printed:  ${actual[line] ?? '(end)'}`,
        'all that was recorded:',
        ...expected,
        'all that was printed:',
        ...actual,
      ].join('\n');
    }
  }
  return undefined;
}

function runCommand(stage: ScriptStage | undefined, line: CommandLine): ScriptStage {
  const words = new CommandWords(line);
  if (words.name === 'cluster') {
    if (stage !== undefined) words.fail('a script has one cluster');
    return foundCluster(words);
  }
  if (stage === undefined) return words.fail("a script begins with 'cluster'");
  const command = MOVES[words.name] ?? VIEWS[words.name];
  if (command === undefined) return words.fail(`there is no command '${words.name}'`);
  const printed = stage.lines.length;
  try {
    command(stage, words);
    words.end();
    stage.check();
  } catch (error) {
    if (error instanceof ScriptError || !(error instanceof Error)) throw error;
    throw new ScriptError(`${line.place}: ${line.text}: ${error.message}`, { cause: error });
  }
  if (words.isQuiet) stage.lines.splice(printed);
  return stage;
}

/** `cluster 1 2 3 learners=4 option=value`, with the options of the core. */
function foundCluster(words: CommandWords): ScriptStage {
  const learners = words.numbersIn(words.value('learners') ?? '0').filter((it) => it > 0);
  const options = optionsFrom(words);
  const voters = words.rest().map((word) => words.numberIn(word));
  if (voters.length === 0) words.fail('a cluster has voters');
  const founding = configurationOf(voters, learners);
  return new ScriptStage([...voters, ...learners], founding, options);
}

function optionsFrom(words: CommandWords): Partial<RaftOptions> {
  const options: Record<string, number | string> = {};
  for (const [key, standard] of Object.entries(TEST_OPTIONS)) {
    const value = words.value(key);
    if (value === undefined) continue;
    if (typeof standard === 'number') options[key] = words.numberIn(value);
    else if (CHOICES[key]?.includes(value)) options[key] = value;
    else words.fail(`'${value}' is no ${key}`);
  }
  return options;
}
