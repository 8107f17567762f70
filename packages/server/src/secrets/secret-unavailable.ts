/** Why a secret cannot be read or written now; the message names secrets and keys alone. */
export class SecretUnavailableError extends Error {
  override readonly name = 'SecretUnavailableError';
}
