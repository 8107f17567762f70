/** Options of a {@link NervixError}. */
export interface NervixErrorOptions {
  /** Structured facts for programs; never payload values or secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Whether repeating the same request later may succeed. */
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/**
 * Base of every operating error that crosses a package border. Programs match on `code`, which is
 * stable public API; people read `message`.
 */
export class NervixError<Code extends string = string> extends Error {
  override readonly name: string = 'NervixError';
  readonly code: Code;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryable: boolean;

  constructor(code: Code, message: string, options: NervixErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
    this.retryable = options.retryable ?? false;
  }
}
