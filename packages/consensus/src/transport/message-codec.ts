import { CHAIN_BYTES, type EntryBody } from '../raft/entry.ts';
import { ENTRY_KIND_CODE, ENTRY_KINDS } from '../raft/entry-kind.ts';
import type { MessageKind, PeerMessage, ReadContext } from '../raft/message.ts';
import { MalformedFrameError, type WireReader } from './wire-reader.ts';
import type { WireWriter } from './wire-writer.ts';

/** A message of one kind. */
type OfKind<K extends MessageKind> = Extract<PeerMessage, { readonly kind: K }>;

/** Term, kind and length of an entry on the wire. */
const ENTRY_HEAD_BYTES = 8 + 1 + 4;
const APPEND_HEAD_BYTES = 1 + 8 * 6 + CHAIN_BYTES + 4;

/** Bytes of an append of one entry beside its payload. */
export const APPEND_OVERHEAD_BYTES: number = APPEND_HEAD_BYTES + ENTRY_HEAD_BYTES;

const MESSAGE_CODE: { readonly [K in MessageKind]: number } = {
  preVote: 1,
  vote: 2,
  preVoteResponse: 3,
  voteResponse: 4,
  append: 5,
  appendAccepted: 6,
  appendRejected: 7,
  heartbeat: 8,
  heartbeatResponse: 9,
  termNotice: 10,
  readIndex: 11,
  readIndexResponse: 12,
  timeoutNow: 13,
  storeLost: 15,
  stateDigest: 16,
  storageStatus: 17,
};

/** Appends a message. Throws `RangeError` for ids, digests and texts that have no encoding. */
export function writeMessage(writer: WireWriter, message: PeerMessage): void {
  writer.u8(MESSAGE_CODE[message.kind]);
  switch (message.kind) {
    case 'preVote':
    case 'vote':
      writer.u64(message.term).u64(message.lastIndex).u64(message.lastTerm).flag(message.transfer);
      return;
    case 'preVoteResponse':
    case 'voteResponse':
      writer.u64(message.term).flag(message.granted);
      return;
    case 'append':
      writeAppend(writer, message);
      return;
    case 'appendAccepted':
      writer.u64(message.term).u64(message.match).u64(message.generation).u64(message.batch);
      return;
    case 'appendRejected':
      writer.u64(message.term).u64(message.rejectIndex);
      writer.u64(message.hintIndex).u64(message.hintTerm);
      writer.u64(message.generation).u64(message.batch);
      return;
    case 'heartbeat':
      writeOptionalContext(writer.u64(message.term).u64(message.commit), message.read);
      return;
    case 'heartbeatResponse':
      writeOptionalContext(writer.u64(message.term), message.read);
      return;
    case 'termNotice':
    case 'timeoutNow':
      writer.u64(message.term);
      return;
    case 'readIndex':
      writeContext(writer.u64(message.term), message.read);
      return;
    case 'readIndexResponse':
      writeContext(writer.u64(message.term), message.read);
      writer.flag(message.index !== undefined);
      if (message.index !== undefined) writer.u64(message.index);
      return;
    case 'storeLost':
      writer.u64(message.term).u64(message.match);
      return;
    case 'stateDigest':
      writer.u64(message.index).digest(message.digest);
      return;
    case 'storageStatus':
      writer.flag(message.isLow);
      return;
  }
}

/**
 * Takes a message off the reader and ends it. Payloads are views of the frame. Throws
 * {@link MalformedFrameError}.
 */
export function readMessage(reader: WireReader): PeerMessage {
  const message = readKind(reader, reader.u8());
  reader.finish();
  return message;
}

function readKind(reader: WireReader, code: number): PeerMessage {
  switch (code) {
    case MESSAGE_CODE.preVote:
      return readVote(reader, 'preVote');
    case MESSAGE_CODE.vote:
      return readVote(reader, 'vote');
    case MESSAGE_CODE.preVoteResponse:
      return { kind: 'preVoteResponse', term: reader.u64(), granted: reader.flag() };
    case MESSAGE_CODE.voteResponse:
      return { kind: 'voteResponse', term: reader.u64(), granted: reader.flag() };
    case MESSAGE_CODE.append:
      return readAppend(reader);
    case MESSAGE_CODE.appendAccepted:
      return readAccepted(reader);
    case MESSAGE_CODE.appendRejected:
      return readRejected(reader);
    case MESSAGE_CODE.heartbeat:
      return readHeartbeat(reader);
    case MESSAGE_CODE.heartbeatResponse:
      return { kind: 'heartbeatResponse', term: reader.u64(), read: readOptionalContext(reader) };
    case MESSAGE_CODE.termNotice:
      return { kind: 'termNotice', term: reader.u64() };
    case MESSAGE_CODE.readIndex:
      return { kind: 'readIndex', term: reader.u64(), read: readContext(reader) };
    case MESSAGE_CODE.readIndexResponse:
      return readIndexAnswer(reader);
    case MESSAGE_CODE.timeoutNow:
      return { kind: 'timeoutNow', term: reader.u64() };
    case MESSAGE_CODE.storeLost:
      return { kind: 'storeLost', term: reader.u64(), match: reader.u64() };
    case MESSAGE_CODE.stateDigest:
      return { kind: 'stateDigest', index: reader.u64(), digest: reader.digest() };
    case MESSAGE_CODE.storageStatus:
      return { kind: 'storageStatus', isLow: reader.flag() };
    default:
      throw new MalformedFrameError(`unknown message kind ${code}`);
  }
}

function readVote(reader: WireReader, kind: 'preVote' | 'vote'): PeerMessage {
  const term = reader.u64();
  const lastIndex = reader.u64();
  const lastTerm = reader.u64();
  return { kind, term, lastIndex, lastTerm, transfer: reader.flag() };
}

function writeAppend(writer: WireWriter, message: OfKind<'append'>): void {
  let bytes = APPEND_HEAD_BYTES;
  for (const entry of message.entries) bytes += ENTRY_HEAD_BYTES + entry.payload.length;
  if (message.prevChain.length !== CHAIN_BYTES) throw new RangeError('a chain value has 16 bytes');
  writer.reserve(bytes);
  writer.u64(message.term).u64(message.prevIndex).u64(message.prevTerm).bytes(message.prevChain);
  writer.u64(message.commit).u64(message.generation).u64(message.batch);
  writer.u32(message.entries.length);
  for (const { term, kind, payload } of message.entries) {
    writer.u64(term).u8(ENTRY_KIND_CODE[kind]).sized(payload);
  }
}

function readAppend(reader: WireReader): PeerMessage {
  const term = reader.u64();
  const prevIndex = reader.u64();
  const prevTerm = reader.u64();
  const prevChain = reader.bytes(CHAIN_BYTES);
  const commit = reader.u64();
  const generation = reader.u64();
  const batch = reader.u64();
  const count = reader.count(ENTRY_HEAD_BYTES);
  const entries: EntryBody[] = [];
  for (let left = count; left > 0; left -= 1) entries.push(readEntry(reader));
  return {
    kind: 'append',
    term,
    prevIndex,
    prevTerm,
    prevChain,
    commit,
    entries,
    generation,
    batch,
  };
}

function readEntry(reader: WireReader): EntryBody {
  const term = reader.u64();
  const code = reader.u8();
  const kind = ENTRY_KINDS.get(code);
  if (kind === undefined) throw new MalformedFrameError(`unknown entry kind ${code}`);
  return { term, kind, payload: reader.view(reader.u32()) };
}

function readAccepted(reader: WireReader): PeerMessage {
  const term = reader.u64();
  const match = reader.u64();
  const generation = reader.u64();
  return { kind: 'appendAccepted', term, match, generation, batch: reader.u64() };
}

function readRejected(reader: WireReader): PeerMessage {
  const term = reader.u64();
  const rejectIndex = reader.u64();
  const hintIndex = reader.u64();
  const hintTerm = reader.u64();
  const generation = reader.u64();
  const batch = reader.u64();
  return { kind: 'appendRejected', term, rejectIndex, hintIndex, hintTerm, generation, batch };
}

function readHeartbeat(reader: WireReader): PeerMessage {
  const term = reader.u64();
  const commit = reader.u64();
  return { kind: 'heartbeat', term, commit, read: readOptionalContext(reader) };
}

function readIndexAnswer(reader: WireReader): PeerMessage {
  const term = reader.u64();
  const read = readContext(reader);
  const index = reader.flag() ? reader.u64() : undefined;
  return { kind: 'readIndexResponse', term, read, index };
}

function writeContext(writer: WireWriter, read: ReadContext): void {
  writer.id(read.epoch).u64(read.context);
}

function readContext(reader: WireReader): ReadContext {
  return { epoch: reader.id(), context: reader.u64() };
}

function writeOptionalContext(writer: WireWriter, read: ReadContext | undefined): void {
  writer.flag(read !== undefined);
  if (read !== undefined) writeContext(writer, read);
}

function readOptionalContext(reader: WireReader): ReadContext | undefined {
  return reader.flag() ? readContext(reader) : undefined;
}
