/** A step of a pattern: any run, any one character, or a character. */
type Step = { readonly kind: 'run' } | { readonly kind: 'any' } | Literal;
interface Literal {
  readonly kind: 'literal';
  readonly character: string;
}

/** A pattern of `%`, `_` and characters that a whole text is matched against, without backtracking. */
export class LikePattern {
  readonly #steps: readonly Step[];
  readonly #fold: (character: string) => string;

  /** @param ignoresCase compares characters by their simple case folding */
  constructor(pattern: string, ignoresCase: boolean) {
    this.#fold = ignoresCase ? foldCharacter : (character) => character;
    this.#steps = readSteps(pattern, this.#fold);
  }

  /** Whether the whole text matches: after a run only the last one is ever tried again. */
  test(text: string): boolean {
    const characters = Array.from(text, this.#fold);
    const steps = this.#steps;
    let at = 0;
    let step = 0;
    let runStep = -1;
    let runAt = 0;
    while (at < characters.length) {
      const wanted = steps[step];
      if (wanted?.kind === 'run') {
        runStep = step;
        runAt = at;
        step += 1;
      } else if (wanted !== undefined && takes(wanted, characters[at] as string)) {
        at += 1;
        step += 1;
      } else if (runStep >= 0) {
        runAt += 1;
        at = runAt;
        step = runStep + 1;
      } else {
        return false;
      }
    }
    return steps.slice(step).every(({ kind }) => kind === 'run');
  }
}

function takes(step: Step, character: string): boolean {
  return step.kind === 'any' || (step.kind === 'literal' && step.character === character);
}

function readSteps(pattern: string, fold: (character: string) => string): readonly Step[] {
  const steps: Step[] = [];
  let isEscaped = false;
  for (const character of pattern) {
    if (!isEscaped && character === '\\') {
      isEscaped = true;
      continue;
    }
    if (!isEscaped && character === '%') steps.push({ kind: 'run' });
    else if (!isEscaped && character === '_') steps.push({ kind: 'any' });
    else steps.push({ kind: 'literal', character: fold(character) });
    isEscaped = false;
  }
  if (isEscaped) steps.push({ kind: 'literal', character: '\\' });
  return steps;
}

/** Characters whose simple folding is not what their case mappings say. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ['\u0130', '\u0130'],
  ['\u0131', '\u0131'],
  ['\u1fd3', '\u0390'],
  ['\u1fe3', '\u03b0'],
  ['\ufb05', '\ufb06'],
]);

/** One character for all that differ only by simple case folding. */
export function foldCharacter(character: string): string {
  const exception = EXCEPTIONS.get(character);
  if (exception !== undefined) return exception;
  const upper = character.toUpperCase();
  const base = isSingle(upper) ? upper : character;
  const lower = base.toLowerCase();
  return isSingle(lower) ? lower : base;
}

function isSingle(text: string): boolean {
  return text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff);
}
