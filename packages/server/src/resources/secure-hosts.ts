import type { VhostModel } from '@nervix/model';
import { areCertificates, identityDefect, type SecureHost } from '@nervix/runtime/data-plane';
import type { InstalledVersion, InstalledVersions } from './installed-versions.js';
import { DamagedVersionError } from './store/version-folder.js';

/** Why a virtual host cannot be served over TLS with what its resource version holds. */
export class SecureHostError extends Error {
  override readonly name = 'SecureHostError';
}

/** Largest file of a bundle. */
const FILE_BYTES_MAX = 1_024 * 1_024;

/**
 * Virtual hosts with the files of their resource versions, each compared with what was installed.
 *
 * @param vhosts those without TLS are left out
 * @throws SecureHostError that names the first which cannot be served
 */
export async function secureHosts(
  installed: InstalledVersions,
  domain: string,
  vhosts: readonly VhostModel[],
): Promise<readonly SecureHost[]> {
  const hosts: SecureHost[] = [];
  for (const vhost of vhosts) {
    if (vhost.tls === null) continue;
    try {
      hosts.push(await secureHost(installed, domain, vhost, vhost.tls));
    } catch (error) {
      if (!(error instanceof SecureHostError)) throw error;
      throw new SecureHostError(`vhost '${vhost.name}': ${error.message}`, { cause: error });
    }
  }
  return hosts;
}

/** Why a virtual host cannot be served over TLS, whatever its names are, or undefined. */
export async function secureHostDefect(
  installed: InstalledVersions,
  domain: string,
  vhost: VhostModel,
): Promise<string | undefined> {
  if (vhost.tls === null) return undefined;
  try {
    await secureHost(installed, domain, vhost, vhost.tls);
    return undefined;
  } catch (error) {
    if (error instanceof SecureHostError) return error.message;
    throw error;
  }
}

async function secureHost(
  installed: InstalledVersions,
  domain: string,
  { name, hostnames }: VhostModel,
  { resource, version }: NonNullable<VhostModel['tls']>,
): Promise<SecureHost> {
  const found = await installed.open(domain, resource, Number(version));
  if (found.kind !== 'installed') throw new SecureHostError(found.reason);
  const certificate = await textOf(found, 'tls.crt');
  const key = await textOf(found, 'tls.key');
  // Whom the host trusts is nothing that it presents; it is part of the bundle all the same.
  const authority = await textOf(found, 'ca.crt');
  for (const [path, text] of Object.entries({ 'tls.crt': certificate, 'ca.crt': authority })) {
    if (areCertificates(text)) continue;
    throw new SecureHostError(`'${path}' holds no certificates that can be read`);
  }
  const defect = identityDefect(certificate, key);
  if (defect !== undefined) throw new SecureHostError(defect);
  return { name, hostnames: hostnames.map((each) => each.toLowerCase()), certificate, key };
}

async function textOf(version: InstalledVersion, path: string): Promise<string> {
  const entry = version.entries.find((each) => each.path === path);
  if (entry?.type !== 'file') throw new SecureHostError(`the version has no file '${path}'`);
  if (entry.size > FILE_BYTES_MAX) throw new SecureHostError(`'${path}' is too large`);
  try {
    return ((await version.readFile(path)) ?? Buffer.alloc(0)).toString('utf8');
  } catch (error) {
    if (!(error instanceof DamagedVersionError)) throw error;
    throw new SecureHostError(error.message, { cause: error });
  }
}
