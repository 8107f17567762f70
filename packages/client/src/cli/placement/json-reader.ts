import { usageError } from '../command-line-error.js';

/** Reads one parsed JSON value as what it has to be; a fault is told with its place. */
export class JsonReader {
  readonly #value: unknown;
  readonly #file: string;
  readonly #path: string;

  /**
   * @param file what the value was read from
   * @param path where it stands there, such as `rules[2].from`; empty for the whole
   */
  constructor(value: unknown, file: string, path = '') {
    this.#value = value;
    this.#file = file;
    this.#path = path;
  }

  /** @throws CommandLineError always */
  refuse(reason: string): never {
    const place = this.#path === '' ? this.#file : `${this.#file}: ${this.#path}`;
    throw usageError(`${place}: ${reason}`);
  }

  get isPresent(): boolean {
    return this.#value !== undefined;
  }

  get isText(): boolean {
    return typeof this.#value === 'string';
  }

  text(): string {
    if (typeof this.#value === 'string' && this.#value !== '') return this.#value;
    return this.refuse('it must be a text that is not empty');
  }

  /** One of the given texts. */
  choice<Text extends string>(choices: readonly Text[]): Text {
    const found = choices.find((choice) => choice === this.#value);
    return found ?? this.refuse(`it must be one of ${choices.join(', ')}`);
  }

  flag(): boolean {
    if (typeof this.#value === 'boolean') return this.#value;
    return this.refuse('it must be true or false');
  }

  /** A whole number from `least` on. */
  count(least: number): number {
    const value = this.#value;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
    return this.refuse(`it must be a whole number of at least ${least}`);
  }

  list(): readonly JsonReader[] {
    const value: unknown = this.#value;
    if (!Array.isArray(value)) return this.refuse('it must be a list');
    return value.map(
      (item: unknown, index) => new JsonReader(item, this.#file, `${this.#path}[${index}]`),
    );
  }

  /** The members of an object that may have these and no others. */
  fields<Name extends string>(names: readonly Name[]): Readonly<Record<Name, JsonReader>> {
    const value = this.#value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return this.refuse('it must be an object');
    }
    const known: readonly string[] = names;
    const unknown = Object.keys(value).find((name) => !known.includes(name));
    if (unknown !== undefined) {
      this.refuse(`'${unknown}' is none of ${names.join(', ')}`);
    }
    const own = new Map<string, unknown>(Object.entries(value));
    const prefix = this.#path === '' ? '' : `${this.#path}.`;
    const readers = names.map(
      (name) => [name, new JsonReader(own.get(name), this.#file, `${prefix}${name}`)] as const,
    );
    return Object.fromEntries(readers) as Readonly<Record<Name, JsonReader>>;
  }
}
