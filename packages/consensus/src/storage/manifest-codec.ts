import type { Configuration } from '../raft/configuration.ts';
import {
  decodeConfiguration,
  encodeConfiguration,
  MalformedConfigurationError,
} from '../raft/configuration-codec.ts';
import { CHAIN_BYTES } from '../raft/entry.ts';
import { ByteReader, ByteWriter, MalformedBytesError } from './byte-codec.ts';
import type { SnapshotManifest } from './log-storage.ts';
import { decodeStateDigest, encodeStateDigest } from './position-codec.ts';

const SECTION_DIGEST_BYTES = 32;
const FIXED_BYTES = 6 * 8 + CHAIN_BYTES + 32 + 4 + 8 + 4;

/** A manifest as it is stored. */
export function encodeManifest(manifest: SnapshotManifest): Uint8Array {
  const configuration = encodeConfiguration(manifest.configuration);
  const { sections } = manifest;
  const length = FIXED_BYTES + configuration.length + sections.length * SECTION_DIGEST_BYTES;
  const writer = new ByteWriter(length)
    .u64(manifest.generation)
    .u64(manifest.index)
    .u64(manifest.term)
    .bytes(manifest.chain)
    .u64(manifest.configurationIndex)
    .sized(configuration)
    .u64(manifest.revision)
    .bytes(encodeStateDigest(manifest.stateDigest))
    .u64(manifest.recordCount)
    .u64(BigInt(manifest.bytes))
    .u32(sections.length);
  for (const digest of sections) writer.bytes(Buffer.from(digest, 'hex'));
  return writer.finish();
}

/** Inverse of {@link encodeManifest}. Throws {@link MalformedBytesError}. */
export function decodeManifest(bytes: Uint8Array): SnapshotManifest {
  const reader = new ByteReader(bytes);
  const generation = reader.u64();
  const index = reader.u64();
  const term = reader.u64();
  const chain = reader.bytes(CHAIN_BYTES);
  const configurationIndex = reader.u64();
  const configuration = storedConfiguration(reader.sized());
  const revision = reader.u64();
  const stateDigest = decodeStateDigest(reader);
  const recordCount = reader.u64();
  const size = reader.u64();
  if (size > BigInt(Number.MAX_SAFE_INTEGER)) throw new MalformedBytesError('size is too large');
  const count = reader.u32();
  if (reader.remaining !== count * SECTION_DIGEST_BYTES) {
    throw new MalformedBytesError('number of sections differs');
  }
  const sections = Array.from({ length: count }, () => reader.hex(SECTION_DIGEST_BYTES));
  return {
    generation,
    index,
    term,
    chain,
    configurationIndex,
    configuration,
    revision,
    stateDigest,
    recordCount,
    bytes: Number(size),
    sections,
  };
}

/** A stored configuration. Throws {@link MalformedBytesError}. */
export function storedConfiguration(bytes: Uint8Array): Configuration {
  try {
    return decodeConfiguration(bytes);
  } catch (error) {
    if (!(error instanceof MalformedConfigurationError)) throw error;
    throw new MalformedBytesError(error.message, { cause: error });
  }
}
