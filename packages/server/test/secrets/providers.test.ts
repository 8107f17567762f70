import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { SecretIndex } from '../../src/replicated-state/secret-index.ts';
import { EnvProvider } from '../../src/secrets/env-provider.ts';
import { FileProvider } from '../../src/secrets/file-provider.ts';
import { SecretService } from '../../src/secrets/secret-service.ts';
import { temporaryFolder } from '../support/secrets.ts';

const names = (list: readonly { name: string; key: string | null }[]): readonly string[] =>
  list.map(({ name, key }) => (key === null ? name : `${name}/${key}`));

/** A folder with a value, a secret of two keys, and what is none. */
function folderOfSecrets(): string {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'token'), 'canary\n');
  mkdirSync(path.join(folder, 'desk'));
  writeFileSync(path.join(folder, 'desk', 'tls.key'), 'key\r\n\r\n');
  writeFileSync(path.join(folder, 'desk', 'tls.crt'), 'cert');
  for (const ignored of ['.hidden', 'Upper', 'a b']) writeFileSync(path.join(folder, ignored), 'x');
  return folder;
}

function serviceOf(directory: string): SecretService {
  const stored = new SecretIndex();
  return new SecretService({
    provider: 'file',
    directory,
    keyFile: '/none',
    environment: {},
    stored,
  });
}

describe('CL-113: secrets in files', () => {
  test('are found by name and key, and read without one line end', async () => {
    const service = serviceOf(folderOfSecrets());
    expect(names(service.list('d'))).toEqual(['desk/tls.crt', 'desk/tls.key', 'token']);
    const asked = [
      { name: 'token', key: null },
      { name: 'desk', key: 'tls.key' },
    ];
    expect(await service.read('d', asked)).toEqual({ kind: 'read', values: ['canary', 'key\r\n'] });
    expect(service.writeRefusal).toBe(
      "secrets come from the provider 'file' and are not written through the node",
    );
  });

  test('another content is another version, and one that is gone is told by its name', async () => {
    const folder = folderOfSecrets();
    const provider = new FileProvider(folder);
    const [before] = provider.list().slice(-1);
    utimesSync(path.join(folder, 'token'), 1_900_000_000, 1_900_000_000);
    const [after] = provider.list().slice(-1);
    expect(after?.version).toBe(1_900_000_000_000);
    expect(after?.version).not.toBe(before?.version);
    rmSync(path.join(folder, 'token'));
    expect(names(provider.list())).not.toContain('token');
    if (after === undefined) throw new Error('the file was listed');
    await expect(provider.value('d', after)).rejects.toThrow(
      "the file of secret 'token' cannot be read (ENOENT)",
    );
    expect(new FileProvider(path.join(folder, 'none')).list()).toEqual([]);
  });

  test.each([
    ['leads to itself', (place: string) => symlinkSync(place, place), 'does not exist'],
    ['leads nowhere', (place: string) => symlinkSync('/none/at/all', place), 'does not exist'],
    ['holds no UTF-8', (place: string) => writeFileSync(place, Buffer.of(0xff)), '(EILSEQ)'],
  ])('an entry that %s keeps no other from being read', async (_, make, reason) => {
    const folder = folderOfSecrets();
    make(path.join(folder, 'odd'));
    const service = serviceOf(folder);
    expect(await service.read('d', [{ name: 'token', key: null }])).toEqual({
      kind: 'read',
      values: ['canary'],
    });
    const odd = await service.read('d', [{ name: 'odd', key: null }]);
    expect(odd).toMatchObject({ kind: 'unavailable', reason: expect.stringContaining(reason) });
  });

  test('a file that is too large is not read', async () => {
    const folder = folderOfSecrets();
    writeFileSync(path.join(folder, 'token'), 'x'.repeat(65_537));
    expect(await serviceOf(folder).read('d', [{ name: 'token', key: null }])).toEqual({
      kind: 'unavailable',
      reason: "the file of secret 'token' cannot be read (EFBIG)",
    });
  });
});

describe('CL-113: secrets in the environment', () => {
  const provider = new EnvProvider({
    NERVIX_SECRET_DESK_TLS_KEY: 'value',
    NERVIX_SECRET_PROVIDER: 'env',
    NERVIX_SECRET_KEY_FILE: '/f',
    NERVIX_SECRET_DIR: '/d',
    NERVIX_LOG: 'debug',
    HOME: '/',
  });

  test('may be names, or names with keys; settings of the node are none', async () => {
    expect(names(provider.list())).toEqual(['desk_tls_key', 'desk/tls_key', 'desk_tls/key']);
    for (const secret of provider.list()) expect(await provider.value('d', secret)).toBe('value');
  });
});
