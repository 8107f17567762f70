import type { ClientFile, SecretReference } from '@nervix/model';

/** What became of references to secrets. A reason names secrets and keys, and no value. */
export type SecretReading =
  /** One value for each reference, in order. */
  | { readonly kind: 'read'; readonly values: readonly string[] }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Reads the current versions of secrets; it never rejects. */
export type SecretReader = (secrets: readonly SecretReference[]) => Promise<SecretReading>;

/** Of data planes that nobody gave secrets to. */
export const noSecrets: SecretReader = async () => {
  return { kind: 'unavailable', reason: 'this data plane has no secrets' };
};

/** A setting of a client that may be a secret. */
export function isSecret(setting: string | number | SecretReference): setting is SecretReference {
  return typeof setting === 'object';
}

/** What a file is taken from; undefined of one that the plan holds itself. */
export function secretOfFile(file: ClientFile | undefined): SecretReference | undefined {
  return file?.kind === 'secret' ? file.secret : undefined;
}
