import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** Encodes one element of the Distinguished Encoding Rules. */
function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  if (body.length < 128) return Buffer.concat([Buffer.of(tag, body.length), body]);
  const digits = body.length.toString(16);
  const length = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.of(tag, 0x80 | length.length), length, body]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => element(0x30, ...parts);
const octets = (value: Uint8Array): Buffer => element(0x04, value);
const TRUE = element(0x01, Buffer.of(0xff));

function objectId(id: string): Buffer {
  const [first = 0, second = 0, ...rest] = id.split('.').map(Number);
  const bytes = rest.flatMap((arc) => {
    const digits = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) digits.unshift(0x80 | (left & 0x7f));
    return digits;
  });
  return element(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

function commonName(name: string): Buffer {
  return sequence(element(0x31, sequence(objectId('2.5.4.3'), element(0x0c, Buffer.from(name)))));
}

function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]/g, '').slice(0, 14);
  return element(0x18, Buffer.from(`${digits}Z`));
}

function extension(id: string, isCritical: boolean, value: Uint8Array): Buffer {
  return sequence(objectId(id), ...(isCritical ? [TRUE] : []), octets(value));
}

function alternativeName(name: string): Buffer {
  if (name.includes('://')) return element(0x86, Buffer.from(name));
  if (isIP(name) === 4) return element(0x87, Buffer.from(name.split('.').map(Number)));
  if (name === '::1') return element(0x87, Buffer.from([...Array(15).fill(0), 1]));
  return element(0x82, Buffer.from(name));
}

/** What a node proves itself with, in PEM. */
export interface TestCredentials {
  readonly ca: string;
  /** Its own certificate first. */
  readonly cert: string;
  readonly key: string;
}

interface Keys {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

interface CertificateContent {
  readonly subject: string;
  readonly issuer: string;
  readonly keys: Keys;
  readonly issuerKeys: Keys;
  readonly validFromMs: number;
  readonly validToMs: number;
  readonly extensions: readonly Uint8Array[];
}

const ECDSA_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'));

function certificate(content: CertificateContent): string {
  const serial = Buffer.concat([Buffer.of(1), randomBytes(8)]);
  const signed = sequence(
    element(0xa0, element(0x02, Buffer.of(2))),
    element(0x02, serial),
    ECDSA_SHA256,
    commonName(content.issuer),
    sequence(time(content.validFromMs), time(content.validToMs)),
    commonName(content.subject),
    content.keys.publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(...content.extensions)),
  );
  const signature = sign('sha256', signed, content.issuerKeys.privateKey);
  const der = sequence(signed, ECDSA_SHA256, element(0x03, Buffer.of(0), signature));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

const newKeys = (): Keys => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const DAY_MS = 86_400_000;

/** What a certificate says; the rest is made to fit. */
export interface LeafContent {
  /** Alternative names: addresses, host names and, with `://`, URIs. */
  readonly names: readonly string[];
  readonly validFromMs?: number;
  readonly validToMs?: number;
  readonly usages?: readonly ('server' | 'client')[];
}

/** A certificate authority made for one test. */
export class TestAuthority {
  readonly #name: string;
  readonly #keys = newKeys();
  readonly #issuer: TestAuthority | undefined;
  /** Its own certificate in PEM. */
  readonly certificate: string;

  constructor(name = 'test authority', issuer?: TestAuthority) {
    this.#name = name;
    this.#issuer = issuer;
    this.certificate = certificate({
      subject: name,
      issuer: issuer === undefined ? name : issuer.#name,
      keys: this.#keys,
      issuerKeys: issuer === undefined ? this.#keys : issuer.#keys,
      validFromMs: Date.now() - DAY_MS,
      validToMs: Date.now() + DAY_MS,
      extensions: [extension('2.5.29.19', true, sequence(TRUE))],
    });
  }

  /** Credentials of a node that is reached on loopback. */
  node(nodeId: string, clusterId = 'test', content: Partial<LeafContent> = {}): TestCredentials {
    const uri = `nervix://cluster/${clusterId}/node/${nodeId}`;
    return this.leaf({ names: [uri, '127.0.0.1', 'localhost'], ...content });
  }

  /** Credentials with any content. */
  leaf(content: LeafContent): TestCredentials {
    const keys = newKeys();
    const { names, usages = ['server', 'client'] } = content;
    const usageIds = usages.map((it) =>
      objectId(it === 'server' ? '1.3.6.1.5.5.7.3.1' : '1.3.6.1.5.5.7.3.2'),
    );
    const own = certificate({
      subject: 'node',
      issuer: this.#name,
      keys,
      issuerKeys: this.#keys,
      validFromMs: content.validFromMs ?? Date.now() - DAY_MS / 2,
      validToMs: content.validToMs ?? Date.now() + DAY_MS / 2,
      extensions: [
        extension('2.5.29.17', false, sequence(...names.map(alternativeName))),
        ...(usages.length > 0 ? [extension('2.5.29.37', false, sequence(...usageIds))] : []),
      ],
    });
    const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const root = this.#root();
    return { ca: root.certificate, cert: this === root ? own : own + this.certificate, key };
  }

  #root(): TestAuthority {
    return this.#issuer === undefined ? this : this.#issuer.#root();
  }
}
