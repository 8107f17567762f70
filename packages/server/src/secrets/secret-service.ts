import type { SecretReference } from '@nervix/model';
import { resolveSecret, type SnapshotSecret } from '@nervix/planner';
import type { SecretReading } from '@nervix/runtime/data-plane';
import type { SecretIndex } from '../replicated-state/secret-index.js';
import type { SealedValue } from '../replicated-state/secret-records.js';
import { EnvProvider } from './env-provider.js';
import { FileProvider } from './file-provider.js';
import { keyedDigest, keyIdOf, type SealedPlace, sealValue } from './sealed-values.js';
import { SecretKeyFile } from './secret-key-file.js';
import type { SecretProvider, SecretProviderName } from './secret-provider.js';
import { SecretUnavailableError } from './secret-unavailable.js';
import { StoreProvider } from './store-provider.js';

/** Settings of a {@link SecretService}. */
export interface SecretServiceOptions {
  readonly provider: SecretProviderName;
  /** File of the key that stored values are sealed with. */
  readonly keyFile: string;
  /** Folder of the provider `file`. */
  readonly directory?: string;
  /** Variables of the provider `env`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Secrets of replicated state. */
  readonly stored: SecretIndex;
}

/** All that a node does about values of secrets. Nothing of it returns a value to a user. */
export class SecretService {
  readonly #provider: SecretProvider;
  readonly #keyFile: SecretKeyFile;
  readonly #stored: SecretIndex;

  constructor(options: SecretServiceOptions) {
    this.#keyFile = new SecretKeyFile(options.keyFile);
    this.#stored = options.stored;
    this.#provider = providerOf(options, this.#keyFile);
  }

  get provider(): SecretProviderName {
    return this.#provider.name;
  }

  /** Why values cannot be written through the node, or undefined. */
  get writeRefusal(): string | undefined {
    const { name } = this.#provider;
    if (name === 'store') return undefined;
    return `secrets come from the provider '${name}' and are not written through the node`;
  }

  /** The current version of every value that a domain may name, without the values. */
  list(domain: string): readonly SnapshotSecret[] {
    return this.#provider.list(domain);
  }

  /** Reads the current versions of secrets, for one attempt to connect; it never rejects. */
  async read(domain: string, references: readonly SecretReference[]): Promise<SecretReading> {
    const values: string[] = [];
    try {
      const list = this.#provider.list(domain);
      for (const reference of references) {
        const resolved = resolveSecret(domain, list, reference);
        if (resolved.kind === 'refused') return { kind: 'unavailable', reason: resolved.reason };
        values.push(await this.#provider.value(domain, resolved.secret));
      }
    } catch (error) {
      const isTold = error instanceof SecretUnavailableError;
      return { kind: 'unavailable', reason: isTold ? error.message : 'secrets cannot be read' };
    }
    return { kind: 'read', values };
  }

  /**
   * Seals a value for the store. The key file is made for the first value of all; later on a missing
   * one is not replaced, for nothing that was sealed before could be opened again.
   *
   * @throws SecretUnavailableError without a usable key file
   */
  async seal(place: SealedPlace, value: string): Promise<SealedValue> {
    return sealValue(await this.#key(), place, value);
  }

  /**
   * Digest of what a command is to do, by which its repetition is known. It tells nobody of the value
   * who does not have the key file.
   *
   * @throws SecretUnavailableError without a usable key file
   */
  async digest(content: string): Promise<string> {
    return keyedDigest(await this.#key(), content);
  }

  /** Why stored secrets cannot be opened on this node as things stand, or undefined. */
  async defect(domains: readonly string[]): Promise<string | undefined> {
    if (this.#provider.name !== 'store' || this.#stored.isEmpty) return undefined;
    try {
      const keyId = keyIdOf(await this.#keyFile.key());
      const sealed = domains.flatMap((domain) => this.#stored.of(domain));
      const foreign = sealed.filter((record) => record.sealed.keyId !== keyId).length;
      if (foreign === 0) return undefined;
      return `${foreign} value(s) of secrets were sealed with another key than that of this node`;
    } catch (error) {
      if (!(error instanceof SecretUnavailableError)) throw error;
      return `${error.message}: '${this.#keyFile.path}'`;
    }
  }

  #key(): Promise<Buffer> {
    return this.#stored.isEmpty ? this.#keyFile.keyOrNew() : this.#keyFile.key();
  }
}

function providerOf(options: SecretServiceOptions, keyFile: SecretKeyFile): SecretProvider {
  switch (options.provider) {
    case 'store':
      return new StoreProvider(options.stored, keyFile);
    case 'file':
      return new FileProvider(options.directory ?? '');
    case 'env':
      return new EnvProvider(options.environment);
  }
}
