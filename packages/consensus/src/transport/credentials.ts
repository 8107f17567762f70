import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { RaftError } from '../errors.ts';

/** Key, certificate and trust anchors of one node, in PEM. */
export interface CredentialBundle {
  /** Certificates of the authorities that may vouch for members. */
  readonly ca: string;
  /** Certificate of this node, followed by intermediate ones if there are any. */
  readonly cert: string;
  readonly key: string;
}

/** Whom own credentials must speak for. */
export interface CredentialOwner {
  readonly clusterId: string;
  readonly nodeId: string;
  /** Host of the endpoint that other members dial. */
  readonly host: string;
}

/** Checked credentials, ready for use. */
export interface Credentials {
  readonly context: SecureContext;
  readonly bundle: CredentialBundle;
  /** End of validity in milliseconds since 1970. */
  readonly validToMs: number;
}

/** What a certificate says about its node. */
export interface CertifiedNode {
  readonly clusterId: string;
  readonly nodeId: string;
  readonly validToMs: number;
}

const SERVER_USAGE = '1.3.6.1.5.5.7.3.1';
const CLIENT_USAGE = '1.3.6.1.5.5.7.3.2';

/**
 * Checks own credentials and makes them usable. Throws `RAFT_CREDENTIALS_INVALID`, which names
 * neither key material nor files.
 */
export function checkCredentials(
  bundle: CredentialBundle,
  owner: CredentialOwner,
  nowMs: number,
): Credentials {
  const [leaf, ...intermediates] = readCertificates(bundle.cert, 'certificate');
  const anchors = readCertificates(bundle.ca, 'authority');
  if (leaf === undefined || anchors.length === 0) throw invalid('a certificate is missing');
  const node = certifiedNode(leaf, nowMs);
  if (typeof node === 'string') throw invalid(`the certificate ${node}`);
  if (node.clusterId !== owner.clusterId) {
    throw invalid(`the certificate is for cluster '${node.clusterId}', not '${owner.clusterId}'`);
  }
  if (node.nodeId !== owner.nodeId) {
    throw invalid(`the certificate is for node '${node.nodeId}', not '${owner.nodeId}'`);
  }
  if (!coversHost(leaf, owner.host)) {
    throw invalid(`the certificate does not cover the endpoint host '${owner.host}'`);
  }
  const usages = leaf.keyUsage ?? [];
  if (!usages.includes(SERVER_USAGE) || !usages.includes(CLIENT_USAGE)) {
    throw invalid('the certificate must allow use by servers and by clients');
  }
  checkKey(leaf, bundle.key);
  if (!hasChain(leaf, intermediates, anchors)) {
    throw invalid('no given authority vouches for the certificate');
  }
  return { context: secureContext(bundle), bundle, validToMs: node.validToMs };
}

/** What the certificate says about its node, or why it is not acceptable. */
export function certifiedNode(certificate: X509Certificate, nowMs: number): CertifiedNode | string {
  if (nowMs < certificate.validFromDate.getTime()) return 'is not valid yet';
  const validToMs = certificate.validToDate.getTime();
  if (nowMs >= validToMs) return 'has expired';
  const uris = (certificate.subjectAltName ?? '')
    .split(/,\s*/)
    .filter((name) => name.startsWith('URI:'))
    .map((name) => name.slice('URI:'.length));
  const [uri] = uris;
  if (uri === undefined || uris.length > 1) return 'must name exactly one node of a cluster';
  const match = /^nervix:\/\/cluster\/([^/?#"]+)\/node\/([^/?#"]+)$/.exec(uri);
  const clusterId = decodePart(match?.[1]);
  const nodeId = decodePart(match?.[2]);
  if (clusterId === undefined || nodeId === undefined) return 'names no node of a cluster';
  return { clusterId, nodeId, validToMs };
}

/** Whether the certificate names this host as a DNS name or address. Subjects do not count. */
export function coversHost(certificate: X509Certificate, host: string): boolean {
  return isIP(host) === 0
    ? certificate.checkHost(host, { subject: 'never' }) !== undefined
    : certificate.checkIP(host) !== undefined;
}

function decodePart(part: string | undefined): string | undefined {
  return part === undefined ? undefined : attempt(() => decodeURIComponent(part));
}

function readCertificates(pem: string, what: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const certificates = attempt(() => blocks.map((block) => new X509Certificate(block)));
  if (certificates === undefined) throw invalid(`the ${what} cannot be read`);
  return certificates;
}

function checkKey(leaf: X509Certificate, key: string): void {
  const isOwn = attempt(() => leaf.checkPrivateKey(createPrivateKey(key)));
  if (isOwn === undefined) throw invalid('the key cannot be read');
  if (!isOwn) throw invalid('the key does not belong to the certificate');
}

function hasChain(
  leaf: X509Certificate,
  intermediates: readonly X509Certificate[],
  anchors: readonly X509Certificate[],
): boolean {
  const isIssuer = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
    certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  let current = leaf;
  for (let steps = 0; steps <= intermediates.length; steps += 1) {
    if (anchors.some((anchor) => isIssuer(current, anchor))) return true;
    const next = intermediates.find((it) => it !== current && isIssuer(current, it));
    if (next === undefined) return false;
    current = next;
  }
  return false;
}

function secureContext({ ca, cert, key }: CredentialBundle): SecureContext {
  const context = attempt(() =>
    createSecureContext({ ca, cert, key, minVersion: 'TLSv1.3', maxVersion: 'TLSv1.3' }),
  );
  if (context === undefined) throw invalid('key and certificates cannot be used together');
  return context;
}

/** `undefined` when it throws. The error is dropped: its text may quote what was given, a key. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function invalid(problem: string): RaftError<'RAFT_CREDENTIALS_INVALID'> {
  return new RaftError('RAFT_CREDENTIALS_INVALID', { problem });
}
