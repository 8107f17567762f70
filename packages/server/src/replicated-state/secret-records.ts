/** A value that nobody can read without the key file of its node. */
export interface SealedValue {
  /** Names the key of the key file, without telling anything of it. */
  readonly keyId: string;
  /** The data key, sealed with that key: nonce, cipher text and tag. */
  readonly dataKey: Uint8Array;
  /** The value, sealed with the data key alike. */
  readonly value: Uint8Array;
}

/** The current version of one value of a secret; older ones are not kept. */
export interface SecretRecord {
  readonly kind: 'secret';
  readonly domain: string;
  readonly name: string;
  /** Null for a value without a key. */
  readonly key: string | null;
  /** Tells values of one name apart that were removed in between. */
  readonly identity: string;
  /** Counts the writes of the value, from 1. */
  readonly version: number;
  readonly sealed: SealedValue;
}

/** Written with every change of a domain's secrets; fences compare it. */
export interface SecretCatalogRecord {
  readonly kind: 'secret_catalog';
  readonly domain: string;
}

/** Every record about secrets. */
export type SecretStateRecord = SecretRecord | SecretCatalogRecord;

export function secretKey(domain: string, name: string, key: string | null): string {
  return key === null ? `secret/${domain}/${name}` : `secret/${domain}/${name}/${key}`;
}

export function secretCatalogKey(domain: string): string {
  return `secret-catalog/${domain}`;
}

/** The one key that a record about secrets may stand under. */
export function secretRecordKey(record: SecretStateRecord): string {
  return record.kind === 'secret'
    ? secretKey(record.domain, record.name, record.key)
    : secretCatalogKey(record.domain);
}
