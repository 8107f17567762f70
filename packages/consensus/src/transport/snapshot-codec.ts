import type { Configuration, Member } from '../raft/configuration.ts';
import { CHAIN_BYTES } from '../raft/entry.ts';
import { FIRST_LEVEL } from '../raft/feature-levels.ts';
import type { SnapshotMeta } from '../raft/message.ts';
import type { SnapshotManifest } from '../storage/log-storage.ts';
import { MalformedFrameError, type WireReader } from './wire-reader.ts';
import type { WireWriter } from './wire-writer.ts';

/** Bytes of a member with the shortest names. */
const MEMBER_BYTES_MIN = 2 + 16 + 8 + 2 + 2;
const DIGEST_BYTES_MIN = 1;
const STATE_DIGEST_BYTES = 32;
const STATE_DIGEST_BOUND = 1n << 256n;

/** Appends a configuration. */
export function writeConfiguration(writer: WireWriter, configuration: Configuration): void {
  writer.id(configuration.clusterUid).u8(configuration.level);
  writeMembers(writer, configuration.voters);
  writeMembers(writer, configuration.outgoing);
  writeMembers(writer, configuration.learners);
}

/** Inverse of {@link writeConfiguration}. Throws {@link MalformedFrameError}. */
export function readConfiguration(reader: WireReader): Configuration {
  const clusterUid = reader.id();
  const level = readLevel(reader);
  const voters = readMembers(reader);
  const outgoing = readMembers(reader);
  return { clusterUid, level, voters, outgoing, learners: readMembers(reader) };
}

/** Appends what the protocol knows of a snapshot. */
export function writeSnapshotMeta(writer: WireWriter, meta: SnapshotMeta): void {
  if (meta.chain.length !== CHAIN_BYTES) throw new RangeError('a chain value has 16 bytes');
  writer.u64(meta.index).u64(meta.term).bytes(meta.chain).u64(meta.generation);
  writeConfiguration(writer, meta.configuration);
  writer.u64(meta.configurationIndex);
}

/** Inverse of {@link writeSnapshotMeta}. Throws {@link MalformedFrameError}. */
export function readSnapshotMeta(reader: WireReader): SnapshotMeta {
  const index = reader.u64();
  const term = reader.u64();
  const chain = reader.bytes(CHAIN_BYTES);
  const generation = reader.u64();
  const configuration = readConfiguration(reader);
  const configurationIndex = reader.u64();
  return { index, term, chain, generation, configuration, configurationIndex };
}

/** Appends a manifest. */
export function writeManifest(writer: WireWriter, manifest: SnapshotManifest): void {
  if (manifest.stateDigest < 0n || manifest.stateDigest >= STATE_DIGEST_BOUND) {
    throw new RangeError('a state digest has 256 bits');
  }
  writeSnapshotMeta(writer, manifest);
  writer.u64(manifest.revision).u64(BigInt(manifest.bytes));
  writer.bytes(Buffer.from(manifest.stateDigest.toString(16).padStart(64, '0'), 'hex'));
  writer.u64(manifest.recordCount).u32(manifest.sections.length);
  for (const digest of manifest.sections) writer.digest(digest);
}

/** Inverse of {@link writeManifest}. Throws {@link MalformedFrameError}. */
export function readManifest(reader: WireReader): SnapshotManifest {
  const meta = readSnapshotMeta(reader);
  const revision = reader.u64();
  const bytes = safeNumber(reader.u64());
  const digest = Buffer.from(reader.view(STATE_DIGEST_BYTES)).toString('hex');
  const recordCount = reader.u64();
  const sections: string[] = [];
  const count = reader.count(DIGEST_BYTES_MIN);
  for (let left = count; left > 0; left -= 1) sections.push(reader.digest());
  return { ...meta, revision, stateDigest: BigInt(`0x${digest}`), recordCount, sections, bytes };
}

function writeMembers(writer: WireWriter, members: readonly Member[]): void {
  writer.u32(members.length);
  for (const member of members) {
    writer.string(member.nodeId).id(member.storeId).u64(member.incarnation);
    writer.string(member.endpoint).u8(member.levels.oldest).u8(member.levels.newest);
  }
}

function readMembers(reader: WireReader): Member[] {
  const members: Member[] = [];
  const count = reader.count(MEMBER_BYTES_MIN);
  for (let left = count; left > 0; left -= 1) {
    const nodeId = reader.string();
    const storeId = reader.id();
    const incarnation = reader.u64();
    const endpoint = reader.string();
    const levels = { oldest: readLevel(reader), newest: readLevel(reader) };
    members.push({ nodeId, storeId, incarnation, endpoint, levels });
  }
  return members;
}

function readLevel(reader: WireReader): number {
  const level = reader.u8();
  if (level < FIRST_LEVEL) throw new MalformedFrameError('a feature level is missing');
  return level;
}

function safeNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new MalformedFrameError('a size is too large');
  return Number(value);
}
