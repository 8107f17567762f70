import type { SourceSpan } from '@nervix/model';
import type { Diagnostic, DiagnosticCode } from './diagnostics.js';
import { shownText } from './display-cells.js';
import { excerptRows } from './excerpt.js';
import { type LineColumn, LineIndex } from './line-index.js';

/** How diagnostics are shown. */
export interface RenderOptions {
  /** What to call the text, such as a file name; `nspl` by default. */
  readonly source?: string;
  /** Whether to colour with ANSI sequences; by default not. */
  readonly hasColor?: boolean;
}

/** A diagnostic for programs. */
export interface DiagnosticJson {
  readonly code: DiagnosticCode;
  readonly stage: 'lex' | 'parse';
  readonly message: string;
  /** Absent where there is none. */
  readonly hint?: string;
  readonly source: string;
  /** Half-open range of UTF-8 byte offsets. */
  readonly span: SourceSpan;
  readonly start: LineColumn;
  readonly end: LineColumn;
}

const DEFAULT_SOURCE = 'nspl';

type Style = 'fault' | 'message' | 'frame';
const ANSI: Readonly<Record<Style, string>> = { fault: '1;31', message: '1', frame: '34' };
type Paint = (style: Style, text: string) => string;

const plain: Paint = (_style, text) => text;
const coloured: Paint = (style, text) =>
  text === '' ? '' : `\u001b[${ANSI[style]}m${text}\u001b[0m`;

/**
 * Plain text of a diagnostic with the lines it points into and carets below the range.
 *
 * @param text the text that was parsed
 * @param source what to call it, such as a file name
 */
export function renderDiagnostic(
  text: string,
  diagnostic: Diagnostic,
  source: string = DEFAULT_SOURCE,
): string {
  return renderDiagnostics(text, [diagnostic], { source });
}

/**
 * Text of several diagnostics in their order, a blank line between two. The time it takes grows
 * with the length of the text plus the number of diagnostics, not with their product.
 */
export function renderDiagnostics(
  text: string,
  diagnostics: readonly Diagnostic[],
  options: RenderOptions = {},
): string {
  const lines = new LineIndex(text);
  const paint = options.hasColor === true ? coloured : plain;
  const source = options.source ?? DEFAULT_SOURCE;
  return diagnostics
    .map((diagnostic) => rendered(lines, diagnostic, source, paint).join('\n'))
    .join('\n\n');
}

function rendered(
  lines: LineIndex,
  { stage, message, span, hint }: Diagnostic,
  source: string,
  paint: Paint,
): readonly string[] {
  const { line, column } = lines.lineColumn(span.start);
  const excerpt = excerptOf(lines, span, paint);
  const gutter = ' '.repeat(excerpt.gutter);
  return [
    paint('fault', `${stage} error`) + paint('message', `: ${shownText(message)}`),
    `${gutter}${paint('frame', '-->')} ${shownText(source)}:${line}:${column}`,
    paint('frame', `${gutter} |`),
    ...excerpt.rows,
    ...(hint === undefined ? [] : [`${gutter}${paint('frame', ' =')} hint: ${shownText(hint)}`]),
  ];
}

/**
 * The lines that a byte range covers, each behind its number and followed by carets below the part
 * that is in the range. Tabs are kept; other control characters, characters that change the
 * direction of the text and those that are not seen are shown by their number, such as `<U+FEFF>`.
 *
 * @param lines index of the text; one serves all places of the text
 */
export function renderExcerpt(lines: LineIndex, span: SourceSpan): readonly string[] {
  return excerptOf(lines, span, plain).rows;
}

function excerptOf(
  lines: LineIndex,
  span: SourceSpan,
  paint: Paint,
): { readonly rows: readonly string[]; readonly gutter: number } {
  const rows = excerptRows(lines, span);
  const numbers = rows.map((row) => (row.kind === 'line' ? row.number : 0));
  const gutter = String(Math.max(...numbers)).length;
  const texts = rows.flatMap((row) => {
    if (row.kind === 'gap') return [paint('frame', '...')];
    const { number, shown, marks } = row;
    const head = paint('frame', `${String(number).padStart(gutter)} |`);
    const text = shown === '' ? head : `${head} ${shown}`;
    const margin = paint('frame', `${' '.repeat(gutter)} |`);
    return marks === '' ? [text] : [text, `${margin} ${paint('fault', marks)}`];
  });
  return { rows: texts, gutter };
}

/** Diagnostics as data with stable member names, in their order. */
export function diagnosticsJson(
  text: string,
  diagnostics: readonly Diagnostic[],
  source: string = DEFAULT_SOURCE,
): readonly DiagnosticJson[] {
  const lines = new LineIndex(text);
  return diagnostics.map(({ code, stage, message, span, hint }) => ({
    code,
    stage,
    message,
    ...(hint === undefined ? {} : { hint }),
    source,
    span: { start: span.start, end: span.end },
    start: lines.lineColumn(span.start),
    end: lines.lineColumn(span.end),
  }));
}
