import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { decode } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { replyBody } from '../../src/session/bodies/reply.ts';
import { serverBody } from '../../src/session/bodies/server-body.ts';
import { clientGrant, clientRequest } from '../../src/session/requests/client-request.ts';
import {
  DEFAULT_FRAME_LIMITS,
  encodeClientFrame,
  encodeServerFrame,
  readClientFrame,
  readServerFrame,
} from '../../src/session.ts';
import { CLIENT_SAMPLES, SERVER_SAMPLES } from './frame-samples.ts';

/** The bytes of every sample, by its name. */
interface Corpus {
  readonly client: Readonly<Record<string, string>>;
  readonly server: Readonly<Record<string, string>>;
}

const file = path.join(import.meta.dirname, 'corpus/frames.json');
const limits = DEFAULT_FRAME_LIMITS;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function encodeAll<F>(
  samples: Readonly<Record<string, F>>,
  encode: (frame: F) => Uint8Array,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(samples).map(([name, frame]) => [name, hex(encode(frame))]),
  );
}

const encoded: Corpus = {
  client: encodeAll(CLIENT_SAMPLES, encodeClientFrame),
  server: encodeAll(SERVER_SAMPLES, encodeServerFrame),
};
// Another schema is another corpus, which is then read by whoever reviews the change.
if (process.env['UPDATE_CORPUS'] === '1') {
  writeFileSync(file, `${JSON.stringify(encoded, null, 2)}\n`);
}
const corpus = JSON.parse(readFileSync(file, 'utf8')) as Corpus;

describe('CL-4: the corpus of encoded frames', () => {
  test('holds exactly the samples', () => {
    expect(corpus).toEqual(encoded);
  });

  test.each(Object.entries(CLIENT_SAMPLES))('of a client: %s', (name, frame) => {
    const reading = readClientFrame(Buffer.from(corpus.client[name] ?? '', 'hex'), limits);
    expect(reading).toEqual(
      'request_id' in frame ? { kind: 'request', frame } : { kind: 'grant', grant: frame.request },
    );
  });

  test.each(Object.entries(SERVER_SAMPLES))('of a server: %s', (name, frame) => {
    const reading = readServerFrame(Buffer.from(corpus.server[name] ?? '', 'hex'), limits);
    expect(reading).toEqual({ kind: 'frame', frame });
  });

  test('has every tag that is declared', () => {
    const requests = Object.values(CLIENT_SAMPLES).map(({ request }) => request.t);
    expect(new Set(requests)).toEqual(new Set([...clientRequest.tags, ...clientGrant.tags]));
    const bodies = Object.values(SERVER_SAMPLES).map(({ body }) => body);
    expect(new Set(bodies.map(({ t }) => t))).toEqual(serverBody.tags);
    const replies = bodies.flatMap((body) => (body.t === 'Reply' ? [body.body.t] : []));
    expect(new Set(replies)).toEqual(replyBody.tags);
  });

  test('CL-10: is plain MessagePack with names in snake case', () => {
    for (const text of [...Object.values(corpus.client), ...Object.values(corpus.server)]) {
      const names = [
        ...JSON.stringify(decode(Buffer.from(text, 'hex')), plain).matchAll(/"(\w+)":/g),
      ];
      expect(names.map(([, name]) => name).filter((name) => !/^[a-z_]+$/.test(name ?? ''))).toEqual(
        [],
      );
    }
  });
});

function plain(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' || value instanceof Uint8Array ? String(value) : value;
}

test('CL-12: a number of 64 bits is a bigint, however narrow its encoding', () => {
  const bytes = Buffer.from(
    '82aa726571756573745f696401a77265717565737481a174b24c697374446f6d61696e7352657175657374',
    'hex',
  );
  expect(readClientFrame(bytes, limits)).toEqual({
    kind: 'request',
    frame: { request_id: 1n, request: { t: 'ListDomainsRequest' } },
  });
});

test('CL-11: what is absent is left out, and null stands for nothing', () => {
  const bytes = Buffer.from(corpus.client['command with what it needs'] ?? '', 'hex');
  expect(Object.keys((decode(bytes) as { request: object }).request)).toEqual([
    't',
    'query',
    'execution_reference',
  ]);
});
