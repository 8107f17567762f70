/**
 * Throws `TypeError` for what is no `Uint8Array`: an array or a view of another kind would become
 * other bytes.
 */
export function checkPayload(payload: Uint8Array): void {
  if (!(payload instanceof Uint8Array)) throw new TypeError('a command must be a Uint8Array');
}
