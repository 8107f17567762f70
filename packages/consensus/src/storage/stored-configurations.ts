import type { Configuration } from '../raft/configuration.ts';
import { encodeConfiguration } from '../raft/configuration-codec.ts';
import type { ConfigurationRecord } from '../raft/entry.ts';
import { halfDigest } from './digests.ts';

const NO_DIGEST: Uint8Array = new Uint8Array(16);
/** The same configuration stays in force for long, and its digest is part of every batch. */
const digests = new WeakMap<Configuration, Uint8Array>();

/** Records below `from`: what a truncation leaves. */
export function configurationsBefore(
  records: readonly ConfigurationRecord[],
  from: bigint,
): readonly ConfigurationRecord[] {
  return records.filter(({ index }) => index < from);
}

/** What a purge leaves: the one in force at `through` and all behind it. */
export function configurationsFrom(
  records: readonly ConfigurationRecord[],
  through: bigint,
): readonly ConfigurationRecord[] {
  const inForce = records.findLastIndex(({ index }) => index <= through);
  return inForce <= 0 ? records : records.slice(inForce);
}

/** The one in force at `index`. */
export function configurationAt(
  records: readonly ConfigurationRecord[],
  index: bigint,
): ConfigurationRecord | undefined {
  return records.findLast((record) => record.index <= index);
}

/** Digest by which a configuration in force in front of the log is recognized. */
export function configurationDigest(configuration: Configuration | undefined): Uint8Array {
  if (configuration === undefined) return NO_DIGEST;
  const known = digests.get(configuration);
  if (known !== undefined) return known;
  const digest = halfDigest(encodeConfiguration(configuration));
  digests.set(configuration, digest);
  return digest;
}
