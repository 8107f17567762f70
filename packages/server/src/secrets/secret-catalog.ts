import { type Model, modelKey } from '@nervix/model';
import {
  type ModelSet,
  resolveSecret,
  type SnapshotSecret,
  secretReferencesOf,
} from '@nervix/planner';
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

/** The models that take something from a secret, by kind and name. */
export function usersOfSecret(
  domain: string,
  models: Pick<ModelSet, 'values'>,
  secrets: readonly SnapshotSecret[],
  used: SnapshotSecret,
): readonly Model[] {
  return [...models.values()]
    .filter((model) =>
      secretReferencesOf(model).some((reference) => {
        const resolved = resolveSecret(domain, secrets, reference);
        return resolved.kind === 'resolved' && isSameValue(resolved.secret, used);
      }),
    )
    .sort((left, right) =>
      modelKey(left.kind, left.name) < modelKey(right.kind, right.name) ? -1 : 1,
    );
}

function isSameValue(left: SnapshotSecret, right: SnapshotSecret): boolean {
  return left.name === right.name && left.key === right.key;
}
