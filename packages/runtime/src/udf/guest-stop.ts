/** Thrown where the code of a guest was ended; what it was in the middle of is gone. */
export class GuestStop extends Error {
  override readonly name = 'GuestStop';
  /** The bound that it ran into, such as `5s`; undefined when it ended otherwise. */
  readonly bound: string | undefined;

  constructor(message: string, bound?: string) {
    super(message);
    this.bound = bound;
  }
}

/** What is told of code that was ended by what it did. */
export function trapped(what: string): string {
  return `ECMAScript execution trapped: ${what}`;
}

/** Milliseconds as errors write durations: `5s`, `250ms`. */
export function printMs(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}
