import type { Statement } from '@nervix/model';
import type { Diagnostic } from '../diagnostics.js';
import { ScriptReader } from '../script-reader.js';
import type { TextRange } from '../spans.js';
import { endOf } from '../tokens.js';

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
  const comments: TextRange[] = [];
  const reader = new ScriptReader(text, { comments });
  const items: ScriptItem[] = [];
  let next = 0;
  /** How many of the comments not looked at yet begin before an offset. */
  const commentsBefore = (offset: number): readonly TextRange[] => {
    const first = next;
    while ((comments[next]?.start ?? offset) < offset) next += 1;
    return comments.slice(first, next);
  };
  for (let read = reader.next(); read !== undefined; read = reader.next()) {
    const { first, last, result } = read;
    if (result.kind === 'refused') continue;
    const { statement, text: source } = result.parsed;
    const range = { start: first.startOffset, end: endOf(last) };
    // One by one: a text may hold more of them than a call takes arguments.
    for (const comment of commentsBefore(range.start)) items.push(commentItem(text, comment));
    const hasComment = commentsBefore(range.end).length > 0;
    items.push({ kind: 'statement', ...range, statement, source, hasComment });
  }
  const errors = reader.errors();
  if (errors.length > 0) return { kind: 'refused', errors };
  for (const comment of commentsBefore(text.length)) items.push(commentItem(text, comment));
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
