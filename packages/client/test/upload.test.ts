import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Client, type UploadFile } from '../src/index.js';
import { directoryFiles } from '../src/node.js';
import { tarArchive } from '../src/tar-archive.js';
import { runNervix } from './support/run-nervix.js';

interface SeenUpload {
  readonly method: string;
  readonly path: string;
  readonly type: string | undefined;
  readonly size: string | undefined;
  readonly body: Buffer;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const installed =
  (origin = 'Executed'): Answer =>
  (response) => {
    const message = 'uploaded resource version 3';
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ upload_identity: 'x', version: 3, origin, message }));
  };

const refusal =
  (status: number, code: string): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' });
    response.end(JSON.stringify({ error: { code, message: `refused: ${code}`, diagnostics: [] } }));
  };

const hangUp: Answer = (response) => response.destroy();

/** A server that takes uploads and gives each of the answers in turn, the last one for good. */
async function takeUploads(...answers: Answer[]): Promise<{ url: string; seen: SeenUpload[] }> {
  const seen: SeenUpload[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const facts = { type: headers['content-type'], size: headers['content-length'] };
    const answer = answers[Math.min(seen.length, answers.length - 1)];
    seen.push({ method, path: url, ...facts, body: Buffer.concat(chunks) });
    answer?.(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

function clientOf(server: string): Client {
  return new Client({ server, user: 'ada', password: 'p', domain: 'shop' });
}

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'nervix-upload-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return folder;
}

async function bytesOf(files: readonly UploadFile[]): Promise<Buffer> {
  return Buffer.from(await tarArchive(files).arrayBuffer());
}

const file = (name: string, content: string): UploadFile => ({
  path: name,
  content: new Blob([content]),
});

describe('archives of uploads (CL-66)', () => {
  test('are read by common tools, whatever the names and sizes', async () => {
    const long = `${'long'.repeat(30)}/${'name'.repeat(30)}`;
    const files = [
      file('z', 'z'.repeat(512)),
      file('a/b', ''),
      file(long, 'long'),
      file('grün ☂', 'umbrella'),
      { path: 'empty', content: null },
    ];
    const archive = path.join(folderOf({}), 'a.tar');
    writeFileSync(archive, await bytesOf(files));
    const listed = execFileSync('tar', ['-tf', archive], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' },
    });
    expect(listed.trimEnd().split('\n')).toEqual(['./', 'a/b', 'empty/', 'grün ☂', long, 'z']);
    const content = execFileSync('tar', ['-xOf', archive, long], { encoding: 'utf8' });
    expect(content).toBe('long');
  });

  test('of equal files have equal bytes', async () => {
    const files = [file('b', '2'), file('a', '1')];
    expect(await bytesOf(files)).toEqual(await bytesOf([...files].reverse()));
    expect((await bytesOf([])).length).toBe(3 * 512);
  });

  test.each(['', '/etc', 'a//b', './a', 'a/..', '..', 'a/'])('refuse the path %j', (name) => {
    expect(() => tarArchive([file(name, '')])).toThrow('is not relative to the uploaded folder');
  });

  test('refuse a path twice', () => {
    expect(() => tarArchive([file('a', '1'), file('a', '2')])).toThrow("path 'a' is given twice");
  });
});

describe('uploadResource (CL-66)', () => {
  test('sends files as an archive with its size', async () => {
    const { url, seen } = await takeUploads(installed());
    const files = [file('ca.pem', 'x')];
    const upload = { resource: 'certs', from: files, identity: 'mine' };
    expect(await clientOf(url).uploadResource(upload)).toMatchObject({ version: 3 });
    const body = await bytesOf(files);
    expect(seen).toEqual([
      {
        method: 'PUT',
        path: '/api/v1/domains/shop/resources/certs/uploads/mine',
        type: 'application/x-tar',
        size: String(body.length),
        body,
      },
    ]);
  });

  test('takes archives as blobs and as streams', async () => {
    const { url, seen } = await takeUploads(installed());
    const stream = (async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('one');
      yield Buffer.from('two');
    })();
    await clientOf(url).uploadResource({ resource: 'r', from: new Blob(['blob']) });
    await clientOf(url).uploadResource({ resource: 'r', from: stream });
    expect(seen.map(({ body }) => body.toString())).toEqual(['blob', 'onetwo']);
    expect(new Set(seen.map(({ path: name }) => name)).size).toBe(2);
  });

  test('sends the same bytes again under the same identity until the outcome is known', async () => {
    const { url, seen } = await takeUploads(
      hangUp,
      refusal(503, 'SERVER_BUSY'),
      refusal(202, 'OUTCOME_UNKNOWN'),
      installed('Recovered'),
    );
    const answer = await clientOf(url).uploadResource({ resource: 'r', from: [file('a', '1')] });
    expect(answer.origin).toBe('Recovered');
    expect(seen).toHaveLength(4);
    expect(new Set(seen.map(({ path: name, body }) => name + body.toString('hex'))).size).toBe(1);
  });

  test('gives up at a refusal, and says when the outcome stays unknown', async () => {
    const refused = await takeUploads(refusal(409, 'DIGEST_CONFLICT'));
    const upload = { resource: 'r', from: [file('a', '1')], identity: 'mine' };
    await expect(clientOf(refused.url).uploadResource(upload)).rejects.toMatchObject({
      code: 'DIGEST_CONFLICT',
    });
    expect(refused.seen).toHaveLength(1);
    const lost = await takeUploads(hangUp);
    const bounded = { ...upload, timeoutMs: 300 };
    await expect(clientOf(lost.url).uploadResource(bounded)).rejects.toMatchObject({
      code: 'CLIENT_OUTCOME_UNCERTAIN',
      executionReference: 'mine',
    });
  });

  test('refuses an empty archive before anything is sent', async () => {
    const { url, seen } = await takeUploads(installed());
    const empty = { resource: 'r', from: new Blob([]) };
    await expect(clientOf(url).uploadResource(empty)).rejects.toMatchObject({
      code: 'CLIENT_INVALID_OPTIONS',
    });
    expect(seen).toEqual([]);
  });
});

describe('directoryFiles', () => {
  test('finds files, empty folders and what links lead to', async () => {
    const folder = folderOf({ 'b.txt': 'b', 'deep/er/a.txt': 'aa' });
    mkdirSync(path.join(folder, 'empty'));
    symlinkSync(path.join(folder, 'b.txt'), path.join(folder, 'link.txt'));
    const found = await directoryFiles(folder);
    const shown = found.map(({ path: name, content }) => `${name} ${content?.size ?? 'folder'}`);
    expect(shown.sort()).toEqual(['b.txt 1', 'deep/er/a.txt 2', 'empty folder', 'link.txt 1']);
    expect(await directoryFiles(path.join(folder, 'empty'))).toEqual([]);
  });

  test('refuses folders that never end', async () => {
    const folder = folderOf({ a: '' });
    symlinkSync(folder, path.join(folder, 'again'));
    await expect(directoryFiles(folder)).rejects.toThrow(/too many symbolic links|is too deep/);
    const deep = folderOf({ [`${'d/'.repeat(64)}f`]: '' });
    await expect(directoryFiles(deep)).rejects.toThrow('is too deep');
  });
});

describe('nervix upload (CL-82)', () => {
  test('sends a folder and prints the version', async () => {
    const { url, seen } = await takeUploads(installed());
    const folder = folderOf({ 'ca.pem': 'x' });
    const args = ['--server', url, '--domain', 'shop', 'upload', 'certs', folder];
    const result = await runNervix([...args, '--identity', 'mine']);
    expect(result).toMatchObject({ code: 0, stdout: 'uploaded resource version 3\n' });
    expect(seen[0]?.path).toBe('/api/v1/domains/shop/resources/certs/uploads/mine');
    expect(seen[0]?.body).toEqual(await bytesOf([file('ca.pem', 'x')]));
  });

  test('runs UPLOAD RESOURCE of a script, but not within a transaction', async () => {
    const { url, seen } = await takeUploads(installed());
    const folder = folderOf({ 'ca.pem': 'x' });
    const args = ['--server', url, '--domain', 'shop', '--command'];
    const result = await runNervix([...args, `UPLOAD RESOURCE certs VERSION '${folder}'`]);
    expect(result).toMatchObject({ code: 0, stdout: 'uploaded resource version 3\n' });
    expect(seen).toHaveLength(1);
  });

  test('says which folder cannot be read, and which code refused it', async () => {
    const { url } = await takeUploads(refusal(404, 'RESOURCE_NOT_DECLARED'));
    const args = ['--server', url, '--domain', 'shop', 'upload', 'certs'];
    const missing = await runNervix([...args, '/nowhere']);
    expect(missing.code).toBe(5);
    expect(missing.stderr).toContain('cannot read /nowhere');
    const refused = await runNervix([...args, folderOf({ a: '1' })]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('refused: RESOURCE_NOT_DECLARED');
  });
});
