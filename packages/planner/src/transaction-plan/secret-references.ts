import type { ClientModel, Model, SecretReference } from '@nervix/model';

/** The current version of one value of a secret, without the value. */
export interface SnapshotSecret {
  readonly name: string;
  /** Null for a value without a key. */
  readonly key: string | null;
  /** Tells values of one name apart that were removed in between. */
  readonly identity: string;
  readonly version: number;
}

/** What a reference stands for now, or why it stands for nothing. */
export type ResolvedSecret<Secret extends SnapshotSecret = SnapshotSecret> =
  | { readonly kind: 'resolved'; readonly secret: Secret }
  | { readonly kind: 'refused'; readonly reason: string };

/** Every reference to a secret that a model holds, in written order. */
export function secretReferencesOf(model: Model): readonly SecretReference[] {
  return model.kind === 'client' ? referencesOfClient(model) : [];
}

function referencesOfClient({ config }: ClientModel): readonly SecretReference[] {
  return config.flatMap(({ value }) =>
    value.kind === 'secret' ? [{ name: value.name, key: value.key }] : [],
  );
}

/**
 * Looks a reference up among the values of a domain. Without KEY it stands for the value without a
 * key, or else for the only one that the secret has.
 */
export function resolveSecret<Secret extends SnapshotSecret>(
  domain: string,
  secrets: readonly Secret[],
  { name, key }: SecretReference,
): ResolvedSecret<Secret> {
  const values = secrets.filter((secret) => secret.name === name.toLowerCase());
  if (values.length === 0) {
    return refused(`secret '${name}' does not exist in domain '${domain}'`);
  }
  const exact = values.find((secret) => secret.key === key);
  if (exact !== undefined) return { kind: 'resolved', secret: exact };
  if (key !== null) return refused(`secret '${name}' has no key '${key}'`);
  const [only] = values;
  if (values.length > 1 || only === undefined) {
    return refused(`secret '${name}' has several keys; name one with KEY`);
  }
  return { kind: 'resolved', secret: only };
}

function refused(reason: string): { readonly kind: 'refused'; readonly reason: string } {
  return { kind: 'refused', reason };
}

/** The first reference of a model that stands for nothing, and why; undefined where all resolve. */
export function unresolvedSecret(
  domain: string,
  secrets: readonly SnapshotSecret[],
  model: Model,
): string | undefined {
  for (const reference of secretReferencesOf(model)) {
    const resolved = resolveSecret(domain, secrets, reference);
    if (resolved.kind === 'refused') return resolved.reason;
  }
  return undefined;
}
