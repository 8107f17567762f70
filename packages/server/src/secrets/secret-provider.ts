import type { SnapshotSecret } from '@nervix/planner';

/** Where the values of secrets come from. */
export type SecretProviderName = 'store' | 'file' | 'env';

/** A source of secrets: tells which there are, and reads one when a connection needs it. */
export interface SecretProvider {
  readonly name: SecretProviderName;
  /** The current version of every value that a domain may name, without the values. */
  list(domain: string): readonly SnapshotSecret[];
  /**
   * The current value.
   *
   * @throws SecretUnavailableError when it cannot be read; the message holds no value
   */
  value(domain: string, secret: SnapshotSecret): Promise<string>;
}
