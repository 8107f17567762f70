/** A step of a JSON path: a member name or an array index. */
export type JsonPathStep =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number };

/** The steps of a path, or what is wrong with it. */
export type JsonPathResult =
  | { readonly kind: 'path'; readonly steps: readonly JsonPathStep[] }
  | { readonly kind: 'defect'; readonly defect: string };

const STEPS_MAX = 64;
const INDEX_MAX = 4294967295;
const MEMBER = /[A-Za-z_][A-Za-z0-9_]*/y;
const INDEX = /0|[1-9][0-9]*/y;
/** A JSON string; raw control characters are excluded. */
const QUOTED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what JSON refuses.
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*"/y;

const encodedLength = (text: string): number => {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
};

/** Reads `$.name["other name"][3]`; defects name the byte they were found at. */
export function readJsonPath(text: string): JsonPathResult {
  const defect = (reason: string): JsonPathResult => ({ kind: 'defect', defect: reason });
  const byteAt = (position: number): number => encodedLength(text.slice(0, position));
  if (!text.startsWith('$')) return defect("a path starts with '$'");
  const steps: JsonPathStep[] = [];
  let position = 1;
  while (position < text.length) {
    if (steps.length === STEPS_MAX) return defect(`a path takes at most ${STEPS_MAX} steps`);
    const opener = text[position];
    if (opener !== '.' && opener !== '[') {
      return defect(`expected '.' or '[' at byte ${byteAt(position)}`);
    }
    const read = opener === '.' ? readMember(text, position + 1) : readIndex(text, position + 1);
    if ('reason' in read) return defect(read.reason.replace('#', String(byteAt(read.at))));
    steps.push(read.step);
    position = read.next;
  }
  return { kind: 'path', steps };
}

type StepResult =
  | { readonly step: JsonPathStep; readonly next: number }
  | { readonly reason: string; readonly at: number };

/** Text of `pattern` at `position`, if it stands there. */
function match(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0];
}

function readMember(text: string, position: number): StepResult {
  const name = match(MEMBER, text, position);
  if (name === undefined) {
    const reason =
      'expected a member name of letters, digits and underscores not starting with a digit ' +
      'at byte #; write any other name as ["name"]';
    return { reason, at: position };
  }
  return { step: { kind: 'member', name }, next: position + name.length };
}

function readIndex(text: string, position: number): StepResult {
  const first = text[position] ?? '';
  if (first === '"') return readQuoted(text, position);
  if (!/[0-9]/u.test(first)) {
    return {
      reason: 'expected an array index or a double-quoted member name at byte #',
      at: position,
    };
  }
  const digits = match(/[0-9]+/y, text, position) ?? '';
  if (match(INDEX, text, position) !== digits || Number(digits) > INDEX_MAX) {
    const reason =
      'array index at byte # is not an integer from 0 to 4294967295 without leading zeros';
    return { reason, at: position };
  }
  return closed(text, position + digits.length, { kind: 'index', index: Number(digits) });
}

function readQuoted(text: string, position: number): StepResult {
  const defect = { reason: 'member name at byte # is not a valid JSON string', at: position };
  const quoted = match(QUOTED, text, position);
  if (quoted === undefined) return defect;
  const name: unknown = JSON.parse(quoted);
  if (typeof name !== 'string' || !name.isWellFormed()) return defect;
  return closed(text, position + quoted.length, { kind: 'member', name });
}

function closed(text: string, position: number, step: JsonPathStep): StepResult {
  if (text[position] !== ']') return { reason: "expected ']' at byte #", at: position };
  return { step, next: position + 1 };
}

/** Normalised text: `.name` where a member allows it, else `["name"]`. */
export function printJsonPath(steps: readonly JsonPathStep[]): string {
  let text = '$';
  for (const step of steps) {
    if (step.kind === 'index') text += `[${step.index}]`;
    else if (/^[A-Za-z_][A-Za-z0-9_]*$/u.test(step.name)) text += `.${step.name}`;
    else text += `[${JSON.stringify(step.name)}]`;
  }
  return text;
}
