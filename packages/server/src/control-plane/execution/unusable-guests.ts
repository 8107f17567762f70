import type { GuestReset } from '../../replicated-state/records.js';

/** A reset that cannot go back, and did not get through yet. */
export class UnusableGuestsError extends Error {
  constructor({ processor }: GuestReset, cause: string) {
    super(
      `wasm processor '${processor}' committed the WASM state reset, ` +
        `but it did not become usable: ${cause}`,
    );
  }
}
