import type { SecureContext } from 'node:tls';
import type { ClientFile, ClientTlsPlan } from '@nervix/model';

/**
 * What connections of a client are secured with. Certificates of its plan are trusted besides those
 * of the platform.
 *
 * @throws TypeError for a plan whose files were not read
 * @throws Error for texts that are no certificates or keys
 */
export async function makeSecureContext({ ca, identity }: ClientTlsPlan): Promise<SecureContext> {
  // Loaded by clients that need it.
  const { createSecureContext, rootCertificates } = await import('node:tls');
  return createSecureContext({
    ...(ca === undefined ? {} : { ca: [...rootCertificates, contentOf(ca)] }),
    ...(identity === undefined
      ? {}
      : { cert: contentOf(identity.certificate), key: contentOf(identity.key) }),
  });
}

function contentOf(file: ClientFile): string {
  if (file.kind === 'content') return file.text;
  throw new TypeError('a plan that is run holds the contents of its files');
}
