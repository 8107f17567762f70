import { decodeText } from '../../column/text.js';
import { invalidUtf8At } from '../utf8.js';
import { IsolatedThread } from './isolated-thread.js';
import type { JaqValues } from './jaq-payload.js';
import { printTree, TREE_DEPTH_MAX, UnrepresentableError } from './json-tree.js';
import { quoteDates, TomlDateError } from './toml-dates.js';

/** Longest that reading one payload may take. */
export const READING_MS_MAX = 2_000;
/** Most anchors of a payload, most aliases, and most nodes that its aliases stand for. */
export const ANCHORS_MAX = 4_096;

/** What the thread found: values, and why there are no more of them. */
interface Documents {
  readonly trees: readonly unknown[];
  readonly cause: string | null;
}

/** Formats whose libraries bound neither time nor memory, so that a thread of its own runs them. */
export type DocumentFormat = 'YAML' | 'TOML';

/**
 * Reads documents in a thread of its own while the caller waits, because the libraries take quadratic
 * time and worse for some texts. What exceeds its time or memory is refused.
 */
export class DocumentReader {
  readonly #thread: IsolatedThread<{ format: DocumentFormat; text: string }, Documents>;

  constructor(readingMsMax: number = READING_MS_MAX) {
    this.#thread = new IsolatedThread({
      name: 'nervix-documents',
      script: './document-worker',
      workMsMax: readingMsMax,
      handover: { depthMax: TREE_DEPTH_MAX, anchorsMax: ANCHORS_MAX },
    });
  }

  /** The values of the text `bytes[start..end)`. */
  read(format: DocumentFormat, bytes: Uint8Array, start: number, end: number): JaqValues {
    const defect = (cause: string, input: number): JaqValues => ({ kind: 'defect', cause, input });
    if (invalidUtf8At(bytes, start, end) >= 0) {
      return defect(`malformed ${format}: invalid UTF-8`, 0);
    }
    let text = decodeText(bytes, start, end);
    try {
      if (format === 'TOML') text = quoteDates(text);
    } catch (error) {
      if (!(error instanceof TomlDateError)) throw error;
      return defect(`unusable TOML: ${error.message}`, 0);
    }
    const documents = this.#thread.ask({ format, text });
    if (documents === undefined)
      return defect(`unusable ${format}: reading exceeded its limits`, 0);
    const texts: string[] = [];
    try {
      for (const tree of documents.trees) texts.push(printTree(tree));
    } catch (error) {
      if (!(error instanceof UnrepresentableError)) throw error;
      return defect(`unusable ${format}: ${error.message}`, texts.length);
    }
    return documents.cause === null
      ? { kind: 'values', texts }
      : defect(documents.cause, texts.length);
  }

  /** Ends the thread. */
  close(): void {
    this.#thread.close();
  }
}

let shared: DocumentReader | undefined;

/** The reader of this thread's codecs, which take turns. */
export function sharedDocumentReader(): DocumentReader {
  shared ??= new DocumentReader();
  return shared;
}
