import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { runtimeError } from '../../errors.js';

/** A virtual host that is served over TLS, with what it proves itself by. */
export interface SecureHost {
  /** Name of the virtual host. */
  readonly name: string;
  /** Names that clients ask for, in lower case. */
  readonly hostnames: readonly string[];
  /** Certificates in PEM, that of the host first. */
  readonly certificate: string;
  /** Private key in PEM. */
  readonly key: string;
}

/** What certificates and keys of hosts have to be; anything older than TLS 1.2 is refused. */
const OLDEST_VERSION = 'TLSv1.2';

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Why texts cannot prove a host, whatever its names are, or undefined. Tells nothing of the key.
 *
 * @param certificate certificates in PEM, that of the host first
 * @param key private key in PEM, without a passphrase
 */
export function identityDefect(certificate: string, key: string): string | undefined {
  const leaf = firstOf(certificate);
  if (leaf === undefined) return 'the certificate cannot be read';
  const isOwn = attempt(() => leaf.checkPrivateKey(createPrivateKey(key)));
  if (isOwn === undefined) return 'the key cannot be read';
  if (!isOwn) return 'the key does not belong to the certificate';
  const context = attempt(() => contextOf({ certificate, key }));
  return context === undefined ? 'certificate and key cannot be used together' : undefined;
}

/** Whether a text is certificates in PEM, and at least one. */
export function areCertificates(text: string): boolean {
  return readCertificates(text) !== undefined;
}

/** Contexts of all domains by hostname: what a handshake presents. */
export class SecureHosts {
  readonly #byDomain = new Map<string, ReadonlyMap<string, SecureContext>>();
  #all: ReadonlyMap<string, SecureContext> = new Map();

  /** Number of hostnames that are served. */
  get size(): number {
    return this.#all.size;
  }

  /** @param hostname as the client wrote it */
  find(hostname: string): SecureContext | undefined {
    return this.#all.get(hostname.toLowerCase());
  }

  /**
   * Contexts for the hosts of a domain; nothing is changed.
   *
   * @throws RuntimeError `RUNTIME_SECURE_HOST_REFUSED`
   */
  contextsOf(domain: string, hosts: readonly SecureHost[]): ReadonlyMap<string, SecureContext> {
    const contexts = new Map<string, SecureContext>();
    for (const host of hosts) {
      const defect = this.#defect(domain, host);
      if (defect !== undefined) {
        throw runtimeError('RUNTIME_SECURE_HOST_REFUSED', { vhost: host.name, problem: defect });
      }
      const context = contextOf(host);
      for (const hostname of host.hostnames) contexts.set(hostname, context);
    }
    return contexts;
  }

  /** Puts contexts in the place of all that the domain had, by one swap. */
  replace(domain: string, contexts: ReadonlyMap<string, SecureContext>): void {
    if (contexts.size === 0) this.#byDomain.delete(domain);
    else this.#byDomain.set(domain, contexts);
    this.#all = new Map([...this.#byDomain.values()].flatMap((each) => [...each]));
  }

  #defect(domain: string, { hostnames, certificate, key }: SecureHost): string | undefined {
    const defect = identityDefect(certificate, key);
    const leaf = firstOf(certificate);
    if (defect !== undefined || leaf === undefined) return defect;
    for (const hostname of hostnames) {
      if (!isNamed(leaf, hostname)) return `the certificate does not name '${hostname}'`;
      for (const [owner, contexts] of this.#byDomain) {
        if (owner !== domain && contexts.has(hostname)) {
          return `hostname '${hostname}' already belongs to domain '${owner}'`;
        }
      }
    }
    return undefined;
  }
}

/** Whether a certificate names a host; its subject does not count, as for clients. */
function isNamed(certificate: X509Certificate, hostname: string): boolean {
  return isIP(hostname) === 0
    ? certificate.checkHost(hostname, { subject: 'never' }) !== undefined
    : certificate.checkIP(hostname) !== undefined;
}

function contextOf({ certificate, key }: Pick<SecureHost, 'certificate' | 'key'>): SecureContext {
  return createSecureContext({ cert: certificate, key, minVersion: OLDEST_VERSION });
}

function firstOf(certificate: string): X509Certificate | undefined {
  return readCertificates(certificate)?.[0];
}

function readCertificates(text: string): readonly X509Certificate[] | undefined {
  const blocks = text.match(PEM) ?? [];
  const read = attempt(() => blocks.map((block) => new X509Certificate(block)));
  return read === undefined || read.length === 0 ? undefined : read;
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
