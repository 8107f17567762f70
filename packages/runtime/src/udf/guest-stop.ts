/** Thrown where the code of a guest was ended; what it was in the middle of is gone. */
export class GuestStop extends Error {
  override readonly name = 'GuestStop';
}

/** Milliseconds as errors write durations: `5s`, `250ms`. */
export function printMs(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}
