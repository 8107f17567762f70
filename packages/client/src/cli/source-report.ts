import type { SourceSpan } from '@nervix/model';
import { LineIndex, renderExcerpt, shownText } from '@nervix/nspl-parser';
import { isSensitiveText } from './sensitive-text.js';

/** A text with the name under which places in it are reported. */
export interface SourceText {
  readonly label: string;
  readonly text: string;
}

/** A place for programs; line and column count from 1, columns count characters. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What is known of a text once something was reported in it. */
interface KnownSource {
  readonly lines: LineIndex;
  /** Whether the lines around a line may hold a secret together, by the line's number. */
  readonly sensitive: Map<number, boolean>;
}

/** A text with many faults is taken apart once. */
const known = new WeakMap<SourceText, KnownSource>();

function knownOf(source: SourceText): KnownSource {
  const found = known.get(source) ?? {
    lines: new LineIndex(source.text),
    sensitive: new Map<number, boolean>(),
  };
  known.set(source, found);
  return found;
}

/** Where a span begins. */
export function sourcePosition(source: SourceText, span: SourceSpan): SourcePosition {
  return { file: source.label, ...knownOf(source).lines.lineColumn(span.start) };
}

/** Whether the lines that a report would show, or those beside them, may hold a secret together. */
function isSensitive({ lines, sensitive }: KnownSource, span: SourceSpan): boolean {
  const start = lines.codeUnitAt(span.start);
  const first = lines.lineAt(Math.min(start, lines.contentEnd));
  const last = lines.lineAt(Math.max(start, lines.codeUnitAt(span.end)));
  const check = (from: number, to: number): boolean =>
    isSensitiveText(
      lines.text.slice(lines.lineRange(Math.max(1, from)).start, lines.lineRange(to).end),
    );
  if (first !== last) return check(first - 1, last + 1);
  const found = sensitive.get(first) ?? check(first - 1, first + 1);
  sensitive.set(first, found);
  return found;
}

/**
 * `label:line:column: message` with the source lines and carets below. Around a secret, neither
 * the lines nor a string that the message quotes are shown.
 */
export function sourceReport(source: SourceText, span: SourceSpan, message: string): string {
  const found = knownOf(source);
  const { line, column } = found.lines.lineColumn(span.start);
  const head = `${source.label}:${line}:${column}:`;
  if (isSensitive(found, span)) {
    return `${head} ${shownLines(message.replace(/found ".*"$/s, 'found a string'))}`;
  }
  const excerpt = renderExcerpt(found.lines, span).map((row) => `  ${row}`);
  return [`${head} ${shownLines(message)}`, ...excerpt].join('\n');
}

/** A message without anything from the text that a terminal would act upon. */
function shownLines(message: string): string {
  return message.split('\n').map(shownText).join('\n');
}
