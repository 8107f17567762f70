import type { Statement } from '@nervix/model';
import type { Diagnostic } from '../diagnostics.js';
import { Lexer } from '../lexer.js';
import { endOf, lexErrors, readSegment, sizeDefect } from '../parse.js';
import { ByteOffsets, type TextRange } from '../spans.js';

/** A statement of a script, its `;` included. */
export interface StatementItem extends TextRange {
  readonly kind: 'statement';
  readonly statement: Statement;
  /** As it was written. */
  readonly source: string;
  /** Whether comments stand between its tokens. */
  readonly hasComment: boolean;
}

/** A comment that is no part of a statement. */
export interface CommentItem extends TextRange {
  readonly kind: 'comment';
  /** From its slashes on, without blanks at its end. */
  readonly source: string;
}

export type ScriptItem = StatementItem | CommentItem;

export type ScriptItems =
  | { readonly kind: 'read'; readonly items: readonly ScriptItem[] }
  | { readonly kind: 'refused'; readonly errors: readonly Diagnostic[] };

/** Reads a script as what a formatter has to lay out: statements and the comments around them. */
export function readItems(text: string): ScriptItems {
  const tooLarge = sizeDefect(text);
  if (tooLarge !== undefined) return { kind: 'refused', errors: [tooLarge] };
  const bytes = new ByteOffsets(text);
  const comments: TextRange[] = [];
  const lexer = new Lexer(text, comments);
  const items: ScriptItem[] = [];
  const errors: Diagnostic[] = [];
  let next = 0;
  /** How many of the comments not looked at yet begin before an offset. */
  const commentsBefore = (offset: number): readonly TextRange[] => {
    const first = next;
    while ((comments[next]?.start ?? offset) < offset) next += 1;
    return comments.slice(first, next);
  };
  for (let segment = lexer.next(); segment !== undefined; segment = lexer.next()) {
    const [first] = segment.tokens;
    const last = segment.terminator ?? segment.tokens.at(-1);
    if (first === undefined || last === undefined || lexer.defects.length > 0) continue;
    const result = readSegment(text, bytes, segment);
    if (result.kind === 'refused') {
      errors.push(...result.errors);
      continue;
    }
    const { statement, text: source } = result.parsed;
    const range = { start: first.startOffset, end: endOf(last) };
    items.push(...commentsBefore(range.start).map((comment) => commentItem(text, comment)));
    const hasComment = commentsBefore(range.end).length > 0;
    items.push({ kind: 'statement', ...range, statement, source, hasComment });
  }
  if (lexer.defects.length > 0) return { kind: 'refused', errors: lexErrors(lexer, bytes) };
  if (errors.length > 0) return { kind: 'refused', errors };
  items.push(...commentsBefore(text.length).map((comment) => commentItem(text, comment)));
  return { kind: 'read', items };
}

function commentItem(text: string, { start, end }: TextRange): CommentItem {
  let last = end;
  while (isBlank(text.charCodeAt(last - 1))) last -= 1;
  return { kind: 'comment', start, end, source: text.slice(start, last) };
}

/** Whether a code unit is ASCII white space; wider blanks are the author's own. */
function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
