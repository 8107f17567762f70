import type { SecretReference } from '@nervix/model';
import { type Model, modelKey } from '@nervix/model';
import { type ModelSet, type SnapshotSecret, secretReferencesOf } from '@nervix/planner';
import type { ReplicatedState } from '../replicated-state/replicated-state.js';
import { secretCatalogKey, secretKey } from '../replicated-state/secret-records.js';

/** Everything that replicated state holds about the secrets of a domain, by key. */
export function secretKeysOf(state: ReplicatedState, domain: string): readonly string[] {
  const records = state.secrets.of(domain);
  return [
    ...records.map(({ name, key }) => secretKey(domain, name, key)),
    secretCatalogKey(domain),
  ];
}

/**
 * The models that name a value of a secret, by kind and name. A reference without KEY names every
 * value of a secret that has none without a key, however many these are by now.
 */
export function usersOfSecret(
  models: Pick<ModelSet, 'values'>,
  secrets: readonly SnapshotSecret[],
  used: SnapshotSecret,
): readonly Model[] {
  const isKeyless = secrets.some(({ name, key }) => name === used.name && key === null);
  const names = ({ name, key }: SecretReference): boolean =>
    name.toLowerCase() === used.name && (key === used.key || (key === null && !isKeyless));
  return [...models.values()]
    .filter((model) => secretReferencesOf(model).some(names))
    .sort((left, right) =>
      modelKey(left.kind, left.name) < modelKey(right.kind, right.name) ? -1 : 1,
    );
}
