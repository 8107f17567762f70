/** A fault of a script itself, at a place in its file. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';
}

/** One command as it stands in a file. */
export interface CommandLine {
  readonly text: string;
  /** `file:line`. */
  readonly place: string;
}

/** Commands and what they are recorded to print. */
export interface ScriptBlock {
  readonly kind: 'block';
  readonly commands: readonly CommandLine[];
  readonly expected: readonly string[];
  /** `file:line` of the first recorded line. */
  readonly place: string;
}

/** A comment or an empty line; kept as it is when the file is rewritten. */
interface ScriptRemark {
  readonly kind: 'remark';
  readonly text: string;
}

/** A file of commands and their recorded output. */
export interface Script {
  readonly name: string;
  readonly parts: readonly (ScriptBlock | ScriptRemark)[];
}

const RULE = '----';

/**
 * Reads a script: blocks of commands, each followed by a line of four hyphens and the recorded
 * output, which ends at an empty line. Lines that begin with `#` are comments.
 */
export function parseScript(name: string, text: string): Script {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const parts: (ScriptBlock | ScriptRemark)[] = [];
  let commands: CommandLine[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const place = `${name}:${at + 1}`;
    if (line === RULE) {
      if (commands.length === 0)
        throw new ScriptError(`${place}: a rule follows at least one command`);
      const end = endOfOutput(lines, at + 1);
      const expected = lines.slice(at + 1, end);
      parts.push({ kind: 'block', commands, expected, place: `${name}:${at + 2}` });
      commands = [];
      at = end - 1;
    } else if (line.trim() === '' || line.startsWith('#')) {
      const open = commands.at(-1);
      if (open !== undefined) throw new ScriptError(`${open.place}: no line '${RULE}' follows`);
      parts.push({ kind: 'remark', text: line });
    } else commands.push({ text: line, place });
  }
  const open = commands.at(-1);
  if (open !== undefined) throw new ScriptError(`${open.place}: no line '${RULE}' follows`);
  return { name, parts };
}

function endOfOutput(lines: readonly string[], from: number): number {
  const end = lines.indexOf('', from);
  return end < 0 ? lines.length : end;
}

export function blocksOf(script: Script): readonly ScriptBlock[] {
  return script.parts.filter((part) => part.kind === 'block');
}

/** The text of a script with other outputs, one for each block. */
export function rewriteScript(script: Script, outputs: readonly (readonly string[])[]): string {
  const rest = [...outputs];
  const lines = script.parts.flatMap((part) => {
    if (part.kind === 'remark') return [part.text];
    return [...part.commands.map(({ text }) => text), RULE, ...(rest.shift() ?? [])];
  });
  return `${lines.join('\n')}\n`;
}

/** The values of comments of the form `# <label>: <value>`, in order. */
export function remarksOf(script: Script, label: string): readonly string[] {
  const start = `# ${label}: `;
  return script.parts.flatMap((part) =>
    part.kind === 'remark' && part.text.startsWith(start) ? [part.text.slice(start.length)] : [],
  );
}
