import { canonicalDigest, type Model, modelDigest } from '@nervix/model';
import { keptDigest } from './kept-digest.js';
import type { ModelSet } from './model-set.js';

/**
 * Fingerprint of a set of models, 64 lower-case hexadecimal digits: a digest of the digests of its
 * buckets, which are digests of those of their models. It follows from the models alone.
 */
export function modelsDigest(set: ModelSet): string {
  return keptDigest(set, ({ table }) => canonicalDigest(Array.from(table.buckets(), bucketDigest)));
}

function bucketDigest(bucket: ReadonlyMap<string, Model>): string {
  return keptDigest(bucket, () =>
    canonicalDigest(Array.from(bucket, ([key, model]) => [key, keptDigest(model, modelDigest)])),
  );
}
