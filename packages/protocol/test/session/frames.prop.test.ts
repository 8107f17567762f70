import fc from 'fast-check';
import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { scan } from '../../src/session/messagepack/scan.ts';
import { isUtf8 } from '../../src/session/messagepack/utf8.ts';
import {
  type CommandRequest,
  cutTransfer,
  DEFAULT_FRAME_LIMITS,
  encodeClientFrame,
  encodeServerFrame,
  type FrameLimits,
  frameLimitsDefect,
  readClientFrame,
  readServerFrame,
  type ServerFrame,
  TransferJoiner,
  type TransferPart,
} from '../../src/session.ts';
import { CLIENT_SAMPLES, SERVER_SAMPLES } from './frame-samples.ts';

const runs = Number(process.env['PROP_RUNS'] ?? 300);
const limits = DEFAULT_FRAME_LIMITS;
const packr = new Packr({ useRecords: false, variableMapSize: true });
const samples = [
  ...Object.values(CLIENT_SAMPLES).map(encodeClientFrame),
  ...Object.values(SERVER_SAMPLES).map(encodeServerFrame),
];

describe('CL-13: no bytes make a reader fail', () => {
  const readAll = (bytes: Uint8Array): void => {
    expect(readClientFrame(bytes, limits).kind).toMatch(
      /^(request|grant|rejected|unidentified|invalid)$/,
    );
    expect(readServerFrame(bytes, limits).kind).toMatch(/^(frame|invalid)$/);
  };

  test('arbitrary ones', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), readAll), { numRuns: runs });
  });

  test('frames with bytes changed, taken out and put in, and cut short', () => {
    const change = fc.record({
      at: fc.nat(),
      drop: fc.nat({ max: 2 }),
      insert: fc.uint8Array({ maxLength: 3 }),
    });
    const mutated = fc
      .tuple(
        fc.constantFrom(...samples),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        fc.nat(),
      )
      .map(([sample, changes, cut]) => {
        let bytes = Buffer.from(sample);
        for (const { at, drop, insert } of changes) {
          const place = at % (bytes.length + 1);
          bytes = Buffer.concat([bytes.subarray(0, place), insert, bytes.subarray(place + drop)]);
        }
        return cut % 5 === 0 ? bytes.subarray(0, cut % (bytes.length + 1)) : bytes;
      });
    fc.assert(fc.property(mutated, readAll), { numRuns: 2 * runs });
  });

  test('every bit of every sample flipped', () => {
    for (const sample of samples) {
      for (let bit = 0; bit < 8 * sample.length; bit += 7) {
        const bytes = Uint8Array.from(sample);
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        readAll(bytes);
      }
    }
  });
});

test('CL-10: what is encoded is read as it was', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((each) => each !== '');
  const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  const request: fc.Arbitrary<CommandRequest> = fc.record(
    {
      t: fc.constant('CommandRequest' as const),
      query: text,
      domain: text,
      execution_reference: fc.stringMatching(/^[A-Za-z0-9._-]{1,128}$/),
      expected_transaction_position: u64,
      expected_preview: fc.record({
        transaction_id: text,
        position: u64,
        planning_basis: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      }),
    },
    { requiredKeys: ['t', 'query', 'execution_reference'] },
  );
  const id = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n });
  fc.assert(
    fc.property(id, request, (request_id, sent) => {
      const frame = { request_id, request: { ...sent } };
      expect(readClientFrame(encodeClientFrame(frame), limits)).toEqual({ kind: 'request', frame });
    }),
    { numRuns: runs },
  );
});

function inspectionOf({ body }: ServerFrame): unknown {
  return body.t === 'Reply' && body.body.t === 'CommandOutcome' ? body.body.inspection : undefined;
}

test('CL-13: documents come out as they went in', () => {
  const document = fc.dictionary(
    fc.string({ maxLength: 12 }).filter((name) => name !== '__proto__'),
    fc.jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).includes('__proto__')),
    { maxKeys: 6, noNullPrototype: true },
  );
  fc.assert(
    fc.property(document, (report) => {
      const frame: ServerFrame = {
        body: {
          t: 'Reply',
          request_id: 1n,
          body: {
            t: 'CommandOutcome',
            execution_reference: 'a',
            origin: 'Executed',
            disposition: { t: 'CommandCompleted', already_existed: false },
            message: 'm'.repeat(1_000),
            diagnostics: [],
            inspection: report as Record<string, unknown>,
          },
        },
      };
      const reading = readServerFrame(encodeServerFrame(frame), limits);
      if (reading.kind !== 'frame') throw new Error(reading.message);
      // Numbers without a fraction lose the sign of their zero, as in JSON.
      expect(JSON.stringify(inspectionOf(reading.frame))).toBe(JSON.stringify(report));
    }),
    { numRuns: runs },
  );
});

describe('CL-13: a frame is bounded before it is built', () => {
  const small: FrameLimits = { ...limits, nesting: 16, entries: 20, stringBytes: 30 };
  const kindOf = (bytes: Uint8Array, bounds = small): string => scan(bytes, bounds, 1e9).kind;

  test.each<[string, Uint8Array, string]>([
    ['as deep as allowed', Buffer.concat([Buffer.alloc(16, 0x91), Buffer.of(1)]), 'scanned'],
    ['deeper', Buffer.concat([Buffer.alloc(17, 0x91), Buffer.of(1)]), 'malformed'],
    ['as many entries as allowed', packr.pack(new Array(20).fill(1)), 'scanned'],
    ['more entries', packr.pack(new Array(21).fill(1)), 'malformed'],
    ['as long a text as allowed', packr.pack('a'.repeat(30)), 'scanned'],
    ['a longer text', packr.pack('a'.repeat(31)), 'malformed'],
    ['a key that is no text', Uint8Array.of(0x81, 0x01, 0x01), 'malformed'],
    ['a byte that is reserved', Uint8Array.of(0xc1), 'malformed'],
    ['an extension', Uint8Array.of(0xd4, 0x01, 0x00), 'malformed'],
    ['a length that is cut short', Uint8Array.of(0xdb, 0x00), 'malformed'],
  ])('%s', (_what, bytes, kind) => {
    expect(kindOf(bytes)).toBe(kind);
  });

  test('texts are UTF-8 exactly where a fatal decoder takes them', () => {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const isDecodable = (bytes: Uint8Array): boolean => {
      try {
        decoder.decode(bytes);
        return true;
      } catch {
        return false;
      }
    };
    const sequence = fc.oneof(
      fc.uint8Array({ maxLength: 6 }),
      fc.string({ unit: 'grapheme', maxLength: 4 }).map((text) => new TextEncoder().encode(text)),
    );
    fc.assert(
      fc.property(fc.array(sequence, { maxLength: 4 }), (parts) => {
        const bytes = Buffer.concat(parts);
        expect(isUtf8(bytes, 0, bytes.length)).toBe(isDecodable(bytes));
      }),
      { numRuns: 4 * runs },
    );
  });

  test('small values that would become large ones are refused', () => {
    const maps = Buffer.concat([Buffer.of(0xdd, 0, 0, 0x10, 0), Buffer.alloc(4_096, 0x80)]);
    expect(scan(maps, limits).kind).toBe('malformed');
    const lists = Buffer.concat([Buffer.of(0xdd, 0, 0, 0x10, 0), Buffer.alloc(4_096, 0x90)]);
    expect(scan(lists, limits).kind).toBe('malformed');
    const wide = packr.pack(`${'a'.repeat(10_000)}€`);
    expect(scan(wide, limits).kind).toBe('scanned');
  });
});

describe('CL-15: transfers', () => {
  const parted: FrameLimits = { ...limits, frameBytes: 1_024, transferBytes: 20_000 };

  function whole(message: string, id = 5n): Uint8Array {
    const body = { t: 'RequestRejected', rejection: 'ServerBusy', message } as const;
    return encodeServerFrame({ body: { t: 'Reply', request_id: id, body } });
  }

  function parts(bytes: Uint8Array, id = 5n): readonly TransferPart[] {
    return [...cutTransfer(id, bytes, parted)].map((frame) => {
      expect(frame.length).toBeLessThanOrEqual(parted.frameBytes);
      const reading = readServerFrame(frame, parted);
      if (reading.kind !== 'frame') throw new Error(reading.message);
      const { body } = reading.frame;
      if (body.t !== 'Reply' || body.body.t !== 'TransferPart') throw new Error('no part');
      return body.body;
    });
  }

  test('what was cut is joined to what it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 15_000 }), (length) => {
        const bytes = whole('x'.repeat(length));
        const joiner = new TransferJoiner(5n, parted);
        const progress = parts(bytes).map((part) => joiner.take(part));
        expect(progress.slice(0, -1).every(({ kind }) => kind === 'partial')).toBe(true);
        const { kind, ...rest } = readServerFrame(bytes, limits);
        expect(progress.at(-1)).toEqual({ kind, ...rest });
      }),
      { numRuns: 60 },
    );
  });

  test.each<[string, (all: readonly TransferPart[]) => readonly TransferPart[]]>([
    ['a gap', ([first, , third]) => [first, third].flatMap((each) => each ?? [])],
    ['parts out of order', ([first, second]) => [second, first].flatMap((each) => each ?? [])],
    [
      'a changed total',
      ([first, second]) =>
        [first, second && { ...second, total_bytes: second.total_bytes + 1n }].flatMap(
          (each) => each ?? [],
        ),
    ],
    ['an empty chunk', ([first]) => (first ? [{ ...first, chunk: new Uint8Array() }] : [])],
    ['excess', ([first]) => (first ? [{ ...first, total_bytes: 10n }] : [])],
    ['more than the limit', ([first]) => (first ? [{ ...first, total_bytes: 20_001n }] : [])],
  ])('%s is refused', (_what, spoil) => {
    const joiner = new TransferJoiner(5n, parted);
    const spoilt = spoil(parts(whole('x'.repeat(3_000))));
    expect(spoilt.map((part) => joiner.take(part).kind)).toContain('invalid');
  });

  test.each([
    ['the reply to another request', whole('x'.repeat(3_000), 6n)],
    ['bytes that are no frame', new Uint8Array(3_000)],
  ])('%s is refused', (_what, bytes) => {
    const joiner = new TransferJoiner(5n, parted);
    expect(
      parts(bytes)
        .map((part) => joiner.take(part).kind)
        .at(-1),
    ).toBe('invalid');
  });
});

test.each<[string, Partial<FrameLimits>, string | undefined]>([
  ['the defaults', {}, undefined],
  [
    'a frame that is too small',
    { frameBytes: 1_023 },
    'the frame limit must be from 1 KiB to 256 MiB',
  ],
  [
    'a frame above the transfer',
    { transferBytes: 1_024 },
    'the transfer limit must be at least the frame limit',
  ],
  ['flat values', { nesting: 15 }, 'the nesting limit must be from 16 to 128'],
  ['long texts', { stringBytes: 2 ** 30 }, 'the string limit must be at most the transfer limit'],
  ['no entries', { entries: 0 }, 'the entry limit must be from 1 to 4294967295'],
])('CL-14: %s', (_what, given, defect) => {
  expect(frameLimitsDefect({ ...limits, ...given })).toBe(defect);
});

test('CL-11: a frame that is none is not sent', () => {
  expect(() => encodeClientFrame({ request_id: 0n, request: { t: 'ListDomainsRequest' } })).toThrow(
    'request_id is not from 1',
  );
  const query = 'a\ud800b';
  const request = { t: 'CommandRequest', query, execution_reference: 'a' } as const;
  expect(() => encodeClientFrame({ request_id: 1n, request })).toThrow('not well-formed Unicode');
});
