import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Client } from '../src/index.js';
import { runNervix } from './support/run-nervix.js';

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly reference: string | undefined;
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

const done = (reference: string | undefined): Answer => ({
  status: 200,
  body: {
    execution_reference: reference,
    origin: 'Executed',
    disposition: { t: 'CommandCompleted', already_existed: false },
    message: "wrote secret 'desk' version 3",
    diagnostics: [],
  },
});

const refusal = (status: number, code: string): Answer => ({
  status,
  body: { error: { code, message: `refused: ${code}`, diagnostics: [] } },
});

/** A server of secrets that refuses as it is told to before it takes what is asked. */
async function takeSecrets(...refusals: Answer[]): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { method = '', url = '', headers } = request;
    const reference = headers['nervix-execution-reference'];
    const known = typeof reference === 'string' ? reference : undefined;
    const answer =
      method === 'GET' ? { status: 200, body: LIST } : (refusals[seen.length] ?? done(known));
    seen.push({ method, path: url, reference: known, body });
    response.writeHead(answer.status, { 'content-type': 'application/json', 'retry-after': '0' });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const entry = { name: 'desk', version: 2, provider: 'store' };
const LIST = {
  secrets: [
    { ...entry, key: null, used_by: [] },
    { ...entry, key: 'cert', used_by: ['client a', 'client b'] },
  ],
};

function clientOf(server: string): Client {
  return new Client({ server, user: 'ada', password: 'p', domain: 'shop' });
}

describe('secrets over HTTP (CL-113)', () => {
  test('a write is sent again under its reference until it is settled', async () => {
    const { url, seen } = await takeSecrets(
      refusal(503, 'SERVER_BUSY'),
      refusal(202, 'OUTCOME_UNKNOWN'),
    );
    const outcome = await clientOf(url).writeSecret({ name: 'd k', key: 'a/b', value: 'ü\n' });
    expect(outcome.message).toBe("wrote secret 'desk' version 3");
    const place = '/api/v1/domains/shop/secrets/d%20k?key=a%2Fb';
    const [first] = seen;
    expect(first).toMatchObject({ method: 'PUT', path: place, body: 'ü\n' });
    expect(first?.reference).toMatch(/^[0-9a-f-]{36}$/u);
    expect(seen).toEqual([first, first, first]);
  });

  test('no refusal quotes the value', async () => {
    const { url } = await takeSecrets(refusal(422, 'SECRET_UNAVAILABLE'));
    const writing = clientOf(url).writeSecret({ name: 'desk', value: 'canary4711' });
    const error = await writing.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'SECRET_UNAVAILABLE' });
    expect(JSON.stringify(error) + String(error)).not.toContain('canary4711');
  });

  test('are removed and listed', async () => {
    const { url, seen } = await takeSecrets();
    const client = clientOf(url);
    await client.removeSecret({ name: 'desk', domain: 'other' });
    expect(await client.secrets()).toEqual(LIST.secrets);
    expect(seen.map(({ method, path: place }) => `${method} ${place}`)).toEqual([
      'DELETE /api/v1/domains/other/secrets/desk',
      'GET /api/v1/domains/shop/secrets',
    ]);
  });
});

describe('CL-82: nervix secret', () => {
  const folder = (): string => {
    const made = mkdtempSync(path.join(tmpdir(), 'nervix-secret-'));
    onTestFinished(() => rmSync(made, { recursive: true, force: true }));
    return made;
  };

  test('sets a value from a file or standard input, as it stands and unseen', async () => {
    const { url, seen } = await takeSecrets();
    const file = path.join(folder(), 'value');
    writeFileSync(file, 'canary4711\n');
    const to = ['--server', url, '--domain', 'shop', 'secret', 'set', 'desk'];
    const fromFile = await runNervix([...to, '--key', 'cert', '--from', file]);
    const fromInput = await runNervix([...to, '--from', '-'], { stdin: 'canary4711' });
    for (const { code, stdout, stderr } of [fromFile, fromInput]) {
      expect([code, stdout, stderr]).toEqual([0, "wrote secret 'desk' version 3\n", '']);
    }
    expect(seen.map(({ body }) => body)).toEqual(['canary4711\n', 'canary4711']);
    expect(seen[0]?.path).toBe('/api/v1/domains/shop/secrets/desk?key=cert');
  });

  test('lists and removes', async () => {
    const { url, seen } = await takeSecrets();
    const to = ['--server', url, '--domain', 'shop', 'secret'];
    expect((await runNervix([...to, 'list'])).stdout.split('\n')).toEqual([
      '- name=desk key=- version=2 provider=store used_by=-',
      '- name=desk key=cert version=2 provider=store used_by=client a, client b',
      '',
    ]);
    expect((await runNervix([...to, 'remove', 'desk', '--key', 'cert'])).code).toBe(0);
    expect(seen.at(-1)).toMatchObject({ method: 'DELETE', body: '' });
  });

  test('says which file it cannot use', async () => {
    const { url, seen } = await takeSecrets();
    const file = path.join(folder(), 'none');
    const to = ['--server', url, '--domain', 'shop', 'secret', 'set', 'desk', '--from'];
    const missing = await runNervix([...to, file]);
    expect(missing.code).not.toBe(0);
    expect(missing.stderr).toContain(file);
    writeFileSync(file, Buffer.from([0xff, 0x63]));
    const binary = await runNervix([...to, file]);
    expect(binary.stderr).toContain('is not UTF-8');
    expect(seen).toEqual([]);
  });
});
