import type { ClientConfigEntry, ClientConfigValue, Model, SecretReference } from '@nervix/model';

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

/** Every setting of a model that is a reference to a secret, in written order. */
function secretEntriesOf(model: Model): readonly SecretEntry[] {
  if (model.kind !== 'client') return [];
  return model.config.filter((entry): entry is SecretEntry => entry.value.kind === 'secret');
}

type SecretEntry = ClientConfigEntry & {
  readonly value: Extract<ClientConfigValue, { kind: 'secret' }>;
};

/** Every reference to a secret that a model holds, in written order. */
export function secretReferencesOf(model: Model): readonly SecretReference[] {
  return secretEntriesOf(model).map(({ value: { name, key } }) => ({ name, key }));
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

/** A reference that stands for nothing. */
export interface UnresolvedSecret {
  readonly reason: string;
  /** The setting that is the reference. */
  readonly entry: ClientConfigEntry;
}

/** The first reference of a model that stands for nothing; undefined where all resolve. */
export function unresolvedSecret(
  domain: string,
  secrets: readonly SnapshotSecret[],
  model: Model,
): UnresolvedSecret | undefined {
  for (const entry of secretEntriesOf(model)) {
    const resolved = resolveSecret(domain, secrets, entry.value);
    if (resolved.kind === 'refused') return { reason: resolved.reason, entry };
  }
  return undefined;
}
