import { describe, expect, test } from 'vitest';
import {
  type ClientConfigValue,
  type ClientModel,
  type ClientType,
  holdsRedacted,
  isSecretKey,
  redactSecrets,
} from '../src/index.ts';

function client(type: ClientType, config: Record<string, ClientConfigValue>): ClientModel {
  return {
    kind: 'client',
    name: 'c',
    type,
    pool: null,
    signaling: null,
    mount: null,
    config: Object.entries(config).map(([key, value]) => ({ key, value })),
  };
}

/** What everyone sees of one value. */
function shown(type: ClientType, key: string, text: string): string {
  const model = redactSecrets(client(type, { [key]: { kind: 'text', text } }));
  if (model.kind !== 'client') throw new Error('no client');
  const value = model.config[0]?.value;
  return value?.kind === 'text' ? value.text : 'no text';
}

describe('CN-388: which keys are secret', () => {
  test.each([
    ...['password', 'sasl.password', 'ssl.key.password', 'token', 'secret', 'access_key_id'],
    ...['secret_access_key', 'session_token', 'account_key', 'sas_token', 'client_secret'],
    ...['connection_string', 'credentials_json', 'dsn', 'SASL.Password', 'proxy_passwd'],
    ...['my_secret', 'api_token', 'api_key', 'private.key'],
  ])('%s is', (key) => {
    expect(isSecretKey('HTTP', key)).toBe(true);
    expect(shown('HTTP', key, 'canary')).toBe('<redacted>');
  });

  test.each(['tls_key_file', 'key', 'ssl.key.location', 'username', 'password_file', 'addr'])(
    '%s is not',
    (key) => {
      expect(isSecretKey('HTTP', key)).toBe(false);
      expect(shown('HTTP', key, 'plain')).toBe('plain');
    },
  );

  test('headers are of OTEL clients only', () => {
    expect(isSecretKey('OTEL', 'Headers')).toBe(true);
    expect(isSecretKey('HTTP', 'headers')).toBe(false);
  });
});

describe('CL-114: credentials in URLs', () => {
  test.each([
    ['postgres://me:canary@db/x', 'postgres://me:<redacted>@db/x'],
    ['redis://:canary@r:6379', 'redis://:<redacted>@r:6379'],
    ['https://canary@sentry/1', 'https://<redacted>@sentry/1'],
    ['http://a:b:c@d@h/p', 'http://a:<redacted>@h/p'],
    ['nats://a:x@h1,nats://b:y@h2', 'nats://a:<redacted>@h1,nats://b:<redacted>@h2'],
    ['http://h/p?mail=a@b', 'http://h/p?mail=a@b'],
    ['a:b@c', 'a:b@c'],
  ])('%s', (text, expected) => {
    expect(shown('HTTP', 'addr', text)).toBe(expected);
    expect(shown('HTTP', 'addr', expected)).toBe(expected);
  });
});

test('CL-114: references and other models are shown in full', () => {
  const model = client('KAFKA', { password: { kind: 'secret', name: 's', key: 'k' } });
  expect(redactSecrets(model)).toEqual(model);
  const other = { kind: 'relay' as const, name: 'token', schema: 's', capacity: '1' };
  const relay = { ...other, branching: { kind: 'unbranched' as const }, materialized: false };
  expect(redactSecrets(relay)).toBe(relay);
});

test('NSPL 14.3: a value tells that its secret was left out', () => {
  expect(holdsRedacted('HTTP', 'password', '<redacted>')).toBe(true);
  expect(holdsRedacted('HTTP', 'password', '<redacted>!')).toBe(false);
  expect(holdsRedacted('HTTP', 'note', '<redacted>')).toBe(false);
  expect(holdsRedacted('HTTP', 'addr', 'http://a:<redacted>@h')).toBe(true);
  expect(holdsRedacted('HTTP', 'addr', 'http://<redacted>@h')).toBe(true);
  expect(holdsRedacted('HTTP', 'addr', 'http://h/<redacted>')).toBe(false);
});

test('a long value is judged in linear time', () => {
  const long = `${'a'.repeat(1_000_000)}<redacted>${'://a:'.repeat(200_000)}`;
  const started = performance.now();
  expect(holdsRedacted('HTTP', 'addr', long)).toBe(false);
  expect(performance.now() - started).toBeLessThan(1_000);
});
