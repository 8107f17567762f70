import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { UploadRequest } from '../../src/resources/resource-uploads.ts';
import { AUTHORIZATION, type Session, startSession } from '../support/session.ts';
import { identityOf } from '../support/users.ts';

const PATH = '/api/v1/domains/shop/resources/certs/uploads/first-1';

interface Taken extends Omit<UploadRequest, 'body'> {
  readonly body: string;
}

/** Takes uploads as they come and remembers them. */
function takeUploads({ plane }: Session): Taken[] {
  const taken: Taken[] = [];
  plane.onUpload = async ({ body, ...request }) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    taken.push({ ...request, body: Buffer.concat(chunks).toString() });
    const { identity } = request;
    const facts = {
      version: 3,
      origin: 'Executed',
      message: 'uploaded resource version 3',
    } as const;
    return { kind: 'installed', value: { upload_identity: identity, ...facts } };
  };
  return taken;
}

describe('uploads over HTTP (CL-66)', () => {
  test('pass the body on as it is, whatever its media type says', async () => {
    const session = await startSession();
    const taken = takeUploads(session);
    for (const type of [
      'application/x-tar',
      'application/json',
      'text/plain; charset=utf-16',
      '',
    ]) {
      const response = await session.fetch(PATH.replace('shop', 'Shop').replace('certs', 'CERTS'), {
        method: 'PUT',
        headers: type === '' ? {} : { 'content-type': type },
        body: Buffer.from('{"no": json'),
      });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({
        upload_identity: 'first-1',
        version: 3,
        origin: 'Executed',
        message: 'uploaded resource version 3',
      });
    }
    expect(taken).toEqual(
      Array.from({ length: 4 }, () => ({
        owner: identityOf('ada'),
        domain: 'shop',
        resource: 'certs',
        identity: 'first-1',
        bytes: 11,
        body: '{"no": json',
      })),
    );
  });

  test('are larger than the body of any other request may be', async () => {
    const session = await startSession({ listener: { bodyBytesMax: 100 } });
    const taken = takeUploads(session);
    const body = Buffer.alloc(300_000, 'x');
    expect((await session.fetch(PATH, { method: 'PUT', body })).status).toBe(200);
    expect(taken[0]?.body.length).toBe(300_000);
  });

  test('need credentials', async () => {
    const session = await startSession();
    const taken = takeUploads(session);
    const headers = { authorization: 'Basic bm86bm8=' };
    const response = await session.fetch(PATH, { method: 'PUT', body: 'x', headers });
    expect(response.status).toBe(401);
    expect(taken).toEqual([]);
  });

  test('need a size, and no content encoding', async () => {
    const session = await startSession();
    const taken = takeUploads(session);
    const refuse = async (headers: Record<string, string>): Promise<string> => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const sent = httpRequest(
        `${session.origin}${PATH}`,
        { method: 'PUT', headers: { authorization: AUTHORIZATION, ...headers } },
        (response) => {
          let text = `${response.statusCode} `;
          response.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
          });
          response.on('end', () => resolve(text));
        },
      );
      sent.on('error', reject);
      sent.end('body');
      return promise;
    };
    expect(await refuse({ 'transfer-encoding': 'chunked' })).toMatch(
      /^400 .*an upload must tell its size in Content-Length/,
    );
    expect(await refuse({ 'content-length': '4', 'content-encoding': 'gzip' })).toMatch(
      /^415 .*without a content encoding/,
    );
    expect(taken).toEqual([]);
  });

  test('tell a refusal by its code, with the version that it had', async () => {
    const session = await startSession();
    const message = "resource 'certs@3' could not be installed";
    session.plane.onUpload = async () => ({
      kind: 'refused',
      error: { code: 'INSTALLATION_FAILED', message, diagnostics: [], assigned_version: 3 },
    });
    const response = await session.fetch(PATH, { method: 'PUT', body: 'x' });
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({
      error: { code: 'INSTALLATION_FAILED', message, diagnostics: [], assigned_version: 3 },
    });
    expect(session.counts.requests()).toEqual([
      { request: 'uploadResource', result: 'INSTALLATION_FAILED', count: 1 },
    ]);
  });

  test('are answered although the rest of the body is of no use any more', async () => {
    const session = await startSession();
    session.plane.onUpload = async ({ body }) => {
      for await (const _chunk of body) break;
      return { kind: 'refused', error: { code: 'INVALID_STREAM', message: 'no', diagnostics: [] } };
    };
    const body = Buffer.alloc(20_000_000);
    for (let count = 0; count < 3; count += 1) {
      expect((await session.fetch(PATH, { method: 'PUT', body })).status).toBe(422);
    }
    // Bare: a client that sends all of it before it reads.
    const socket = await session.connect();
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.write(
      `PUT ${PATH} HTTP/1.1\r\nHost: n\r\nAuthorization: ${AUTHORIZATION}\r\n` +
        `Content-Length: ${body.length}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.write(body, resolve));
    await expect.poll(() => answer, { timeout: 5_000 }).toContain('422 Unprocessable');
    // The connection is of use again.
    socket.write(
      `GET /api/v1/domains HTTP/1.1\r\nHost: n\r\nAuthorization: ${AUTHORIZATION}\r\n\r\n`,
    );
    await expect.poll(() => answer, { timeout: 5_000 }).toContain('200 OK');
    socket.destroy();
  });

  test('are not possible with other methods', async () => {
    const session = await startSession();
    const response = await session.fetch(PATH, { method: 'POST', body: 'x' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'PUT']);
  });

  test('may take longer than other requests while bytes keep coming, and end at a pause', async () => {
    const session = await startSession({
      listener: { headersTimeoutMs: 100, requestTimeoutMs: 300 },
    });
    const taken = takeUploads(session);
    const head = [
      `PUT ${PATH} HTTP/1.1`,
      'Host: n',
      `Authorization: ${AUTHORIZATION}`,
      'Content-Length: 12',
      '',
      '',
    ].join('\r\n');
    const steady = await session.connect();
    let answer = '';
    steady.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk;
    });
    steady.write(head);
    // Twelve bytes take longer than any other body may, and none of them is late.
    for (let count = 1; count <= 12; count += 1) {
      const dueMs = performance.now() + 60;
      await expect.poll(() => performance.now(), { interval: 5 }).toBeGreaterThan(dueMs);
      steady.write('x');
    }
    await expect.poll(() => answer, { timeout: 5_000 }).toContain('200 OK');
    expect(taken.map(({ body }) => body)).toEqual(['x'.repeat(12)]);
    const paused = await session.connect();
    let refusal = '';
    paused.setEncoding('utf8').on('data', (chunk: string) => {
      refusal += chunk;
    });
    paused.write(`${head}xxx`);
    await expect.poll(() => refusal, { timeout: 5_000 }).toContain('"code":"REQUEST_TIMEOUT"');
    expect(taken).toHaveLength(1);
    steady.destroy();
    paused.destroy();
  });
});
