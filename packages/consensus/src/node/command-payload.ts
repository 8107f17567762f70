/**
 * The bytes of a command as a copy of its own, which the caller cannot change any more. Throws
 * `TypeError` for anything else: an array or a view of another kind would become other bytes.
 */
export function copyPayload(payload: Uint8Array): Uint8Array {
  if (!(payload instanceof Uint8Array)) throw new TypeError('a command must be a Uint8Array');
  return new Uint8Array(payload);
}
