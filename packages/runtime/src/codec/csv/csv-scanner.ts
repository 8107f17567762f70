const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Stands for a character that no byte is. */
const NONE = -1;

/** How documents are divided. */
export interface CsvDialect {
  /** One ASCII character. */
  readonly delimiter: string;
  /** One ASCII character, or null when nothing is quoted. */
  readonly quote: string | null;
  /** Whether a quote inside an unquoted field is an error. */
  readonly strict: boolean;
}

/** Finds the records of a document and the fields of each, without reading their texts. */
export class CsvScanner {
  /** Behind the record read last and its line end; at the byte at fault after a failure. */
  position = 0;
  /** Of the record read last; after a failure the fields before the one at fault. */
  fieldCount = 0;
  /** Where the text of each field begins and ends, without the quotes around it. */
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly isQuoted: boolean[] = [];
  /** Whether the text of a field holds quotes, each written twice. */
  readonly isDoubled: boolean[] = [];
  readonly #delimiter: number;
  readonly #quote: number;
  readonly #isStrict: boolean;
  #bytes: Uint8Array = new Uint8Array(0);
  #end = 0;

  constructor(dialect: CsvDialect) {
    this.#delimiter = dialect.delimiter.charCodeAt(0);
    this.#quote = dialect.quote === null ? NONE : dialect.quote.charCodeAt(0);
    this.#isStrict = dialect.strict;
  }

  /** Starts on the document `bytes[start..end)`. */
  open(bytes: Uint8Array, start: number, end: number): void {
    this.#bytes = bytes;
    this.position = start;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.position >= this.#end;
  }

  /** Moves past line ends that follow one another. */
  skipEmptyLines(): void {
    for (;;) {
      const length = this.#lineEnd(this.position);
      if (length === 0) return;
      this.position += length;
    }
  }

  /**
   * Reads the record at `position`, which is not the end.
   *
   * @returns undefined, or what is wrong with it
   */
  record(): string | undefined {
    this.fieldCount = 0;
    for (;;) {
      const isQuoted = this.position < this.#end && this.#bytes[this.position] === this.#quote;
      const defect = isQuoted ? this.#quoted() : this.#unquoted();
      if (defect !== undefined) return defect;
      this.fieldCount += 1;
      if (this.position >= this.#end) return undefined;
      if (this.#bytes[this.position] === this.#delimiter) {
        this.position += 1;
        continue;
      }
      const length = this.#lineEnd(this.position);
      this.position += length;
      if (length > 0) return undefined;
      this.fieldCount -= 1;
      return 'text after a closing quote';
    }
  }

  /** Length of the line end at `at`: 0 when there is none. */
  #lineEnd(at: number): number {
    if (at >= this.#end) return 0;
    if (this.#bytes[at] === LINE_FEED) return 1;
    const isPair = this.#bytes[at] === CARRIAGE_RETURN && at + 1 < this.#end;
    return isPair && this.#bytes[at + 1] === LINE_FEED ? 2 : 0;
  }

  #unquoted(): string | undefined {
    const bytes = this.#bytes;
    const start = this.position;
    let at = start;
    for (; at < this.#end; at += 1) {
      const byte = bytes[at];
      if (byte === this.#delimiter || byte === LINE_FEED) break;
      if (byte === CARRIAGE_RETURN && this.#lineEnd(at) === 2) break;
      if (byte === this.#quote && this.#isStrict) {
        this.position = at;
        return 'quote inside an unquoted field';
      }
    }
    this.#note(start, at, false, false);
    this.position = at;
    return undefined;
  }

  #quoted(): string | undefined {
    const bytes = this.#bytes;
    const start = this.position + 1;
    let isDoubled = false;
    for (let at = start; at < this.#end; at += 1) {
      if (bytes[at] !== this.#quote) continue;
      if (at + 1 < this.#end && bytes[at + 1] === this.#quote) {
        isDoubled = true;
        at += 1;
        continue;
      }
      this.#note(start, at, true, isDoubled);
      this.position = at + 1;
      return undefined;
    }
    return 'missing closing quote';
  }

  #note(start: number, end: number, isQuoted: boolean, isDoubled: boolean): void {
    const index = this.fieldCount;
    this.starts[index] = start;
    this.ends[index] = end;
    this.isQuoted[index] = isQuoted;
    this.isDoubled[index] = isDoubled;
  }
}
