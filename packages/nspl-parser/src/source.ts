import type { Diagnostic } from './diagnostics.js';
import { Lexer, type Segment } from './lexer.js';
import { ByteOffsets, type TextRange, utf8Length } from './spans.js';

/** Longest text that is parsed, in bytes. */
export const SOURCE_BYTES_MAX: number = 16 * 1024 * 1024;

/** A text as tokens, a statement at a time. Whatever reads texts reads them through this. */
export class Source {
  readonly text: string;
  readonly bytes: ByteOffsets;
  readonly #lexer: Lexer;
  readonly #sizeDefect: Diagnostic | undefined;

  /** @param comments collects the ranges of comments as the text is read */
  constructor(text: string, comments?: TextRange[]) {
    this.#sizeDefect = sizeDefect(text);
    // A text that is too long has no statements, nor is it looked at any further.
    this.text = this.#sizeDefect === undefined ? text : '';
    this.bytes = new ByteOffsets(this.text);
    this.#lexer = new Lexer(this.text, comments);
  }

  /** The next statement's tokens, of which there may be none; undefined at the end of the text. */
  next(): Segment | undefined {
    return this.#lexer.next();
  }

  /** Whether the text is too long or something in what was read of it is no token. */
  get hasDefects(): boolean {
    return this.#sizeDefect !== undefined || this.#lexer.defects.length > 0;
  }

  /** What keeps the text from being split into tokens; all of it behind the last statement. */
  defects(): readonly Diagnostic[] {
    if (this.#sizeDefect !== undefined) return [this.#sizeDefect];
    return this.#lexer.defects.map(({ message, start, end }) => ({
      code: 'NSPL_LEX',
      stage: 'lex',
      message,
      span: this.bytes.span(start, end),
    }));
  }
}

function sizeDefect(text: string): Diagnostic | undefined {
  if (text.length * 3 <= SOURCE_BYTES_MAX) return undefined;
  if (text.length <= SOURCE_BYTES_MAX && utf8Length(text) <= SOURCE_BYTES_MAX) return undefined;
  return tooLarge();
}

/** The refusal of a text of more than {@link SOURCE_BYTES_MAX} bytes, which need not be read for it. */
export function tooLarge(): Diagnostic {
  const message = `text exceeds ${SOURCE_BYTES_MAX} bytes`;
  return { code: 'NSPL_TOO_LARGE', stage: 'lex', message, span: { start: 0, end: 0 } };
}

/** A text split into tokens, unless it is too long or holds something that is none. */
export type OpenedText =
  | { readonly kind: 'lexed'; readonly segments: readonly Segment[]; readonly source: Source }
  | { readonly kind: 'refused'; readonly errors: readonly Diagnostic[] };

/** Splits the whole of a text into tokens. */
export function openText(text: string): OpenedText {
  const source = new Source(text);
  const segments: Segment[] = [];
  for (let segment = source.next(); segment !== undefined; segment = source.next()) {
    segments.push(segment);
  }
  if (source.hasDefects) return { kind: 'refused', errors: source.defects() };
  return { kind: 'lexed', segments, source };
}
