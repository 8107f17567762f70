import { createHash } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ControlNode } from '../support/control-node.ts';
import { askToWrite, openWithSecrets, refused, writeSecret } from '../support/secrets.ts';

const CANARY = 'canary-4711-öffnen';

const CLIENT = `CREATE CLIENT c TYPE HTTP CONFIG {
  'endpoint' = 'http://h', 'tls_key_file' = SECRET 'desk' KEY 'key',
  'tls_cert_file' = SECRET 'desk' KEY 'cert'};`;

function reading(node: ControlNode, name: string, key: string | null = null) {
  return node.context.secrets.read('d', [{ name, key }]);
}

function remove(node: ControlNode, name: string, key?: string) {
  const asked = { owner: node.principal('ada'), domain: 'd', reference: node.reference() };
  return node.plane.removeSecret({ ...asked, name, ...(key === undefined ? {} : { key }) });
}

/** A domain whose client takes two values of the secret `desk`. */
async function withClient() {
  const opened = await openWithSecrets();
  await writeSecret(opened.node, 'desk', CANARY, { key: 'cert' });
  await writeSecret(opened.node, 'desk', CANARY, { key: 'key' });
  await opened.node.run(CLIENT);
  return opened;
}

describe('CL-113: secrets of the store', () => {
  test('are written in versions, listed with their users, and dropped when nobody needs them', async () => {
    const { node } = await openWithSecrets();
    expect(await node.text('SHOW SECRETS;')).toBe('no secrets');
    const first = await writeSecret(node, 'Desk', CANARY, { key: 'cert' });
    expect(first.message).toBe("wrote secret 'desk' key 'cert' version 1");
    await writeSecret(node, 'desk', CANARY, { key: 'key' });
    await writeSecret(node, 'desk', 'other', { key: 'key' });
    await writeSecret(node, 'alone', CANARY);
    await node.run(CLIENT);
    expect((await node.text('SHOW SECRETS;')).split('\n')).toEqual([
      '- name=alone key=- version=1 provider=store used_by=-',
      '- name=desk key=cert version=1 provider=store used_by=client c',
      '- name=desk key=key version=2 provider=store used_by=client c',
    ]);
    expect(JSON.parse(await node.text('SHOW SECRETS FORMAT JSON;'))[0]).toEqual({
      name: 'alone',
      key: null,
      version: 1,
      provider: 'store',
      used_by: [],
    });
    const { code, message } = await node.refuse('DROP SECRET desk;');
    expect({ code, message }).toEqual({
      code: 'IN_USE',
      message: "cannot drop secret 'desk' because it is used by c",
    });
    expect((await refused(remove(node, 'desk', 'key'))).code).toBe('IN_USE');
    await node.run('DROP CLIENT c;');
    expect(await node.text('DROP SECRET desk;')).toBe("dropped secret 'desk'");
    expect((await node.refuse('DROP SECRET desk;')).message).toBe("secret 'desk' does not exist");
    expect(await remove(node, 'alone')).toMatchObject({ kind: 'completed' });
    expect(node.state.secrets.isEmpty).toBe(true);
  });

  test('are read by reference: by key, without one, or by the only key', async () => {
    const { node } = await openWithSecrets();
    await writeSecret(node, 'one', CANARY, { key: 'k' });
    expect(await reading(node, 'one')).toEqual({ kind: 'read', values: [CANARY] });
    expect(await reading(node, 'ONE', 'k')).toEqual({ kind: 'read', values: [CANARY] });
    await writeSecret(node, 'one', 'second', { key: 'l' });
    expect(await reading(node, 'one')).toEqual({
      kind: 'unavailable',
      reason: "secret 'one' has several keys; name one with KEY",
    });
    expect(await reading(node, 'one', 'm')).toEqual({
      kind: 'unavailable',
      reason: "secret 'one' has no key 'm'",
    });
    expect(await reading(node, 'two')).toEqual({
      kind: 'unavailable',
      reason: "secret 'two' does not exist in domain 'd'",
    });
  });

  test('survive a restart, sealed: neither the log nor the state holds a value', async () => {
    const { node, keyFile } = await openWithSecrets();
    await writeSecret(node, 'desk', CANARY);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    const restarted = await node.restart({ secrets: { keyFile } });
    expect(await reading(restarted, 'desk')).toEqual({ kind: 'read', values: [CANARY] });
    const kept = [...restarted.state.secrets.of('d')].map(({ sealed }) => sealed.value);
    expect(kept).toHaveLength(1);
    for (const bytes of kept) expect(Buffer.from(bytes).includes(CANARY)).toBe(false);
  });

  test('do not open with another key file, and a lost one is not replaced', async () => {
    const { node, keyFile } = await openWithSecrets();
    await writeSecret(node, 'desk', CANARY);
    rmSync(keyFile);
    const lost = await node.restart({ secrets: { keyFile } });
    const missing = 'the secret key file of this node is missing';
    expect(await reading(lost, 'desk')).toEqual({ kind: 'unavailable', reason: missing });
    expect(await lost.context.secrets.defect(['d'])).toBe(`${missing}: '${keyFile}'`);
    const error = await refused(askToWrite(lost, 'desk', 'next'));
    expect(error).toMatchObject({ code: 'SECRET_UNAVAILABLE', message: missing });
    writeFileSync(keyFile, 'canary4711\n');
    expect(await reading(lost, 'desk')).toEqual({
      kind: 'unavailable',
      reason: 'the secret key file of this node does not hold 64 hexadecimal digits',
    });
    writeFileSync(keyFile, 'ab'.repeat(32));
    const { keyId } = lost.state.secrets.of('d')[0]?.sealed ?? { keyId: '' };
    expect(await reading(lost, 'desk')).toEqual({
      kind: 'unavailable',
      reason: `secret 'desk' was sealed with another key, '${keyId}', than the one of this node`,
    });
    await writeSecret(lost, 'desk', 'next');
    expect(await reading(lost, 'desk')).toEqual({ kind: 'read', values: ['next'] });
    expect(await lost.context.secrets.defect(['d'])).toBeUndefined();
  });

  test('are sealed with the key that is in the file now, on a node that goes on', async () => {
    const { node, keyFile } = await openWithSecrets();
    await writeSecret(node, 'desk', CANARY);
    writeFileSync(keyFile, 'cd'.repeat(32));
    expect((await reading(node, 'desk')).kind).toBe('unavailable');
    await writeSecret(node, 'desk', 'next');
    const restarted = await node.restart({ secrets: { keyFile } });
    expect(await reading(restarted, 'desk')).toEqual({ kind: 'read', values: ['next'] });
  });

  test('a reference without KEY uses every value of a secret that has none without', async () => {
    const { node } = await openWithSecrets();
    await writeSecret(node, 'desk', 'http://127.0.0.1:9', { key: 'a' });
    await node.run(
      "CREATE CLIENT c TYPE HTTP CONFIG { 'endpoint' = SECRET 'desk', 'timeout_ms' = '1000' };",
    );
    await writeSecret(node, 'desk', 'http://127.0.0.1:9', { key: 'b' });
    for (const key of ['a', 'b']) {
      expect(await node.text('SHOW SECRETS;')).toContain(
        `- name=desk key=${key} version=1 provider=store used_by=client c`,
      );
    }
    expect((await node.refuse('DROP SECRET desk;')).message).toBe(
      "cannot drop secret 'desk' because it is used by c",
    );
    await writeSecret(node, 'desk', 'http://127.0.0.1:9');
    expect(await node.text('SHOW SECRETS;')).toContain('key=a version=1 provider=store used_by=-');
    expect(await node.text('SHOW SECRETS;')).toContain('key=- version=1 provider=store used_by=cl');
  });

  test('a value that was moved or changed in the store does not open', async () => {
    const { node } = await openWithSecrets();
    await writeSecret(node, 'desk', CANARY);
    await writeSecret(node, 'door', 'other');
    const [desk, door] = node.state.secrets.of('d');
    if (desk === undefined || door === undefined) throw new Error('both are stored');
    const bytes = Buffer.from(desk.sealed.value);
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    for (const sealed of [door.sealed, { ...desk.sealed, value: new Uint8Array(bytes) }]) {
      await node.context.log.write({ put: [{ ...desk, sealed }] });
      expect(await reading(node, 'desk')).toEqual({
        kind: 'unavailable',
        reason: "secret 'desk' is damaged in the store",
      });
    }
  });

  test('a write that is sent again takes effect once, and its record helps nobody guess', async () => {
    const { node } = await openWithSecrets();
    const reference = node.reference();
    await writeSecret(node, 'desk', CANARY, { reference });
    const again = await writeSecret(node, 'desk', CANARY, { reference });
    expect(again).toMatchObject({ origin: 'Recovered', message: "wrote secret 'desk' version 1" });
    const other = await refused(askToWrite(node, 'desk', 'other', { reference }));
    expect(other.code).toBe('EXECUTION_REFERENCE_CONFLICT');
    const digests = [...node.state.references()].map(({ digest }) => digest);
    for (const guess of [CANARY, JSON.stringify(['write', 'd', 'desk', null, CANARY])]) {
      expect(digests).not.toContain(createHash('sha256').update(guess).digest('hex'));
    }
  });

  test.each([
    ['a b', 'v', {}, 'INVALID_REQUEST', "secret: invalid character ' ' in name"],
    ['desk', '', {}, 'INVALID_REQUEST', 'the value of a secret must not be empty'],
    [
      'desk',
      'v',
      { key: 'a\nb' },
      'INVALID_REQUEST',
      'a key of a secret holds no control characters',
    ],
    ['desk', 'v', { domain: 'x' }, 'NOT_FOUND', "domain 'x' does not exist"],
  ])('%j is refused with %j %j', async (name, value, parts, code, message) => {
    const { node } = await openWithSecrets();
    expect(await refused(askToWrite(node, name, value, parts))).toMatchObject({ code, message });
  });

  test('CP-141: go with their domain, and only with CASCADE', async () => {
    const { node } = await openWithSecrets();
    await writeSecret(node, 'desk', CANARY);
    await node.run('DROP RELAY r;');
    await node.run('DROP SCHEMA s;');
    expect((await node.refuse('DROP DOMAIN d;')).message).toBe(
      "domain 'd' still has 1 secret value(s); use CASCADE",
    );
    await node.run('DROP DOMAIN d CASCADE;');
    await node.run('CREATE DOMAIN d;');
    expect(await node.text('SHOW SECRETS;')).toBe('no secrets');
    await writeSecret(node, 'desk', 'next');
    expect(await reading(node, 'desk')).toEqual({ kind: 'read', values: ['next'] });
  });
});

describe('CP-136: references to secrets in plans', () => {
  test.each([
    ["SECRET 'desk'", "secret 'desk' has several keys; name one with KEY"],
    ["SECRET 'desk' KEY 'x'", "secret 'desk' has no key 'x'"],
    ["SECRET 'none'", "secret 'none' does not exist in domain 'd'"],
  ])('%s is refused where it stands', async (value, message) => {
    const { node } = await withClient();
    const text = `CREATE CLIENT e TYPE HTTP CONFIG {'endpoint' = 'http://h', 'token' = ${value}};`;
    const error = await node.refuse(text);
    expect(error).toMatchObject({ code: 'SECRET_UNAVAILABLE', message });
    const { start = 0, end = 0 } = error.diagnostics[0]?.span ?? {};
    expect(text.slice(start, end)).toBe(`'token' = ${value}`);
    const transaction = await node.begin();
    expect((await node.refuse(text, { transaction })).message).toContain(message);
  });

  test('a rotation makes an outstanding preview stale, and changes no model', async () => {
    const { node } = await withClient();
    await node.run('START;');
    const installed = node.dataPlane.plans.get('d');
    const transaction = await node.begin();
    await node.run('CREATE SCHEMA x (id I64);', { transaction });
    await writeSecret(node, 'desk', 'next', { key: 'key' });
    expect(node.dataPlane.plans.get('d')).toBe(installed);
    const stale = await node.refuse('COMMIT;', { transaction });
    expect(stale.code).toBe('PREVIEW_STALE');
    expect(JSON.stringify(stale)).not.toContain('next');
    await node.run('COMMIT;', { transaction });
  });

  test('so does one that was removed and written anew under its first version', async () => {
    const { node } = await openWithSecrets();
    await writeSecret(node, 'desk', CANARY);
    const transaction = await node.begin();
    await node.run('CREATE SCHEMA x (id I64);', { transaction });
    await node.run('DROP SECRET desk;');
    await writeSecret(node, 'desk', CANARY);
    expect((await node.refuse('COMMIT;', { transaction })).code).toBe('PREVIEW_STALE');
  });

  test('SB-118: START names the first secret that is missing', async () => {
    const { node } = await withClient();
    const [record] = node.state.secrets.of('d');
    // As a domain is that came from elsewhere.
    await node.context.log.write({ remove: [`secret/d/desk/${record?.key}`] });
    expect(await node.refuse('START;')).toMatchObject({
      code: 'SECRET_UNAVAILABLE',
      message: "secret 'desk' has no key 'cert'",
    });
  });
});

describe('CL-114: no value of a secret is told', () => {
  test('by any reply, read, record or line of the log', async () => {
    const { node } = await withClient();
    const asked = [
      'SHOW SECRETS;',
      'SHOW SECRETS FORMAT JSON;',
      'SHOW CREATE CLIENT c;',
      'SHOW CREATE CLIENT c WITH SECRETS;',
      'DESCRIBE CLIENT c;',
      'EXPLAIN DROP CLIENT c;',
      'SHOW TRANSACTIONS;',
      'SHOW CLUSTER STATUS;',
      'START;',
      'DROP SECRET desk;',
    ];
    const told: unknown[] = [];
    for (const query of asked) told.push(await node.execute(query));
    const transaction = await node.begin();
    told.push(await node.execute('DROP CLIENT c;', { transaction }));
    told.push(await node.execute('DESCRIBE TRANSACTION FORMAT JSON;', { transaction }));
    told.push(await refused(remove(node, 'desk')), node.plane.secrets('d'));
    told.push([...node.state.references()], node.logLines, node.dataPlane.plans.get('d'));
    const whole = JSON.stringify(told, (_key, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(whole).toContain('desk');
    expect(whole).not.toContain(CANARY);
    expect(node.logLines.join('')).toContain('secret version written');
  });
});

describe('CN-388: a literal secret of a new client', () => {
  const text = `CREATE CLIENT c TYPE HTTP CONFIG {'endpoint' = 'http://h', 'Token' = '${CANARY}',
    'uri' = 'http://me:${CANARY}@h', 'password' = SECRET 'desk'};`;
  const remark = (key: string) => `config key '${key}' holds a literal secret; consider SECRET`;

  test('is remarked upon where it stands, and created all the same', async () => {
    const { node } = await openWithSecrets();
    await writeSecret(node, 'desk', CANARY);
    const execution_reference = node.reference();
    for (const origin of ['Executed', 'Recovered']) {
      const outcome = await node.run(text, { execution_reference });
      expect(outcome.origin).toBe(origin);
      expect(outcome.diagnostics.map(({ message }) => message)).toEqual(
        ['Token', 'uri'].map(remark),
      );
      const { start = 0, end = 0 } = outcome.diagnostics[0]?.span ?? {};
      expect(Buffer.from(text).subarray(start, end).toString()).toBe(`'Token' = '${CANARY}'`);
      expect(JSON.stringify(outcome)).not.toContain(CANARY);
    }
    const again = text.replace('CREATE', 'CREATE IF NOT EXISTS');
    expect((await node.run(again)).diagnostics).toEqual([]);
  });

  test('of a transaction too, statement by statement', async () => {
    const { node } = await openWithSecrets();
    await writeSecret(node, 'desk', CANARY);
    const outcome = await node.run(`BEGIN; CREATE SCHEMA x (id I64); ${text} COMMIT;`);
    expect(outcome.statements?.map(({ diagnostics }) => diagnostics.length)).toEqual([0, 0, 2, 0]);
    expect(outcome.diagnostics).toHaveLength(2);
  });
});
