import { type CommandLine, ScriptError } from './script-file.ts';

/** From one member to another; `undefined` stands for any. */
export interface Link {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** Words of a command in order, taken one after the other; none may be left over. */
export class CommandWords {
  readonly place: string;
  readonly name: string;
  readonly isQuiet: boolean;
  readonly #words: string[];

  constructor(line: CommandLine) {
    this.place = line.place;
    const words = line.text.trim().split(/\s+/);
    this.isQuiet = words[0] === 'quietly';
    if (this.isQuiet) words.shift();
    this.name = words.shift() ?? '';
    this.#words = words;
  }

  fail(text: string): never {
    throw new ScriptError(`${this.place}: ${text}`);
  }

  /** Fails if a word was not understood. */
  end(): void {
    const [word] = this.#words;
    if (word !== undefined) this.fail(`'${word}' means nothing to '${this.name}'`);
  }

  get isEmpty(): boolean {
    return this.#words.length === 0;
  }

  /** The next word. */
  word(meaning: string): string {
    return this.#words.shift() ?? this.fail(`'${this.name}' needs ${meaning}`);
  }

  rest(): readonly string[] {
    return this.#words.splice(0);
  }

  /** Whether the word is there, anywhere. */
  flag(word: string): boolean {
    const at = this.#words.indexOf(word);
    if (at >= 0) this.#words.splice(at, 1);
    return at >= 0;
  }

  /** The value of `key=value`, anywhere. */
  value(key: string): string | undefined {
    const at = this.#words.findIndex((word) => word.startsWith(`${key}=`));
    return at < 0 ? undefined : this.#words.splice(at, 1)[0]?.slice(key.length + 1);
  }

  number(meaning: string): number {
    return this.numberIn(this.word(meaning));
  }

  /** The next word if it is a number. */
  optionalNumber(): number | undefined {
    const [word] = this.#words;
    return word !== undefined && /^\d+$/.test(word) ? this.number('a number') : undefined;
  }

  numberIn(word: string): number {
    return /^\d+$/.test(word) ? Number(word) : this.fail(`'${word}' is not a whole number`);
  }

  numbersIn(word: string): readonly number[] {
    return word.split(',').map((part) => this.numberIn(part));
  }

  /** The value of `key=number`, anywhere. */
  big(key: string, otherwise: bigint): bigint {
    const word = this.value(key);
    return word === undefined ? otherwise : BigInt(this.numberIn(word));
  }

  /** The value of `key=index/term`, anywhere. */
  position(key: string): { readonly index: bigint; readonly term: bigint } {
    const word = this.value(key) ?? '0/0';
    const [index, term] = word.split('/').map((part) => BigInt(this.numberIn(part)));
    if (index === undefined || term === undefined) this.fail(`'${word}' is no index/term`);
    return { index, term };
  }

  /** The next word if it is a link such as `1>2`, `1>*` or `*>2`; else any link. */
  link(): Link {
    const match = /^(\d+|\*)>(\d+|\*)$/.exec(this.#words[0] ?? '');
    if (match === null) return { from: undefined, to: undefined };
    this.#words.shift();
    const [from, to] = match.slice(1).map((end) => (end === '*' ? undefined : Number(end)));
    return { from, to };
  }

  /** The next word as a link between two members. */
  pair(): { readonly from: number; readonly to: number } {
    const { from, to } = this.link();
    if (from === undefined || to === undefined) return this.fail(`'${this.name}' needs a link`);
    return { from, to };
  }
}
