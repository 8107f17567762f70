/** One value of a secret, without the value. */
export interface SecretEntry {
  readonly name: string;
  /** Null for a value without a key. */
  readonly key: string | null;
  /** The current version. */
  readonly version: number;
  readonly provider: 'store' | 'resource' | 'file' | 'env';
  /** Models that take it, by kind and name. */
  readonly used_by: readonly string[];
}

/** Answer of `GET /api/v1/domains/{d}/secrets`. */
export interface SecretList {
  /** By name and key. */
  readonly secrets: readonly SecretEntry[];
}

/** Largest value of a secret, in bytes. */
export const SECRET_BYTES_MAX = 65_536;
