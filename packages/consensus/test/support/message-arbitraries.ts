import fc from 'fast-check';
import type { Configuration, Member } from '../../src/raft/configuration.ts';
import type { EntryBody } from '../../src/raft/entry.ts';
import type { MessageKind, PeerMessage, ReadContext } from '../../src/raft/message.ts';
import type { SnapshotManifest } from '../../src/storage/log-storage.ts';
import type { Hello } from '../../src/transport/hello.ts';
import { WIRE_FINGERPRINT } from '../../src/transport/wire-fingerprint.ts';
import { anyLevel, anyLevels } from './level-arbitraries.ts';

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const bytes = (max: number) => fc.uint8Array({ maxLength: max }).map((it) => new Uint8Array(it));
const chain = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((it) => new Uint8Array(it));
const id = chain.map((it) => Buffer.from(it).toString('hex'));
const digest = bytes(64).map((it) => Buffer.from(it).toString('hex'));
const text = fc.string({ unit: 'grapheme', maxLength: 20 });
const flag = fc.boolean();
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const is = <K extends MessageKind>(...kinds: readonly K[]) => fc.constantFrom(...kinds);

const read: fc.Arbitrary<ReadContext> = fc.record({ epoch: id, context: u64 });
const member: fc.Arbitrary<Member> = fc.record({
  nodeId: text,
  storeId: id,
  incarnation: u64,
  endpoint: text,
  levels: anyLevels,
});
const members = fc.array(member, { maxLength: 4 });
export const configurations: fc.Arbitrary<Configuration> = fc.record({
  clusterUid: id,
  level: anyLevel,
  voters: members,
  outgoing: members,
  learners: members,
});
const metaFields = {
  index: u64,
  term: u64,
  chain,
  generation: u64,
  configuration: configurations,
  configurationIndex: u64,
};
export const manifests: fc.Arbitrary<SnapshotManifest> = fc.record({
  ...metaFields,
  revision: u64,
  stateDigest: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  recordCount: u64,
  sections: fc.array(digest, { maxLength: 5 }),
  bytes: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
});
const entry: fc.Arbitrary<EntryBody> = fc.record({
  term: u64,
  kind: fc.constantFrom('normal' as const, 'empty' as const, 'configuration' as const),
  payload: bytes(60),
});

/** One arbitrary per message kind: the type makes sure that none is forgotten. */
const byKind: { readonly [K in MessageKind]: fc.Arbitrary<PeerMessage> } = {
  preVote: fc.record({
    kind: is('preVote'),
    term: u64,
    lastIndex: u64,
    lastTerm: u64,
    transfer: flag,
  }),
  vote: fc.record({ kind: is('vote'), term: u64, lastIndex: u64, lastTerm: u64, transfer: flag }),
  preVoteResponse: fc.record({ kind: is('preVoteResponse'), term: u64, granted: flag }),
  voteResponse: fc.record({ kind: is('voteResponse'), term: u64, granted: flag }),
  append: fc.record({
    kind: is('append'),
    term: u64,
    prevIndex: u64,
    prevTerm: u64,
    prevChain: chain,
    commit: u64,
    entries: fc.array(entry, { maxLength: 5 }),
    generation: u64,
    batch: u64,
  }),
  appendAccepted: fc.record({
    kind: is('appendAccepted'),
    term: u64,
    match: u64,
    generation: u64,
    batch: u64,
  }),
  appendRejected: fc.record({
    kind: is('appendRejected'),
    term: u64,
    rejectIndex: u64,
    hintIndex: u64,
    hintTerm: u64,
    generation: u64,
    batch: u64,
  }),
  heartbeat: fc.record({ kind: is('heartbeat'), term: u64, commit: u64, read: optional(read) }),
  heartbeatResponse: fc.record({ kind: is('heartbeatResponse'), term: u64, read: optional(read) }),
  termNotice: fc.record({ kind: is('termNotice'), term: u64 }),
  readIndex: fc.record({ kind: is('readIndex'), term: u64, read }),
  readIndexResponse: fc.record({
    kind: is('readIndexResponse'),
    term: u64,
    read,
    index: optional(u64),
  }),
  timeoutNow: fc.record({ kind: is('timeoutNow'), term: u64 }),
  storeLost: fc.record({ kind: is('storeLost'), term: u64, match: u64 }),
  stateDigest: fc.record({ kind: is('stateDigest'), index: u64, digest }),
  storageStatus: fc.record({ kind: is('storageStatus'), isLow: flag }),
};

/** Messages, by kind. */
export const messagesByKind: readonly (readonly [string, fc.Arbitrary<PeerMessage>])[] =
  Object.entries(byKind);

/** Messages of any kind. */
export const messages: fc.Arbitrary<PeerMessage> = fc.oneof(...Object.values(byKind));

/** What a process says first. */
export const hellos: fc.Arbitrary<Hello> = fc.record({
  trafficClass: fc.constantFrom('management' as const, 'replication' as const, 'bulk' as const),
  sender: fc.record({
    clusterId: text,
    clusterUid: optional(id),
    nodeId: text,
    storeId: id,
    epoch: id,
    incarnation: u64,
    endpoint: text,
    levels: anyLevels,
    level: optional(anyLevel),
  }),
  fingerprint: fc.constant(WIRE_FINGERPRINT),
  addressee: optional(fc.record({ nodeId: text, storeId: id })),
});
