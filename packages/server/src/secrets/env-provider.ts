import type { SnapshotSecret } from '@nervix/planner';
import type { SecretProvider } from './secret-provider.js';
import { SecretUnavailableError } from './secret-unavailable.js';

const PREFIX = 'NERVIX_SECRET_';

/** Variables of the same prefix that are settings of the node. */
const SETTINGS: ReadonlySet<string> = new Set(['PROVIDER', 'KEY_FILE', 'DIR']);

/**
 * Secrets in the environment, `NERVIX_SECRET_<NAME>[_<KEY>]`, names and keys in upper case. All
 * domains see the same, which stays as it is as long as the process runs.
 */
export class EnvProvider implements SecretProvider {
  readonly name = 'env';
  readonly #values = new Map<string, string>();
  readonly #secrets: readonly SnapshotSecret[];

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    for (const [variable, value] of Object.entries(environment)) {
      const rest = variable.startsWith(PREFIX) ? variable.slice(PREFIX.length) : '';
      if (rest === '' || SETTINGS.has(rest) || value === undefined) continue;
      this.#values.set(rest.toLowerCase(), value);
    }
    this.#secrets = [...this.#values.keys()].sort().flatMap(readings);
  }

  list(): readonly SnapshotSecret[] {
    return this.#secrets;
  }

  async value(_domain: string, { name, key }: SnapshotSecret): Promise<string> {
    const value = this.#values.get(key === null ? name : `${name}_${key}`);
    if (value === undefined) {
      throw new SecretUnavailableError(`secret '${name}' is not in the environment`);
    }
    return value;
  }
}

/** A variable may be a name, or a name and a key, parted at any of its underscores. */
function readings(text: string): readonly SnapshotSecret[] {
  const places = [...text.matchAll(/_/gu)].map(({ index }) => index);
  const whole: SnapshotSecret = { name: text, key: null, identity: 'environment', version: 1 };
  const parted = places
    .filter((place) => place > 0 && place < text.length - 1)
    .map((place) => ({ ...whole, name: text.slice(0, place), key: text.slice(place + 1) }));
  return [whole, ...parted];
}
