import { type FeatureLevels, FIRST_LEVEL, levelRefusal } from '../raft/feature-levels.ts';
import type { MemberId } from '../raft/member-id.ts';
import { CLASS_CODE, classOf, type TrafficClass } from './frame.ts';
import type { PeerIdentity } from './transport.ts';
import { WIRE_FINGERPRINT } from './wire-fingerprint.ts';
import { MalformedFrameError, WireReader } from './wire-reader.ts';
import type { WireWriter } from './wire-writer.ts';

/**
 * Number of the wire protocol. Magic and number stand in front of every hello and the form of a
 * refusal never changes, so that processes of different numbers can still tell each other why.
 */
export const WIRE_VERSION = 2;

const MAGIC = 0x4e56_5852;
/** Such a text is within the bound of texts on the wire in any script. */
const REASON_LENGTH_MAX = 330;

/** First frame of both ends of a connection. */
export interface Hello {
  readonly trafficClass: TrafficClass;
  readonly sender: PeerIdentity;
  /** Whom the sender means to talk to; `undefined` when it knows only an endpoint. */
  readonly addressee: MemberId | undefined;
  /** Tells the shapes of all that the sender writes to others from those of other builds. */
  readonly fingerprint: string;
}

/** What a process of this build says of itself. */
export function ownHello(hello: Omit<Hello, 'fingerprint'>): Hello {
  return { ...hello, fingerprint: WIRE_FINGERPRINT };
}

/** The other end speaks another protocol or another number of this one. */
export class WireVersionError extends Error {
  override readonly name = 'WireVersionError';
  readonly #version: number;

  constructor(version: number) {
    super(`wire version ${version} instead of ${WIRE_VERSION}`);
    this.#version = version;
  }

  /** The reason in words; `peer` names the other end. */
  describe(peer: string): string {
    return (
      `wireVersionMismatch: ${peer} speaks wire version ${this.#version}, the other end of the` +
      ` connection ${WIRE_VERSION}; run releases that share a wire version`
    );
  }
}

/** Appends the body of a hello. */
export function writeHello(writer: WireWriter, hello: Hello): void {
  const { sender, addressee } = hello;
  writer.u32(MAGIC).u16(WIRE_VERSION).u8(CLASS_CODE[hello.trafficClass]);
  writer.string(sender.clusterId).flag(sender.clusterUid !== undefined);
  if (sender.clusterUid !== undefined) writer.id(sender.clusterUid);
  writer.string(sender.nodeId).id(sender.storeId).id(sender.epoch);
  writer.u64(sender.incarnation).string(sender.endpoint);
  writer
    .u8(sender.levels.oldest)
    .u8(sender.levels.newest)
    .u8(sender.level ?? 0);
  writer.id(hello.fingerprint);
  writer.flag(addressee !== undefined);
  if (addressee !== undefined) writer.string(addressee.nodeId).id(addressee.storeId);
}

/**
 * Inverse of {@link writeHello}, for a reader of these levels. Throws `WireVersionError` or
 * `MalformedFrameError`.
 */
export function readHello(body: Uint8Array, { newest }: FeatureLevels): Hello {
  const reader = new WireReader(body);
  if (reader.u32() !== MAGIC) throw new MalformedFrameError('not a hello of this protocol');
  const version = reader.u16();
  if (version !== WIRE_VERSION) throw new WireVersionError(version);
  const trafficClass = classOf(reader.u8());
  const sender = readIdentity(reader);
  const fingerprint = reader.id();
  const addressee = reader.flag() ? { nodeId: reader.string(), storeId: reader.id() } : undefined;
  // A release of a greater level may say more; a hello comes before both ends agree on one.
  if (sender.levels.newest <= newest) reader.finish();
  return { trafficClass, sender, addressee, fingerprint };
}

function readIdentity(reader: WireReader): PeerIdentity {
  const clusterId = reader.string();
  const clusterUid = reader.flag() ? reader.id() : undefined;
  const nodeId = reader.string();
  const storeId = reader.id();
  const epoch = reader.id();
  const incarnation = reader.u64();
  const endpoint = reader.string();
  const levels = { oldest: reader.u8(), newest: reader.u8() };
  const level = reader.u8();
  if (levels.oldest < FIRST_LEVEL || levels.oldest > levels.newest) {
    throw new MalformedFrameError('feature levels out of order');
  }
  return {
    clusterId,
    clusterUid,
    nodeId,
    storeId,
    epoch,
    incarnation,
    endpoint,
    levels,
    level: level === 0 ? undefined : level,
  };
}

/** Appends the body of a refusal: why a connection is closed, for people. */
export function writeRefusal(writer: WireWriter, reason: string): void {
  writer.u16(WIRE_VERSION).string(reason.slice(0, REASON_LENGTH_MAX));
}

/** Inverse of {@link writeRefusal}. Throws {@link MalformedFrameError}. */
export function readRefusal(body: Uint8Array): string {
  const reader = new WireReader(body);
  reader.u16();
  const reason = reader.string();
  reader.finish();
  // What another process says ends up in logs: it must not be able to forge lines there.
  return reason.replace(/\p{Cc}/gu, ' ');
}

/** Why a process is refused whose name is that of a living member; the text names the remedy. */
export function nameInUse(member: { readonly nodeId: string; readonly endpoint: string }): string {
  return (
    `nameInUse: the name of node '${member.nodeId}' is in use by the living member at` +
    ` ${member.endpoint}; give this process another name, or stop that one before it is replaced`
  );
}

/** What both ends of a connection must agree on. */
export interface HelloExpectation {
  readonly own: PeerIdentity;
  /** Whom the other end must be; `undefined` when only its endpoint is known. */
  readonly member: MemberId | undefined;
  /** Node named by the other end's certificate; `undefined` without certificates. */
  readonly certifiedNodeId: string | undefined;
}

/** Why the other end is refused, or `undefined`. The text names the peer and the remedy. */
export function refusalOf(hello: Hello, expected: HelloExpectation): string | undefined {
  const { sender, addressee } = hello;
  const { own, member, certifiedNodeId } = expected;
  if (sender.clusterId !== own.clusterId) {
    return (
      `clusterMismatch: node '${sender.nodeId}' belongs to cluster '${sender.clusterId}', node` +
      ` '${own.nodeId}' to cluster '${own.clusterId}'; give both the same cluster id`
    );
  }
  if (certifiedNodeId !== undefined && certifiedNodeId !== sender.nodeId) {
    return (
      `node '${sender.nodeId}' presented the certificate of node '${certifiedNodeId}';` +
      ' give each node its own certificate'
    );
  }
  if (sender.epoch === own.epoch) return `node '${own.nodeId}' reached itself`;
  if (sender.storeId === own.storeId) {
    return (
      `storeInUse: node '${sender.nodeId}' opened a copy of the store of node '${own.nodeId}';` +
      ' stop one of them and recreate its stored state'
    );
  }
  return (
    addresseeRefusal(sender, own, addressee, member) ??
    uidRefusal(sender, own) ??
    levelRefusal(sender, own) ??
    fingerprintRefusal(hello)
  );
}

function fingerprintRefusal({ sender, fingerprint }: Hello): string | undefined {
  if (fingerprint === WIRE_FINGERPRINT) return undefined;
  return (
    `wireMismatch: node '${sender.nodeId}' writes other frames than this release at the same` +
    ' feature level; run builds of one release'
  );
}

function addresseeRefusal(
  sender: PeerIdentity,
  own: PeerIdentity,
  addressee: MemberId | undefined,
  member: MemberId | undefined,
): string | undefined {
  if (addressee !== undefined && addressee.nodeId !== own.nodeId) {
    return (
      `node '${sender.nodeId}' wants to reach node '${addressee.nodeId}' but this is node` +
      ` '${own.nodeId}'; correct the endpoint of node '${addressee.nodeId}'`
    );
  }
  if (member !== undefined && member.nodeId !== sender.nodeId) {
    return (
      `node '${sender.nodeId}' answers at the endpoint of node '${member.nodeId}';` +
      ` correct the endpoint of node '${member.nodeId}'`
    );
  }
  if (addressee !== undefined && addressee.storeId !== own.storeId) {
    return storeMismatch(own.nodeId);
  }
  if (member !== undefined && member.storeId !== sender.storeId) {
    return storeMismatch(sender.nodeId);
  }
  return undefined;
}

function storeMismatch(nodeId: string): string {
  return (
    `storeMismatch: node '${nodeId}' has another store than the one that is a member;` +
    ' wait for it to be admitted with its new store'
  );
}

function uidRefusal(sender: PeerIdentity, own: PeerIdentity): string | undefined {
  if (sender.clusterUid === undefined || own.clusterUid === undefined) return undefined;
  if (sender.clusterUid === own.clusterUid) return undefined;
  return (
    `clusterMismatch: node '${sender.nodeId}' belongs to another foundation of cluster` +
    ` '${own.clusterId}' than node '${own.nodeId}'; recreate the stored state of the one that` +
    ' does not belong here'
  );
}
