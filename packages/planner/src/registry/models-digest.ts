import { canonicalDigest, type Model, modelDigest } from '@nervix/model';
import type { ModelSet } from './model-set.js';

/** Digests by what they were taken of, which is never changed in place. */
const digests = new WeakMap<object, string>();

/**
 * Fingerprint of a set of models, 64 lower-case hexadecimal digits: a digest of the digests of its
 * buckets, which are digests of those of their models. It follows from the models alone.
 */
export function modelsDigest(set: ModelSet): string {
  return kept(set, () =>
    canonicalDigest(Array.from(set.table.buckets(), ([, bucket]) => bucketDigest(bucket))),
  );
}

function bucketDigest(bucket: ReadonlyMap<string, Model>): string {
  return kept(bucket, () =>
    canonicalDigest(
      Array.from(bucket, ([key, model]) => [key, kept(model, () => modelDigest(model))]),
    ),
  );
}

function kept(subject: object, digest: () => string): string {
  const known = digests.get(subject);
  if (known !== undefined) return known;
  const fresh = digest();
  digests.set(subject, fresh);
  return fresh;
}
