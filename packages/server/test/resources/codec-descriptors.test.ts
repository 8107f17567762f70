import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ControlNode, openControlNode } from '../support/control-node.ts';
import { temporaryFolder } from '../support/resources/open-store.ts';
import { inPieces, type TarEntry, tarBytes } from '../support/resources/tar-bytes.ts';
import { identityOf } from '../support/users.ts';

const ORDER =
  'syntax = "proto3"; package shop; import "common/money.proto"; ' +
  'message Order { int64 id = 1; Money total = 2; } message Orders { repeated Order orders = 1; }';
const MONEY = 'syntax = "proto3"; package shop; message Money { int64 cents = 1; }';
const FILES: readonly TarEntry[] = [
  { path: 'order.proto', content: ORDER },
  { path: 'lib/common/money.proto', content: MONEY },
  { path: 'broken/x.proto', content: 'syntax = "proto3"; message {' },
  { path: 'README', content: 'CANARY' },
];

/** A node whose domain `d` has version 1 of `protos`, a schema `s`, and a folder of contents. */
async function openWithProtos(
  files: readonly TarEntry[] = FILES,
): Promise<{ readonly node: ControlNode; readonly directory: string }> {
  const directory = path.join(await temporaryFolder(), 'resources');
  const node = await openControlNode({ resources: { directory } });
  await node.run('CREATE DOMAIN d;');
  await node.run('CREATE SCHEMA s (id I64);');
  await node.run('CREATE RESOURCE protos;');
  const bytes = tarBytes(files);
  const request = { owner: identityOf('ada'), domain: 'd', resource: 'protos', identity: 'a' };
  await node.plane.upload({ ...request, bytes: bytes.length, body: inPieces(bytes, 900) });
  return { node, directory };
}

function codec(config: string, message = 'shop.Order', rest = ''): string {
  return (
    `CREATE CODEC c FROM PROTOBUF USING RESOURCE protos VERSION LATEST CONFIG {${config}} ` +
    `MESSAGE '${message}'${rest} TO SCHEMA s WITH JAQ TRANSFORMATIONS ON INGESTION '{id}';`
  );
}

const CONFIG = "'file' = 'order.proto', 'include' = 'lib'";

describe('CN-325, CP-31: the descriptors of a codec are compiled before it is stored', () => {
  test('with the version that was the latest', async () => {
    const { node } = await openWithProtos();
    await node.run(codec(CONFIG));
    expect(await node.text('SHOW CREATE CODEC c;')).toContain('VERSION 1');
  });

  test.each<[string, string, string]>([
    [
      'an unknown message',
      codec(CONFIG, 'shop.Nope'),
      "protobuf message 'shop.Nope' was not found",
    ],
    [
      'an import that is nowhere',
      codec("'file' = 'order.proto'"),
      "order.proto: import 'common/money.proto' was not found",
    ],
    ['a file that is nowhere', codec("'file' = 'x.proto'"), "file 'x.proto' was not found"],
    ['a file that is none', codec("'file' = 'broken/x.proto'"), 'broken/x.proto: '],
    [
      'a container without a list',
      codec(CONFIG, 'shop.Order', " BATCH MESSAGE 'shop.Money'"),
      "BATCH MESSAGE 'shop.Money' is to have exactly one repeated field of 'shop.Order'",
    ],
  ])('%s is refused, alone and in a transaction', async (_, text, message) => {
    const { node } = await openWithProtos();
    for (const query of [text, `BEGIN; ${text} COMMIT;`]) {
      const error = await node.refuse(query);
      expect([error.code, error.message]).toEqual([
        'INVALID_MODEL',
        expect.stringContaining(message),
      ]);
      expect(error.message).not.toContain('CANARY');
    }
    expect(node.state.models('d').has('codec/c')).toBe(false);
  });

  test('a version without such files is refused', async () => {
    const { node } = await openWithProtos([{ path: 'README', content: '' }]);
    expect((await node.refuse(codec(CONFIG))).message).toContain(
      "protobuf resource 'protos' version 1 contains no .proto files",
    );
  });

  test('files that are no text are refused', async () => {
    const { node } = await openWithProtos([{ path: 'a.proto', content: Buffer.from([0xff]) }]);
    expect((await node.refuse(codec(''))).message).toContain("'a.proto' is no UTF-8");
  });

  test('a damaged version is refused by its name', async () => {
    const { node, directory } = await openWithProtos();
    const { readdir } = await import('node:fs/promises');
    const names = await readdir(directory, { recursive: true });
    const file = names.find((name) => name.endsWith('order.proto')) ?? '';
    await chmod(path.join(directory, file), 0o600);
    await writeFile(path.join(directory, file), ORDER.replace('int64 id', 'int32 id'));
    const { message } = await node.refuse(codec(CONFIG));
    expect(message).toContain("codec 'c' cannot use resource 'protos' version 1");
  });
});
