import type { SourceSpan } from '@nervix/model';
import { ByteOffsets, outlineScript, type ScriptOutline } from '@nervix/nspl-parser';
import { type Position, Range, type TextDocumentContentChangeEvent } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { PositionEncoding } from './position-encoding.js';

/**
 * An open document. The parser counts UTF-8 bytes, the text UTF-16 code units and the client lines
 * and characters of the negotiated encoding: this converts between them.
 */
export class SourceDocument {
  readonly #lines: TextDocument;
  readonly #encoding: PositionEncoding;
  #bytes: ByteOffsets | undefined;
  #outline: ScriptOutline | undefined;

  constructor(
    item: { readonly uri: string; readonly version: number; readonly text: string },
    encoding: PositionEncoding,
  ) {
    this.#lines = TextDocument.create(item.uri, 'nspl', item.version, item.text);
    this.#encoding = encoding;
  }

  get uri(): string {
    return this.#lines.uri;
  }

  get version(): number {
    return this.#lines.version;
  }

  get text(): string {
    return this.#lines.getText();
  }

  /**
   * Applies changes one after the other, each to the text that the one before it left.
   *
   * @throws TypeError for a change that is none; then nothing is changed
   */
  change(changes: readonly TextDocumentContentChangeEvent[], version: number): void {
    if (!changes.every(isChange)) throw new TypeError('a change has a text and perhaps a range');
    for (const change of changes) {
      const { text } = change;
      const edit = 'range' in change ? { text, range: this.#textRange(change.range) } : { text };
      TextDocument.update(this.#lines, [edit], version);
      this.#bytes = undefined;
      this.#outline = undefined;
    }
  }

  /** What the parser finds in the text; read when first asked for. */
  get outline(): ScriptOutline {
    this.#outline ??= outlineScript(this.text);
    return this.#outline;
  }

  /** UTF-16 offset of a position; one outside of the text becomes the nearest inside. */
  offsetAt(position: Position): number {
    if (this.#encoding === 'utf-16') return this.#lines.offsetAt(position);
    const lineStart = this.#lines.offsetAt({ line: position.line, character: 0 });
    const lineEnd = this.#lines.offsetAt({
      line: position.line,
      character: Number.MAX_SAFE_INTEGER,
    });
    const byte = this.bytes.at(lineStart) + Math.max(position.character, 0);
    return Math.min(this.bytes.codeUnitAt(byte), lineEnd);
  }

  /** Position of a UTF-16 offset. */
  positionAt(offset: number): Position {
    const position = this.#lines.positionAt(offset);
    if (this.#encoding === 'utf-16') return position;
    const lineStart = this.#lines.offsetAt({ line: position.line, character: 0 });
    const characterBytes = this.bytes.at(lineStart + position.character) - this.bytes.at(lineStart);
    return { line: position.line, character: characterBytes };
  }

  /** Byte offset of a position. */
  byteAt(position: Position): number {
    return this.bytes.at(this.offsetAt(position));
  }

  /** Range of a byte range. */
  rangeOf(span: SourceSpan): Range {
    return {
      start: this.positionAt(this.bytes.codeUnitAt(span.start)),
      end: this.positionAt(this.bytes.codeUnitAt(span.end)),
    };
  }

  /** Text of a byte range. */
  textOf(span: SourceSpan): string {
    return this.text.slice(this.bytes.codeUnitAt(span.start), this.bytes.codeUnitAt(span.end));
  }

  get bytes(): ByteOffsets {
    this.#bytes ??= new ByteOffsets(this.text);
    return this.#bytes;
  }

  /** A range in UTF-16 that lies in the text, as the line index needs it. */
  #textRange(range: Range): Range {
    return {
      start: this.#lines.positionAt(this.offsetAt(range.start)),
      end: this.#lines.positionAt(this.offsetAt(range.end)),
    };
  }
}

/** Checks what came from outside, whatever its type says. */
function isChange(change: TextDocumentContentChangeEvent): boolean {
  if (typeof change?.text !== 'string') return false;
  return !('range' in change) || Range.is(change.range);
}
