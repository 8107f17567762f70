import type { SourceSpan } from '@nervix/model';
import { shownText } from '@nervix/nspl-parser';
import type { WireDiagnostic } from '@nervix/protocol';
import { printExactJson } from '../exact-json.js';
import type { ExitCode } from './command-line-error.js';
import { type Failure, failureOf } from './failure.js';
import { type SourceText, sourcePosition, sourceReport } from './source-report.js';

/** Where text goes: a stream, or the lines above a prompt. */
export type WriteText = (text: string) => Promise<void> | void;

/** How results are printed. */
export type OutputFormat = 'text' | 'json';

/** Place of a statement in the text it came from; server diagnostics count from its start. */
export interface StatementPlace {
  readonly source: SourceText;
  readonly span: SourceSpan;
  /** Where the operations of the transaction came from, by their one-based numbers. */
  readonly operations?: ReadonlyMap<number, StatementPlace>;
}

const lineBytesMax = 8192;

/** A line of an event, cut where it would flood the terminal. */
function cutLine(line: string): string {
  return line.length <= lineBytesMax ? line : `${line.slice(0, lineBytesMax)}… [line truncated]`;
}

/** Prints results on one stream and failures on the other, as text or as JSON documents. */
export class Output {
  readonly format: OutputFormat;
  readonly #out: WriteText;
  readonly #err: WriteText;
  readonly #hasColor: boolean;

  constructor(
    format: OutputFormat,
    streams: { readonly out: WriteText; readonly err: WriteText; readonly hasColor: boolean },
  ) {
    this.format = format;
    this.#out = streams.out;
    this.#err = streams.err;
    this.#hasColor = streams.hasColor;
  }

  /** A result: its text, or its document. Empty texts print nothing. */
  async result(text: string, document: unknown): Promise<void> {
    if (this.format === 'json') await this.#out(`${printExactJson(document)}\n`);
    else if (text !== '') await this.#out(`${text}\n`);
  }

  /** A result that is a text of its own, such as a file: exactly it. */
  async verbatim(text: string): Promise<void> {
    if (text !== '') await this.#out(text);
  }

  /** A line that comes by itself, such as a row of a background subscription. */
  async event(text: string, document: unknown): Promise<void> {
    await this.result(cutLine(text), document);
  }

  /** A remark for people, beside the results. */
  async notice(text: string): Promise<void> {
    await this.#err(`${text}\n`);
  }

  /** Warnings that came with a success. */
  async warnings(diagnostics: readonly WireDiagnostic[], place: StatementPlace): Promise<void> {
    for (const diagnostic of diagnostics) {
      await this.#err(`${diagnosticText(diagnostic, place)}\n`);
    }
  }

  /** Syntax errors, each at its place. */
  async syntaxErrors(
    source: SourceText,
    errors: readonly { readonly message: string; readonly span: SourceSpan }[],
  ): Promise<void> {
    const [first] = errors;
    if (this.format === 'json') {
      const message = first === undefined ? 'parse error' : `parse error: ${first.message}`;
      const at = first === undefined ? {} : sourcePosition(source, first.span);
      await this.#out(`${printExactJson({ error: { code: 'PARSE_FAILED', message, ...at } })}\n`);
    }
    await this.sourceErrors(source, errors);
  }

  /** Reports of errors in a source, for people only. */
  async sourceErrors(
    source: SourceText,
    errors: readonly { readonly message: string; readonly span: SourceSpan }[],
  ): Promise<void> {
    for (const { message, span } of errors) {
      await this.#err(`${this.#emphasized(sourceReport(source, span, message))}\n`);
    }
  }

  /** An error without a place, for people only. */
  async plainError(message: string): Promise<void> {
    await this.#err(`${this.#emphasized(`error: ${message}`)}\n`);
  }

  /**
   * A failure, at its place in the source where it has one.
   *
   * @returns the exit code that the failure leads to
   */
  async failure(error: unknown, place?: StatementPlace): Promise<ExitCode> {
    const failure = failureOf(error);
    if (this.format === 'json') {
      const { code, message, executionReference } = failure;
      const at = place === undefined ? undefined : firstPlace(failure, place);
      const document = {
        error: {
          code,
          message,
          ...(at === undefined ? {} : sourcePosition(at.source, at.span)),
          ...(executionReference === undefined ? {} : { execution_reference: executionReference }),
        },
      };
      await this.#out(`${printExactJson(document)}\n`);
    }
    for (const line of failureLines(failure, place)) await this.#err(`${this.#emphasized(line)}\n`);
    return failure.exitCode;
  }

  /** Sets off the first line of a report by colour. */
  #emphasized(report: string): string {
    if (!this.#hasColor) return report;
    const end = report.indexOf('\n');
    const head = end < 0 ? report : report.slice(0, end);
    return `\u001b[31m${head}\u001b[0m${end < 0 ? '' : report.slice(end)}`;
  }
}

/** Where a diagnostic points: into the operation it names, or else into the statement that ran. */
function diagnosticPlace(diagnostic: WireDiagnostic, place: StatementPlace): StatementPlace {
  const operation = place.operations?.get(diagnostic.operation ?? 0);
  const { source, span } = operation ?? place;
  const within = operation === undefined ? diagnostic.span : diagnostic.operation_span;
  if (within === undefined) return { source, span };
  return { source, span: { start: span.start + within.start, end: span.start + within.end } };
}

function firstPlace({ diagnostics }: Failure, place: StatementPlace): StatementPlace {
  const isLocated = ({ span, operation }: WireDiagnostic): boolean =>
    span !== undefined || operation !== undefined;
  const first = diagnostics.find(isLocated);
  return first === undefined ? place : diagnosticPlace(first, place);
}

function diagnosticText(diagnostic: WireDiagnostic, place: StatementPlace): string {
  const { source, span } = diagnosticPlace(diagnostic, place);
  const report = sourceReport(source, span, diagnostic.message);
  return diagnostic.hint === undefined ? report : `${report}\n  ${shownText(diagnostic.hint)}`;
}

function failureLines(failure: Failure, place: StatementPlace | undefined): string[] {
  const { message, diagnostics } = failure;
  const lines: string[] = [];
  const isCovered = diagnostics.some((diagnostic) => message.includes(diagnostic.message));
  if (place === undefined) {
    lines.push(`error: ${message}`);
    for (const diagnostic of diagnostics) {
      if (diagnostic.message !== message) lines.push(`  ${diagnostic.message}`);
    }
  } else {
    if (!isCovered) lines.push(sourceReport(place.source, place.span, message));
    for (const diagnostic of diagnostics) lines.push(diagnosticText(diagnostic, place));
  }
  if (failure.executionReference !== undefined && failure.code === 'OUTCOME_UNKNOWN') {
    lines.push(
      `to learn the outcome, repeat the statement with --execution-reference ${failure.executionReference}`,
    );
  } else if (failure.executionReference !== undefined && failure.code === 'CANCELLED') {
    lines.push(`the outcome is unknown; execution reference ${failure.executionReference}`);
  }
  return lines;
}
