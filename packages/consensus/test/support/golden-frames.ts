import { createHash } from 'node:crypto';
import type { Configuration, Member } from '../../src/raft/configuration.ts';
import type { PeerMessage } from '../../src/raft/message.ts';
import type { SnapshotManifest } from '../../src/storage/log-storage.ts';
import { FRAME_KIND, type FrameKind, writeFrame } from '../../src/transport/frame.ts';
import { type Hello, writeHello, writeRefusal } from '../../src/transport/hello.ts';
import { writeMessage } from '../../src/transport/message-codec.ts';
import { writeManifest } from '../../src/transport/snapshot-codec.ts';
import { WireWriter } from '../../src/transport/wire-writer.ts';

const FRAME_BYTES_MAX = 65_536;
const chain = Uint8Array.from({ length: 16 }, (_, i) => i);
const read = { epoch: '11'.repeat(16), context: 12n };

const member = (number: number): Member => ({
  nodeId: `n${number}`,
  storeId: `0${number}`.repeat(16),
  incarnation: BigInt(1_000 + number),
  endpoint: `127.0.0.1:700${number}`,
  levels: { oldest: 1, newest: 2 },
});

const configuration: Configuration = {
  clusterUid: 'c0'.repeat(16),
  level: 1,
  voters: [member(1), member(2)],
  outgoing: [member(1)],
  learners: [member(3)],
};

/** A snapshot that fills every field. */
export const GOLDEN_MANIFEST: SnapshotManifest = {
  generation: 3n,
  index: 20n,
  term: 4n,
  chain,
  configuration,
  configurationIndex: 17n,
  revision: 9n,
  stateDigest: 0x1234n,
  recordCount: 5n,
  sections: ['ab'.repeat(32)],
  bytes: 77,
};

/** What a process says first; its fingerprint is left empty, because it is made of these frames. */
export const GOLDEN_HELLO: Hello = {
  trafficClass: 'replication',
  sender: {
    clusterId: 'golden',
    clusterUid: 'c0'.repeat(16),
    nodeId: 'n1',
    storeId: '01'.repeat(16),
    epoch: '22'.repeat(16),
    incarnation: 1_001n,
    endpoint: '127.0.0.1:7001',
    levels: { oldest: 1, newest: 2 },
    level: 1,
  },
  addressee: { nodeId: 'n2', storeId: '02'.repeat(16) },
  fingerprint: '00'.repeat(16),
};

const entries = [
  { term: 4n, kind: 'normal' as const, payload: Uint8Array.of(1, 2, 3) },
  { term: 4n, kind: 'empty' as const, payload: new Uint8Array(0) },
];
const append = { term: 4n, prevIndex: 19n, prevTerm: 3n, prevChain: chain, commit: 18n, entries };
const stream = { generation: 2n, batch: 6n };
const election = { term: 5n, lastIndex: 20n, lastTerm: 4n, transfer: true };

/** A message of each kind. */
export const GOLDEN_MESSAGES: readonly PeerMessage[] = [
  { kind: 'preVote', ...election },
  { kind: 'vote', ...election },
  { kind: 'preVoteResponse', term: 5n, granted: true },
  { kind: 'voteResponse', term: 5n, granted: false },
  { kind: 'append', ...append, ...stream },
  { kind: 'appendAccepted', term: 4n, match: 21n, ...stream },
  { kind: 'appendRejected', term: 4n, rejectIndex: 19n, hintIndex: 9n, hintTerm: 2n, ...stream },
  { kind: 'heartbeat', term: 4n, commit: 18n, read },
  { kind: 'heartbeatResponse', term: 4n, read: undefined },
  { kind: 'termNotice', term: 6n },
  { kind: 'readIndex', term: 4n, read },
  { kind: 'readIndexResponse', term: 4n, read, index: 18n },
  { kind: 'timeoutNow', term: 4n },
  { kind: 'storeLost', term: 4n, match: 21n },
  { kind: 'stateDigest', index: 1_000n, digest: 'cd'.repeat(32) },
  { kind: 'storageStatus', isLow: true },
];

function frame(kind: FrameKind, writeBody: (writer: WireWriter) => void): string {
  const writer = new WireWriter();
  writeFrame(writer, kind, FRAME_BYTES_MAX, writeBody);
  return Buffer.concat(writer.take()).toString('hex');
}

/** A frame of each kind that members send each other, as text: what it is, and its bytes. */
export function goldenFrames(): string {
  const lines = [
    ['hello', frame(FRAME_KIND.hello, (it) => writeHello(it, GOLDEN_HELLO))],
    ['refusal', frame(FRAME_KIND.refusal, (it) => writeRefusal(it, 'not you'))],
    ['credit', frame(FRAME_KIND.credit, (it) => it.u64(70_000n).u64(8n))],
    ['ping', frame(FRAME_KIND.ping, () => {})],
    ...GOLDEN_MESSAGES.map((message) => [
      message.kind,
      frame(FRAME_KIND.message, (it) => writeMessage(it, message)),
    ]),
    [
      'snapshotBegin',
      frame(FRAME_KIND.snapshotBegin, (it) => writeManifest(it.u64(4n), GOLDEN_MANIFEST)),
    ],
    [
      'snapshotChunk',
      frame(FRAME_KIND.snapshotChunk, (it) => it.u32(0).u32(77).u32(64).bytes(chain)),
    ],
    ['snapshotNext', frame(FRAME_KIND.snapshotNext, (it) => it.u32(0))],
    ['snapshotDone', frame(FRAME_KIND.snapshotDone, () => {})],
  ];
  return `${lines.map((line) => line.join(' ')).join('\n')}\n`;
}

/** The name of these shapes. */
export function fingerprintOf(frames: string): string {
  return createHash('sha256').update(frames).digest('hex').slice(0, 32);
}
