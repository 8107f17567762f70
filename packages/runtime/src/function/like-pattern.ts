/** A step of a pattern: any run, any one character, or a character. */
type Step = { readonly kind: 'run' } | Any | Literal;
interface Any {
  readonly kind: 'any';
}
interface Literal {
  readonly kind: 'literal';
  readonly character: string;
}

/** A pattern of `%`, `_` and characters that a whole text is matched against, without backtracking. */
export class LikePattern {
  /** What lies before, between and behind the runs. */
  readonly #parts: readonly LikePart[];
  readonly #fold: (character: string) => string;

  /** @param ignoresCase compares characters by their simple case folding */
  constructor(pattern: string, ignoresCase: boolean) {
    this.#fold = ignoresCase ? foldCharacter : (character) => character;
    this.#parts = partsOf(readSteps(pattern, this.#fold)).map((steps) => new LikePart(steps));
  }

  /** Whether the whole text matches: each part between runs is best where it is found first. */
  test(text: string): boolean {
    const characters = Array.from(text, this.#fold);
    const [first, ...others] = this.#parts;
    const last = others.pop();
    if (first === undefined || !first.isAt(characters, 0)) return false;
    if (last === undefined) return first.length === characters.length;
    const end = characters.length - last.length;
    let at = first.length;
    for (const part of others) {
      at = part.find(characters, at, end);
      if (at < 0) return false;
      at += part.length;
    }
    return at <= end && last.isAt(characters, end);
  }
}

/** Bits of a word of a {@link LikePart}. */
const WORD = 32;

/** Characters of which some may be any. */
class LikePart {
  readonly #steps: readonly (Literal | Any)[];
  /** For each character the steps that take it, a bit each; for all others those that take any. */
  readonly #takers = new Map<string, Int32Array>();
  readonly #anyTakers: Int32Array;

  constructor(steps: readonly (Literal | Any)[]) {
    this.#steps = steps;
    this.#anyTakers = this.#takersOf(undefined);
    for (const step of steps) {
      if (step.kind === 'any' || this.#takers.has(step.character)) continue;
      this.#takers.set(step.character, this.#takersOf(step.character));
    }
  }

  get length(): number {
    return this.#steps.length;
  }

  #takersOf(character: string | undefined): Int32Array {
    const bits = new Int32Array(Math.ceil(this.#steps.length / WORD));
    this.#steps.forEach((step, index) => {
      if (step.kind === 'literal' && step.character !== character) return;
      bits[index >>> 5] = (bits[index >>> 5] as number) | (1 << (index & 31));
    });
    return bits;
  }

  /** Whether it stands at a position, which may be before or behind the text. */
  isAt(characters: readonly string[], position: number): boolean {
    if (position < 0 || position + this.length > characters.length) return false;
    return this.#steps.every(
      (step, index) => step.kind === 'any' || step.character === characters[position + index],
    );
  }

  /**
   * The first position from `from` on at which it ends before `to`, or -1. All beginnings are followed
   * at once, a bit each: Baeza-Yates and Gonnet, "A new approach to text searching" (1992).
   */
  find(characters: readonly string[], from: number, to: number): number {
    const { length } = this;
    if (length === 0) return from <= to ? from : -1;
    const begun = new Int32Array(this.#anyTakers.length);
    const last = begun.length - 1;
    const lastBit = 1 << ((length - 1) & 31);
    for (let at = from; at < to; at += 1) {
      const takers = this.#takers.get(characters[at] as string) ?? this.#anyTakers;
      let carried = 1;
      for (let word = 0; word <= last; word += 1) {
        const bits = begun[word] as number;
        begun[word] = ((bits << 1) | carried) & (takers[word] as number);
        carried = bits >>> 31;
      }
      if (((begun[last] as number) & lastBit) !== 0) return at + 1 - length;
    }
    return -1;
  }
}

/** The parts that runs separate. */
function partsOf(steps: readonly Step[]): readonly (readonly (Literal | Any)[])[] {
  const parts: (Literal | Any)[][] = [[]];
  for (const step of steps) {
    if (step.kind === 'run') parts.push([]);
    else parts.at(-1)?.push(step);
  }
  return parts;
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
