import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/node/raft-node-options.ts';
import { DEFAULT_RAFT_OPTIONS } from '../../src/raft/raft-options.ts';
import {
  FRAME_BYTES_MAX,
  FRAME_KIND,
  LENGTH_BYTES,
  writeFrame,
} from '../../src/transport/frame.ts';
import {
  readHello,
  readRefusal,
  WIRE_VERSION,
  writeHello,
  writeRefusal,
} from '../../src/transport/hello.ts';
import { readMessage, writeMessage } from '../../src/transport/message-codec.ts';
import { readManifest, writeManifest } from '../../src/transport/snapshot-codec.ts';
import { MalformedFrameError, WireReader } from '../../src/transport/wire-reader.ts';
import { WireWriter } from '../../src/transport/wire-writer.ts';
import { hellos, manifests, messages, messagesByKind } from '../support/message-arbitraries.ts';
import { propRuns } from '../support/prop-runs.ts';

const numRuns = propRuns(200);

interface Codec<T> {
  readonly write: (writer: WireWriter, value: T) => void;
  readonly read: (body: Uint8Array) => T;
}

function encode<T>(codec: Codec<T>, value: T): Uint8Array {
  const writer = new WireWriter();
  codec.write(writer, value);
  writer.commit();
  return new Uint8Array(Buffer.concat(writer.take()));
}

/** What a decoder makes of bytes; refusing them is right, anything else thrown is not. */
function decode<T>(codec: Codec<T>, bytes: Uint8Array): T | undefined {
  try {
    return codec.read(bytes);
  } catch (error) {
    if (!(error instanceof MalformedFrameError)) throw error;
    return undefined;
  }
}

/** Round trip; no reading of shorter or longer bytes; changed bytes decode canonically or not. */
function checkCodec<T>(values: fc.Arbitrary<T>, codec: Codec<T>): void {
  const property = fc.property(values, fc.nat(), fc.integer({ min: 1, max: 255 }), (...given) => {
    const [value, at, change] = given;
    const bytes = encode(codec, value);
    expect(codec.read(bytes)).toEqual(value);
    expect(() => codec.read(bytes.slice(0, at % bytes.length))).toThrow(MalformedFrameError);
    expect(() => codec.read(Uint8Array.of(...bytes, 0))).toThrow(MalformedFrameError);
    const changed = bytes.slice();
    changed[at % bytes.length]! ^= change;
    const other = decode(codec, changed);
    if (other !== undefined) expect(encode(codec, other)).toEqual(changed);
  });
  fc.assert(property, { numRuns });
}

function checkBytes<T>(codec: Codec<T>, body: Uint8Array): void {
  const value = decode(codec, body);
  if (value !== undefined) expect(encode(codec, value)).toEqual(body);
}

const messageCodec = {
  write: writeMessage,
  read: (body: Uint8Array) => readMessage(new WireReader(body)),
};
const manifestCodec = {
  write: writeManifest,
  read: (body: Uint8Array) => {
    const reader = new WireReader(body);
    const manifest = readManifest(reader);
    reader.finish();
    return manifest;
  },
};

test.each(messagesByKind)('CS-310 every %s survives its encoding', (_kind, values) => {
  checkCodec(values, messageCodec);
});

test('CS-310 manifests survive their encoding', () => {
  checkCodec(manifests, manifestCodec);
});

test('CS-310 CS-141 hellos survive their encoding', () => {
  // A changed version number is an error of its own, which has its own test.
  const read = (body: Uint8Array) => {
    if (body.length > 5 && (body[4] !== 0 || body[5] !== WIRE_VERSION))
      throw new MalformedFrameError('');
    return readHello(body, { oldest: 254, newest: 255 });
  };
  checkCodec(hellos, { write: writeHello, read });
});

test('CS-310 arbitrary bytes are refused or decode to what encodes to them', () => {
  const noise = fc.uint8Array({ maxLength: 120 }).map((it) => new Uint8Array(it));
  // A plausible first byte leads deeper into the decoder than noise alone.
  const bodies = fc.oneof(
    noise,
    fc
      .tuple(fc.integer({ min: 1, max: 17 }), noise)
      .map(([kind, it]) => Uint8Array.of(kind, ...it)),
  );
  const property = fc.property(bodies, (body) => {
    checkBytes(messageCodec, body);
    checkBytes(manifestCodec, body);
  });
  fc.assert(property, { numRuns: propRuns(2_000) });
});

test('CS-113 CS-310 a snapshot is told of by its transfer alone, never by a message', () => {
  const kinds = messagesByKind.map(([kind]) => kind);
  expect(kinds).not.toContain('snapshot');
  const body = new WireWriter();
  writeManifest(body.u8(14).u64(1n), fc.sample(manifests, 1)[0]!);
  body.commit();
  const bytes = Buffer.concat(body.take());
  expect(() => messageCodec.read(bytes)).toThrow('unknown message kind 14');
});

test('CS-310 a length beyond the frame is refused before anything is allocated', () => {
  const head = encode(messageCodec, {
    kind: 'append',
    term: 1n,
    prevIndex: 1n,
    prevTerm: 1n,
    prevChain: new Uint8Array(16),
    commit: 1n,
    entries: [],
    generation: 1n,
    batch: 1n,
  });
  const tooMany = head.slice();
  tooMany.fill(0xff, head.length - 4);
  expect(() => messageCodec.read(tooMany)).toThrow('a list is longer than its frame');
  const entry = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1, 1, 0xff, 0xff, 0xff, 0xff);
  head[head.length - 1] = 1;
  expect(() => messageCodec.read(Uint8Array.of(...head, ...entry))).toThrow('ends too early');
});

/** The frame of an append whose entries have payloads of so many bytes, or why there is none. */
function writeAppend(sizes: readonly number[]): number {
  const entries = sizes.map((size) => ({
    term: 1n,
    kind: 'normal' as const,
    payload: new Uint8Array(size),
  }));
  const position = { prevIndex: 1n, prevTerm: 1n, prevChain: new Uint8Array(16), commit: 1n };
  const message = { kind: 'append', term: 1n, ...position, entries, generation: 1n, batch: 1n };
  return writeFrame(new WireWriter(), FRAME_KIND.message, FRAME_BYTES_MAX.replication, (writer) =>
    writeMessage(writer, message as Parameters<typeof writeMessage>[1]),
  );
}

test('CS-40 CS-143 whatever command is not too large has a frame, alone or among others', () => {
  const { payloadBytesMax } = DEFAULT_LIMITS;
  const { appendBytesMax, appendEntriesMax } = DEFAULT_RAFT_OPTIONS;
  expect(writeAppend([payloadBytesMax])).toBe(LENGTH_BYTES + FRAME_BYTES_MAX.replication);
  expect(() => writeAppend([payloadBytesMax + 1])).toThrow('a frame is above its bound');
  // As many and as large as the core puts into one append behind the first entry.
  const batch = fc.integer({ min: 1, max: appendEntriesMax }).map((count) => {
    const size = Math.floor(appendBytesMax / count);
    return Array.from({ length: count }, () => size);
  });
  const alone = fc.integer({ min: payloadBytesMax - 200, max: payloadBytesMax }).map((it) => [it]);
  const property = fc.property(fc.oneof(batch, alone), (sizes) => {
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    expect(writeAppend(sizes)).toBeGreaterThan(bytes);
  });
  fc.assert(property, { numRuns: propRuns(30) });
});

test('what has no encoding is refused and leaves the frames before it intact', () => {
  const writer = new WireWriter();
  const bytesMax = 1_000;
  const write = (value: Parameters<typeof writeMessage>[1]) =>
    writeFrame(writer, FRAME_KIND.message, bytesMax, (it) => writeMessage(it, value));
  write({ kind: 'termNotice', term: 3n });
  const epoch = 'not hexadecimal';
  expect(() => write({ kind: 'readIndex', term: 1n, read: { epoch, context: 1n } })).toThrow(
    RangeError,
  );
  expect(() => write({ kind: 'stateDigest', index: 1n, digest: 'abc' })).toThrow(RangeError);
  const entries = [{ term: 1n, kind: 'normal' as const, payload: new Uint8Array(2_000) }];
  const position = { prevIndex: 1n, prevTerm: 1n, prevChain: new Uint8Array(16), commit: 1n };
  expect(() =>
    write({ kind: 'append', term: 1n, ...position, entries, generation: 1n, batch: 1n }),
  ).toThrow('a frame is above its bound');
  write({ kind: 'termNotice', term: 4n });
  const bytes = Buffer.concat(writer.take());
  const frameBytes = LENGTH_BYTES + 1 + 9;
  expect(bytes.length).toBe(2 * frameBytes);
  const terms = [0, 1].map((at) =>
    messageCodec.read(bytes.subarray(at * frameBytes + LENGTH_BYTES + 1, (at + 1) * frameBytes)),
  );
  expect(terms.map((it) => 'term' in it && it.term)).toEqual([3n, 4n]);
});

test('frames come out of the writer whole, however large they are and whenever they are taken', () => {
  const sizes = fc.array(fc.tuple(fc.nat({ max: 200_000 }), fc.boolean()), { maxLength: 12 });
  const property = fc.property(sizes, (pieces) => {
    const writer = new WireWriter();
    const written: Buffer[] = [];
    const taken: Uint8Array[] = [];
    pieces.forEach(([size, isTaken], at) => {
      const piece = Buffer.alloc(size, at + 1);
      const half = size >> 1;
      writer.bytes(piece.subarray(0, half)).bytes(piece.subarray(half));
      writer.commit();
      written.push(piece);
      if (isTaken) taken.push(...writer.take());
    });
    taken.push(...writer.take());
    expect(writer.pendingBytes).toBe(0);
    expect(Buffer.concat(taken).equals(Buffer.concat(written))).toBe(true);
  });
  fc.assert(property, { numRuns: propRuns(50) });
});

test('a refusal cannot forge lines of a log and is cut to its bound', () => {
  const writer = new WireWriter();
  writeRefusal(writer, `no\n2026 info: all is well\u001b[2J ${'ü'.repeat(2_000)}`);
  writer.commit();
  const reason = readRefusal(Buffer.concat(writer.take()));
  expect(reason).toMatch(/^no 2026 info: all is well \[2J ü+$/);
  expect(reason.length).toBeLessThan(400);
});

test('messages encode the same whatever was written before them', () => {
  const property = fc.property(messages, messages, (first, second) => {
    const writer = new WireWriter();
    writeMessage(writer, first);
    writer.commit();
    writeMessage(writer, second);
    writer.commit();
    const both = Buffer.concat(writer.take());
    const alone = Buffer.concat([encode(messageCodec, first), encode(messageCodec, second)]);
    expect(both.equals(alone)).toBe(true);
  });
  fc.assert(property, { numRuns });
});
