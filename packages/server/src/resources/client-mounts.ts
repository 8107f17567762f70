import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { ClientFile, ClientTlsPlan, ExecutionPlan, HttpClientPlan } from '@nervix/model';
import type { InstalledVersion, InstalledVersions } from './installed-versions.js';
import { DamagedVersionError } from './store/version-folder.js';

/** Why the files of a client cannot be used. */
export class ClientMountError extends Error {
  override readonly name = 'ClientMountError';
}

/** Largest file of a client's settings. */
const FILE_BYTES_MAX = 1_024 * 1_024;

/**
 * The plan as it is run: the files that its clients name are read, each compared with what was
 * installed.
 *
 * @throws ClientMountError for a version or a file that is not there, damaged or not what it has to be
 */
export async function withClientFiles(
  installed: InstalledVersions,
  plan: ExecutionPlan,
): Promise<ExecutionPlan> {
  if (plan.clients.every(({ mount, tls }) => mount === undefined && tls === undefined)) return plan;
  const clients = await Promise.all(
    plan.clients.map((client) => withFiles(installed, plan.domain, client)),
  );
  return { ...plan, clients };
}

async function withFiles(
  installed: InstalledVersions,
  domain: string,
  client: HttpClientPlan,
): Promise<HttpClientPlan> {
  const { mount, tls } = client;
  const readMounted =
    mount === undefined ? NOTHING_MOUNTED : await opened(installed, domain, client);
  if (tls === undefined) return client;
  const read = async (file: ClientFile): Promise<ClientFile> => {
    switch (file.kind) {
      case 'content':
      case 'secret':
        return file;
      case 'local':
        return { kind: 'content', text: await localFile(client, file.path) };
      case 'mounted':
        return { kind: 'content', text: await mountedFile(client, file.path, readMounted) };
    }
  };
  const { ca, identity } = tls;
  const loaded: ClientTlsPlan = {
    ...(ca === undefined ? {} : { ca: await read(ca) }),
    ...(identity === undefined
      ? {}
      : {
          identity: {
            certificate: await read(identity.certificate),
            key: await read(identity.key),
          },
        }),
  };
  checkMaterial(client, loaded);
  return { ...client, tls: loaded };
}

type ReadMounted = InstalledVersion['readFile'];

const NOTHING_MOUNTED: ReadMounted = async () => undefined;

async function opened(
  installed: InstalledVersions,
  domain: string,
  client: HttpClientPlan,
): Promise<ReadMounted> {
  const { resource = '', version = 0 } = client.mount ?? {};
  const found = await installed.open(domain, resource, version);
  if (found.kind !== 'installed') throw notMounted(client, '.', found.reason);
  return async (path) => {
    const entry = found.entries.find((each) => each.path === path);
    if (entry?.type === 'file' && entry.size > FILE_BYTES_MAX) {
      throw notMounted(client, path, 'the file is too large');
    }
    return found.readFile(path);
  };
}

async function mountedFile(
  client: HttpClientPlan,
  path: string,
  read: ReadMounted,
): Promise<string> {
  let bytes: Buffer | undefined;
  try {
    bytes = await read(path);
  } catch (error) {
    if (!(error instanceof DamagedVersionError)) throw error;
    throw notMounted(client, path, error.message);
  }
  if (bytes === undefined) throw notMounted(client, path, 'the version has no such file');
  return bytes.toString('utf8');
}

async function localFile({ name }: HttpClientPlan, path: string): Promise<string> {
  try {
    return await smallFile(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new ClientMountError(`client '${name}' cannot read '${path}' (${code})`, {
      cause: error,
    });
  }
}

/** The content of a regular file; a device might never end, nor might opening a pipe. */
async function smallFile(path: string): Promise<string> {
  const found = await stat(path);
  if (found.isFile() && found.size <= FILE_BYTES_MAX) return readFile(path, 'utf8');
  throw Object.assign(new Error('no file of this size is read'), { code: 'EFBIG' });
}

function notMounted({ mount }: HttpClientPlan, path: string, reason: string): ClientMountError {
  const resource = mount?.resource ?? '';
  return new ClientMountError(
    `failed to mount client resource '${resource}' at '${path}': ${reason}`,
  );
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** What is wrong with certificates is told now and not at the first connection. No content is told. */
function checkMaterial({ name }: HttpClientPlan, { ca, identity }: ClientTlsPlan): void {
  const refuse = (key: string): never => {
    throw new ClientMountError(`client '${name}' has no usable certificates in '${key}'`);
  };
  if (ca?.kind === 'content') {
    const found = ca.text.match(CERTIFICATE) ?? [];
    if (found.length === 0 || !found.every(isCertificate)) refuse('tls_ca_file');
  }
  if (identity?.certificate.kind !== 'content' || identity.key.kind !== 'content') return;
  try {
    createSecureContext({ cert: identity.certificate.text, key: identity.key.text });
  } catch {
    refuse('tls_cert_file');
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
