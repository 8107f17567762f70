import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import type { RowsSink } from '../../src/control-plane/control-plane.ts';
import { toServerSentEvents } from '../../src/http/server-sent-events.ts';
import { AUTHORIZATION, startSession } from '../support/session.ts';

const path = '/api/v1/domains/shop/relays/orders/rows';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const opened = '{"opened":{"domain":"shop","relay":"orders","schema":{"fields":[]}}}\n';

async function readUntil(response: IncomingMessage, end: string): Promise<string> {
  let text = '';
  while (!text.endsWith(end)) {
    const chunk: unknown = response.read();
    if (chunk === null) await once(response, 'readable');
    else text += String(chunk);
  }
  return text;
}

async function startStream(headers: Record<string, string> = {}, commentIntervalMs = 60_000) {
  const session = await startSession({ listener: { commentIntervalMs } });
  session.plane.onOpenRows = async (_request, sink) => {
    await sink.write(bytes(opened));
    return session.plane.stream();
  };
  const response = await session.open(path, headers);
  return { ...session, response, sink: session.plane.opened[0]!.sink };
}

describe('CL-69: rows of a relay', () => {
  test('are NDJSON whose bytes pass untouched', async () => {
    const { response, sink } = await startStream();
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    expect(response.headers['cache-control']).toBe('no-store');
    const rows = '{"row":{"id":9223372036854775807,"price":1.10}}\n{"row":{"id":-1,"note":"ü"}}\n';
    await sink.write(bytes(rows));
    sink.end();
    expect(await readUntil(response, 'ü"}}\n')).toBe(opened + rows);
    response.resume();
    await once(response, 'end');
  });

  test('are server-sent events when the client accepts those', async () => {
    const { response, sink } = await startStream({ accept: 'text/event-stream' });
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    await sink.write(bytes('{"row":{"a":1}}\n{"row":{"a":2}}\n'));
    expect(await readUntil(response, '{"a":2}}\n\n')).toBe(
      `data: ${opened}\ndata: {"row":{"a":1}}\n\ndata: {"row":{"a":2}}\n\n`,
    );
  });

  test('a quiet stream of events gets comments', async () => {
    const { response } = await startStream({ accept: 'text/event-stream' }, 5);
    expect(await readUntil(response, ': alive\n\n: alive\n\n')).toContain('data: ');
  });

  test('a quiet NDJSON stream gets empty lines', async () => {
    const { response } = await startStream({}, 5);
    expect(await readUntil(response, '\n\n\n')).toContain('{"opened"');
  });

  test('what is asked for reaches the control plane', async () => {
    const { plane, open } = await startSession();
    await open(`${path}?where=price%20%3E%201&sample=0.25&delivery=dropping`);
    await open(path);
    expect(plane.opened.map(({ request }) => request)).toEqual([
      {
        domain: 'shop',
        relay: 'orders',
        where: 'price > 1',
        sampleRate: 0.25,
        delivery: 'DROPPING',
      },
      { domain: 'shop', relay: 'orders', where: null, sampleRate: 1, delivery: 'BLOCKING' },
    ]);
  });

  test.each([
    ['sample=2', 'sample'],
    ['sample=-1', 'sample'],
    ['sample=x', 'sample'],
    ['delivery=lossy', 'delivery'],
    ['where=', 'where'],
    ['where=a&where=b', 'where'],
    ['limit=1', 'limit'],
  ])('?%s is refused by name', async (query, field) => {
    const { fetch, plane } = await startSession();
    const response = await fetch(`${path}?${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'INVALID_REQUEST', field } });
    expect(plane.opened).toEqual([]);
  });

  test('CL-71: a refusal before the stream opens is an ordinary error answer', async () => {
    const { fetch, plane } = await startSession();
    plane.onOpenRows = async () => ({
      kind: 'refused',
      error: { code: 'PARSE_FAILED', message: 'no', diagnostics: [], field: 'where' },
    });
    const response = await fetch(`${path}?where=%2B`, { headers: { accept: 'text/event-stream' } });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      error: { code: 'PARSE_FAILED', field: 'where' },
    });
  });

  test('a fault before the stream opens is 500, after it the last record of the stream', async () => {
    const { fetch, plane, logLines } = await startSession();
    plane.onOpenRows = async () => {
      throw new Error('fault');
    };
    expect((await fetch(path)).status).toBe(500);
    plane.onOpenRows = async (_request, sink) => {
      await sink.write(bytes(opened));
      throw new Error('fault');
    };
    const late = await fetch(path);
    const message = 'the server failed; its log has the cause';
    const ended = { ended: { reason: 'Failed', message } };
    expect(await late.text()).toBe(`${opened}${JSON.stringify(ended)}\n`);
    expect(logLines.join('')).toContain('opening a row stream failed');
  });

  test.each([
    ['application/x-ndjson', ''],
    ['text/event-stream', 'data: '],
  ])('a refusal after the stream opened is its last record, as %s', async (accept, prefix) => {
    const { fetch, plane, logLines } = await startSession();
    plane.onOpenRows = async (_request, sink) => {
      await sink.write(bytes(opened));
      return { kind: 'refused', error: { code: 'INTERNAL', message: 'no', diagnostics: [] } };
    };
    const response = await fetch(path, { headers: { accept } });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(
      `${prefix}{"ended":{"reason":"Failed","message":"no"}}\n`,
    );
    expect(logLines.join('')).not.toContain('ERR_HTTP_HEADERS_SENT');
  });
});

describe('pressure from the reader', () => {
  const block = bytes(`{"row":{"a":"${'x'.repeat(65_536)}"}}\n`);

  /** Writes until the sink asks to wait and goes on asking; gives that wait, boxed. */
  async function fill(sink: RowsSink): Promise<{ pending: Promise<void> }> {
    for (;;) {
      const pending = sink.write(block);
      let hasRoom = false;
      void pending.then(() => {
        hasRoom = true;
      });
      for (let turn = 0; turn < 100 && !hasRoom; turn += 1) await setImmediate();
      if (!hasRoom) return { pending };
    }
  }

  test('CL-108 (8): a slow reader holds the writer until it reads on', async () => {
    const { response, sink } = await startStream();
    const { pending } = await fill(sink);
    let hasRoom = false;
    void pending.then(() => {
      hasRoom = true;
    });
    expect(hasRoom).toBe(false);
    response.resume();
    await pending;
    expect(hasRoom).toBe(true);
  });

  test('CL-108 (8): other requests are answered meanwhile', async () => {
    const { fetch, sink } = await startStream();
    await fill(sink);
    expect((await fetch('/api/v1/domains')).status).toBe(200);
  });

  test('a reader that goes away frees the writer and closes the stream once', async () => {
    const { response, sink, plane } = await startStream();
    const { pending } = await fill(sink);
    response.destroy();
    await pending;
    await vi.waitFor(() => expect(plane.closedStreams).toBe(1));
    await sink.write(block);
    sink.end();
    expect(plane.closedStreams).toBe(1);
  });
});

describe('the end of a stream', () => {
  test('CL-69: closing the response closes the stream', async () => {
    const { response, plane } = await startStream();
    response.destroy();
    await vi.waitFor(() => expect(plane.closedStreams).toBe(1));
  });

  test('a client that leaves before the stream is open closes it all the same', async () => {
    const { plane, origin } = await startSession();
    const asked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    plane.onOpenRows = async () => {
      asked.resolve();
      await release.promise;
      return plane.stream();
    };
    const abort = new AbortController();
    const headers = { authorization: AUTHORIZATION };
    const pending = fetch(`${origin}${path}`, { headers, signal: abort.signal });
    await asked.promise;
    abort.abort();
    await expect(pending).rejects.toThrow();
    release.resolve();
    await vi.waitFor(() => expect(plane.closedStreams).toBe(1));
  });

  test('a stream that its source ended is not closed again', async () => {
    const { response, sink, plane, listener } = await startStream();
    sink.end();
    response.resume();
    await once(response, 'end');
    await listener.close();
    expect(plane.closedStreams).toBe(0);
  });

  test.each([
    ['application/x-ndjson', ''],
    ['text/event-stream', 'data: '],
  ])('CL-104: closing the listener tells the reader why its %s ends', async (accept, prefix) => {
    const { response, listener, plane } = await startStream({ accept });
    const text = readUntil(response, prefix === '' ? '"}}\n' : '"}}\n\n');
    await listener.close();
    const record = { reason: 'ServerShuttingDown', message: 'the server is shutting down' };
    expect(await text).toContain(`${prefix}${JSON.stringify({ ended: record })}\n`);
    expect(plane.closedStreams).toBe(1);
  });

  test('CL-104: a stream that opens while the listener closes ends at once', async () => {
    const { plane, open, listener } = await startSession({ listener: { closeGraceMs: 60_000 } });
    const asked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    plane.onOpenRows = async (_request, sink) => {
      asked.resolve();
      await release.promise;
      await sink.write(bytes(opened));
      return plane.stream();
    };
    const pending = open(path);
    await asked.promise;
    const closed = listener.close();
    release.resolve();
    expect(await readUntil(await pending, 'down"}}\n')).toContain('ServerShuttingDown');
    await closed;
    expect(plane.closedStreams).toBe(1);
  });

  test('CL-104: closing the listener ends open streams, also one that nobody reads', async () => {
    const { response, plane, listener, sink } = await startStream();
    for (let count = 0; count < 200; count += 1)
      void sink.write(bytes(`{"row":{}}\n`.repeat(9000)));
    response.on('error', () => undefined);
    await listener.close();
    expect(plane.closedStreams).toBe(1);
  });
});

test('events keep lines that lack their line feed, and none makes none', () => {
  const text = (lines: string): string =>
    new TextDecoder().decode(toServerSentEvents(bytes(lines)));
  expect(text('')).toBe('');
  expect(text('a\n')).toBe('data: a\n\n');
  expect(text('a\nb\n')).toBe('data: a\n\ndata: b\n\n');
});
