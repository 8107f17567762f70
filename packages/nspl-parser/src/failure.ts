/**
 * Why a parse stopped: a refusal with its own message, or tokens that should have stood there.
 * Thrown inside the parser only; it never leaves the package. It is no Error: whoever refuses a
 * statement, or tries what could follow in one, has no use for a stack, which takes longer to
 * capture than the refusal takes.
 */
export class ParseFailure {
  /** Empty where tokens of {@link expected} should have stood. */
  readonly message: string;
  /** Index of the first refused token. */
  readonly first: number;
  /** Index of the last refused token. */
  readonly last: number;
  /** Labels of what was expected; empty for a refusal with its own message. */
  readonly expected: readonly string[];

  constructor(
    message: string,
    range: { readonly first: number; readonly last: number },
    expected: readonly string[] = [],
  ) {
    this.message = message;
    this.first = range.first;
    this.last = range.last;
    this.expected = expected;
  }
}

/** Refuses the tokens from `first` to `last` with a message of its own. */
export function refuse(message: string, first: number, last: number = first): never {
  throw new ParseFailure(message, { first, last });
}

/** Refuses the token at `position`, where something of `expected` should stand. */
export function refuseToken(position: number, expected: readonly string[]): never {
  throw new ParseFailure('', { first: position, last: position }, expected);
}
