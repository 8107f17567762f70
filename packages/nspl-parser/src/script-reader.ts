import type { SourceSpan } from '@nervix/model';
import type { IToken } from 'chevrotain';
import type { Diagnostic } from './diagnostics.js';
import type { Segment } from './lexer.js';
import { Source } from './source.js';
import type { NameNote, TextRange } from './spans.js';
import { type ParseOptions, readSegment, type StatementResult } from './statement-reader.js';

/** Refusals of one script that are described. */
export const REFUSALS_MAX: number = 1_000;

/** How a script is read. */
export interface ScriptOptions extends ParseOptions {
  /** Collects the ranges of comments as the script is read. */
  readonly comments?: TextRange[];
  /** Whether statements are read, too, of a text in which something is no token, without that. */
  readonly isTolerant?: boolean;
  /** Whether the names of statements are collected. */
  readonly hasNames?: boolean;
}

/** A statement of a script, read or refused. */
export interface ScriptStatement {
  readonly first: IToken;
  /** Its `;`, or the last token of one without. */
  readonly last: IToken;
  readonly result: StatementResult;
  /** In text order, also those before a refusal; none unless they are asked for. */
  readonly names: readonly NameNote[];
}

/**
 * Reads the statements of a script one by one, under the limits that hold for every script: its
 * length, that all of it must be tokens, and how many refusals are described.
 */
export class ScriptReader {
  readonly source: Source;
  readonly #options: ScriptOptions;
  readonly #refusals: Diagnostic[] = [];

  constructor(text: string, options: ScriptOptions = {}) {
    this.source = new Source(text, options.comments);
    this.#options = options;
  }

  /**
   * The next statement; undefined at the end of the text. Behind something that is no token, unless
   * the reader is tolerant, and behind too many refusals the rest is only searched for more of what
   * is no token.
   */
  next(): ScriptStatement | undefined {
    const { source } = this;
    for (let segment = source.next(); segment !== undefined; segment = source.next()) {
      const [first] = segment.tokens;
      const last = segment.terminator ?? segment.tokens.at(-1);
      if (first === undefined || last === undefined || this.#isOver()) continue;
      if (this.#refusals.length < REFUSALS_MAX) return this.#read(segment, first, last);
      this.#refusals.push(tooMany(source.bytes.span(first.startOffset, source.text.length)));
    }
    return undefined;
  }

  /** Whether nothing that follows is read or refused any more. */
  #isOver(): boolean {
    const isTolerant = this.#options.isTolerant === true;
    return this.#refusals.length > REFUSALS_MAX || (this.source.hasDefects && !isTolerant);
  }

  #read(segment: Segment, first: IToken, last: IToken): ScriptStatement {
    const { grammar = 'client', hasNames = false } = this.#options;
    const names: NameNote[] = [];
    const options = hasNames ? { grammar, names } : { grammar };
    const result = readSegment(this.source, segment, options);
    if (result.kind === 'refused') this.#refusals.push(...result.errors);
    return { first, last, result, names };
  }

  /** Why the script is refused, once all statements have been read; none if it is not. */
  errors(): readonly Diagnostic[] {
    return this.source.hasDefects ? this.source.defects() : this.#refusals;
  }
}

function tooMany(span: SourceSpan): Diagnostic {
  const message = `${REFUSALS_MAX} statements were refused; the rest of the text was not read`;
  return { code: 'NSPL_TOO_MANY', stage: 'parse', message, span };
}
