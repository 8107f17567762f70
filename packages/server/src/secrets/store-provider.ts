import type { SnapshotSecret } from '@nervix/planner';
import type { SecretIndex } from '../replicated-state/secret-index.js';
import { keyIdOf, openValue } from './sealed-values.js';
import type { SecretKeyFile } from './secret-key-file.js';
import type { SecretProvider } from './secret-provider.js';
import { SecretUnavailableError } from './secret-unavailable.js';

/** Secrets in replicated state, sealed: each node opens them with the same key file. */
export class StoreProvider implements SecretProvider {
  readonly name = 'store';
  readonly #secrets: SecretIndex;
  readonly #keyFile: SecretKeyFile;

  constructor(secrets: SecretIndex, keyFile: SecretKeyFile) {
    this.#secrets = secrets;
    this.#keyFile = keyFile;
  }

  list(domain: string): readonly SnapshotSecret[] {
    return this.#secrets
      .of(domain)
      .map(({ name, key, identity, version }) => ({ name, key, identity, version }));
  }

  async value(domain: string, { name, key }: SnapshotSecret): Promise<string> {
    const record = this.#secrets.of(domain).find((each) => each.name === name && each.key === key);
    if (record === undefined) {
      throw new SecretUnavailableError(`secret '${name}' does not exist in domain '${domain}'`);
    }
    const opened = await this.#keyFile.key();
    const { keyId } = record.sealed;
    if (keyIdOf(opened) !== keyId) {
      const reason = `was sealed with another key, '${keyId}', than the one of this node`;
      throw new SecretUnavailableError(`secret '${name}' ${reason}`);
    }
    try {
      return openValue(opened, record, record.sealed);
    } catch (cause) {
      throw new SecretUnavailableError(`secret '${name}' is damaged in the store`, { cause });
    }
  }
}
