import type { CommandWait } from './command-call.js';

/** What to complete. */
export interface SuggestOptions extends CommandWait {
  readonly input: string;
  /** UTF-8 byte offset into `input`, on the border of a character; its end by default. */
  readonly cursor?: number;
  /** The client's domain by default. */
  readonly domain?: string;
}

/** One way in which a text may go on. */
export interface Suggestion {
  readonly value: string;
  /** `LocalPath`: the caller completes a path of its own file system in this place. */
  readonly kind: 'Text' | 'LocalPath';
  /** Half-open UTF-8 byte range of the input, and what is to stand there. */
  readonly edit: { readonly start: number; readonly end: number; readonly replacement: string };
}
