import { canonicalName, type SourceSpan } from '@nervix/model';
import type { Diagnostic } from './diagnostics.js';
import { ScriptReader } from './script-reader.js';
import { Source } from './source.js';
import type { ParsedStatement } from './statement-reader.js';
import { partOf } from './text-part.js';
import { endOf, isWord } from './tokens.js';

/** A word of a statement that names something. */
export interface NameInText {
  /**
   * The slot it fills: `ref:<kind>` for a reference to what exists, `<kind>_name` for the name of
   * something new, another label for a name of a part, such as `field_name`.
   */
  readonly label: string;
  /** In the form in which names are stored and compared. */
  readonly name: string;
  readonly span: SourceSpan;
}

/** A statement of a script as an editor sees it, whether it can be read or not. */
export interface StatementOutline {
  /** From its first token to just past its `;`. */
  readonly span: SourceSpan;
  /** What it begins with, in upper case: `CREATE`. */
  readonly head: string;
  /** Undefined when the statement is refused. */
  readonly parsed: ParsedStatement | undefined;
  /** In text order; of a refused statement those that were read before the refusal. */
  readonly names: readonly NameInText[];
}

/** The statements of a script and what they name. */
export interface ScriptOutline {
  readonly statements: readonly StatementOutline[];
  /** As `parseScript` gives them. */
  readonly errors: readonly Diagnostic[];
}

/**
 * Reads as much of a script as can be read, for tools that work on texts while they are written.
 * Unlike `parseScript` it also reads the statements of a text in which something is no token, as if
 * that were not there; the errors are then the lexical ones alone.
 */
export function outlineScript(text: string): ScriptOutline {
  const reader = new ScriptReader(text, { isTolerant: true, hasNames: true });
  const { bytes } = reader.source;
  const statements: StatementOutline[] = [];
  for (let read = reader.next(); read !== undefined; read = reader.next()) {
    const { first, last, result, names } = read;
    statements.push({
      span: bytes.span(first.startOffset, endOf(last)),
      head: first.image.toUpperCase(),
      parsed: result.kind === 'parsed' ? result.parsed : undefined,
      names: names.map(({ label, start, end }) => ({
        label,
        name: storedName(partOf(text, start, end)),
        span: bytes.span(start, end),
      })),
    });
  }
  return { statements, errors: reader.errors() };
}

/** A word of a text, keyword or not. */
export interface WordInText {
  readonly text: string;
  readonly span: SourceSpan;
}

/** The words of a text in their order: what is neither string nor number, comment nor sign. */
export function wordsIn(text: string): readonly WordInText[] {
  const source = new Source(text);
  const words: WordInText[] = [];
  for (let segment = source.next(); segment !== undefined; segment = source.next()) {
    for (const token of segment.tokens) {
      const span = source.bytes.span(token.startOffset, endOf(token));
      if (isWord(token)) words.push({ text: token.image, span });
    }
  }
  return words;
}

function storedName(image: string): string {
  return canonicalName(image.startsWith('`') ? image.slice(1, -1) : image);
}
