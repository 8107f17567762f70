import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrameReader } from '../../src/transport/frame-reader.ts';
import { MalformedFrameError } from '../../src/transport/wire-reader.ts';
import { propRuns } from '../support/prop-runs.ts';

const BYTES_MAX = 5_000;
const frames = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 300 })),
  { maxLength: 20 },
);
const cuts = fc.infiniteStream(fc.integer({ min: 1, max: 400 }));

function stream(list: readonly (readonly [number, Uint8Array])[]): Buffer {
  return Buffer.concat(
    list.map(([kind, body]) => {
      const head = Buffer.alloc(5);
      head.writeUInt32BE(body.length + 1);
      head[4] = kind;
      return Buffer.concat([head, body]);
    }),
  );
}

/** Cuts bytes into chunks of the given sizes. */
function chunksOf(bytes: Buffer, sizes: Iterator<number>): Buffer[] {
  const chunks: Buffer[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const size = Number(sizes.next().value);
    chunks.push(bytes.subarray(offset, offset + size));
    offset += size;
  }
  return chunks;
}

function readAll(reader: FrameReader): [number, Uint8Array][] {
  const read: [number, Uint8Array][] = [];
  for (let frame = reader.next(); frame !== undefined; frame = reader.next()) {
    read.push([frame.kind, new Uint8Array(frame.body)]);
  }
  return read;
}

test('frames are the same however the stream is cut', () => {
  const property = fc.property(frames, cuts, fc.boolean(), (list, sizes, isEager) => {
    const reader = new FrameReader(BYTES_MAX);
    const read: [number, Uint8Array][] = [];
    for (const chunk of chunksOf(stream(list), sizes)) {
      reader.push(chunk);
      if (isEager) read.push(...readAll(reader));
    }
    read.push(...readAll(reader));
    expect(read).toEqual(list.map(([kind, body]) => [kind, new Uint8Array(body)]));
    expect(reader.isInsideFrame).toBe(false);
  });
  fc.assert(property, { numRuns: propRuns(300) });
});

test('a truncated stream gives the whole frames and keeps waiting for the rest', () => {
  const property = fc.property(frames, fc.nat(), cuts, (list, at, sizes) => {
    const bytes = stream(list);
    const kept = bytes.subarray(0, bytes.length === 0 ? 0 : at % bytes.length);
    const reader = new FrameReader(BYTES_MAX);
    for (const chunk of chunksOf(kept, sizes)) reader.push(chunk);
    const read = readAll(reader);
    expect(read).toEqual(
      list.slice(0, read.length).map(([kind, it]) => [kind, new Uint8Array(it)]),
    );
    const consumed = stream(list.slice(0, read.length)).length;
    expect(reader.isInsideFrame).toBe(consumed < kept.length);
    reader.push(bytes.subarray(kept.length));
    expect(read.length + readAll(reader).length).toBe(list.length);
  });
  fc.assert(property, { numRuns: propRuns(300) });
});

test('noise is refused or cut into frames within the bound', () => {
  const property = fc.property(fc.uint8Array({ maxLength: 2_000 }), cuts, (noise, sizes) => {
    const reader = new FrameReader(BYTES_MAX);
    try {
      for (const chunk of chunksOf(Buffer.from(noise), sizes)) {
        reader.push(chunk);
        for (const [, body] of readAll(reader)) expect(body.length).toBeLessThan(BYTES_MAX);
      }
    } catch (error) {
      expect(error).toBeInstanceOf(MalformedFrameError);
    }
  });
  fc.assert(property, { numRuns: propRuns(500) });
});

test('CS-143 a length above the bound or of zero is refused from its head alone', () => {
  const tooLong = new FrameReader(100);
  tooLong.push(Buffer.of(0, 0, 0, 101));
  expect(() => tooLong.next()).toThrow('a frame of 101 bytes, at most 100 allowed');
  const empty = new FrameReader(100);
  empty.push(Buffer.of(0, 0, 0, 0));
  expect(() => empty.next()).toThrow('an empty frame');
  const longest = new FrameReader(100);
  longest.push(Buffer.concat([Buffer.of(0, 0, 0, 100), Buffer.alloc(100, 7)]));
  expect(longest.next()?.body.length).toBe(99);
});

test('a large frame in many small chunks costs its size once, not its square', () => {
  const size = 2_000_000;
  const measure = (chunkBytes: number): number => {
    const reader = new FrameReader(size);
    const head = Buffer.alloc(4);
    head.writeUInt32BE(size);
    reader.push(head);
    let copied = 0;
    for (let left = size; left > 0; left -= chunkBytes) {
      reader.push(Buffer.alloc(Math.min(chunkBytes, left), 1));
      const frame = reader.next();
      copied += frame === undefined ? 0 : frame.body.length;
    }
    return copied;
  };
  const startedAt = performance.now();
  expect(measure(100)).toBe(size - 1);
  // 20,000 chunks; joining what is there on each of them would move 20 GB.
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
