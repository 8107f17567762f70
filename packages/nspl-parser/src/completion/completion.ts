import type { SourceSpan } from '@nervix/model';

/** What an offered text is, for the icon and the order that an editor gives it. */
export type CompletionKind =
  | 'keyword'
  /** Several keywords that belong together. */
  | 'phrase'
  | 'punctuation'
  /** Name of something that exists. */
  | 'reference'
  /** Number of a version of a resource. */
  | 'version'
  | 'function'
  | 'field';

/** A text that may stand at the cursor. */
export interface CompletionItem {
  readonly label: string;
  readonly kind: CompletionKind;
  /** What replaces {@link Completion.replace}; names and strings are quoted where they must be. */
  readonly insertText: string;
  /** Label of the slot that a name fills, such as `ref:relay`. */
  readonly detail?: string;
}

/** A path in the file system of whoever asks, which only they can complete. */
export interface LocalPath {
  readonly kind: 'local_path';
  /** Bytes from after the opening quote to the closing one or the end of the line. */
  readonly replace: SourceSpan;
  /** The quote that is open at the cursor; null when the path still has to be quoted. */
  readonly quote: string | null;
  /** The part of the path that stands before the cursor. */
  readonly typed: string;
}

/** What may stand at a cursor. */
export interface Completion {
  readonly items: readonly CompletionItem[];
  /** Labels of free slots that may be filled here, such as `relay_name`; hints, not texts. */
  readonly placeholders: readonly string[];
  /** Bytes that an item replaces: the word under the cursor, behind it too. */
  readonly replace: SourceSpan;
  /** Set where a path may stand. */
  readonly localPath?: LocalPath;
}
