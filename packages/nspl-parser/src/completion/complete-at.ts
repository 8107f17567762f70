import { expectationsOf } from '../expectations.js';
import { Lexer } from '../lexer.js';
import { STATEMENT_RULE, statementParser } from '../parser.js';
import { ByteOffsets } from '../spans.js';
import type { Catalog } from './catalog.js';
import type { Completion, CompletionItem } from './completion.js';

/**
 * What may stand at a place of a text. Only the statement that holds the place counts.
 *
 * @param offset the cursor, in bytes
 * @param catalog what exists; names are offered from it
 */
export function completeAt(text: string, offset: number, catalog: Catalog = {}): Completion {
  const bytes = new ByteOffsets(text);
  const cursor = Math.max(0, Math.min(text.length, Math.trunc(offset)));
  const prefix = /[A-Za-z0-9_]*$/u.exec(text.slice(0, cursor))?.[0] ?? '';
  const suffix = /^[A-Za-z0-9_]*/u.exec(text.slice(cursor))?.[0] ?? '';
  const replace = bytes.span(cursor - prefix.length, cursor + suffix.length);
  const lexer = new Lexer(text.slice(0, cursor - prefix.length));
  let tokens = lexer.next()?.tokens ?? [];
  for (let segment = lexer.next(); segment !== undefined; segment = lexer.next()) {
    tokens = segment.tokens;
  }
  const start = statementParser().host.recorded()[STATEMENT_RULE];
  if (lexer.defects.length > 0 || start === undefined)
    return { items: [], placeholders: [], replace };
  const { labels, position } = expectationsOf(start, tokens);
  const items: CompletionItem[] = [];
  const placeholders: string[] = [];
  for (const label of position === tokens.length ? [...labels].sort() : []) {
    if (!/^[a-z]/u.test(label)) {
      const kind = label.includes(' ')
        ? 'phrase'
        : /^[A-Z]/u.test(label)
          ? 'keyword'
          : 'punctuation';
      items.push({ label, kind, insertText: label });
    } else if (label.startsWith('ref:')) {
      for (const name of catalog.names?.(label.slice(4)) ?? []) {
        items.push({ label: name, kind: 'reference', insertText: name, detail: label });
      }
    } else placeholders.push(label);
  }
  const typed = prefix.toLowerCase();
  return {
    items: items.filter((item) => item.label.toLowerCase().startsWith(typed)),
    placeholders,
    replace,
  };
}
