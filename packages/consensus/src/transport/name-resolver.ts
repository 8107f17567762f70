import { promises as dns } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** Turns a name into IP addresses. Rejects when there are none. */
export type ResolveName = (host: string) => Promise<readonly string[]>;

/** Settings of {@link createNameResolver}. */
export interface NameResolverOptions {
  /** File of names asked before any server; `/etc/hosts` unless given, none if `undefined`. */
  readonly hostsFile?: string | undefined;
  /** Name servers as `address` or `address:port`; those of the system by default. */
  readonly servers?: readonly string[] | undefined;
  /** How long one server is waited for, in milliseconds. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Resolves names without `getaddrinfo`, which would hold a thread of the pool that the store needs
 * for its writes. Search domains are not applied: endpoints are complete names.
 */
export function createNameResolver(options: NameResolverOptions = {}): ResolveName {
  const { servers, timeoutMs = 2_000 } = options;
  const hostsFile = 'hostsFile' in options ? options.hostsFile : '/etc/hosts';
  const resolver = new dns.Resolver({ timeout: timeoutMs, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return async (host) => {
    if (isIP(host) !== 0) return [host];
    const listed = await listedAddresses(hostsFile, host);
    if (listed.length > 0) return listed;
    if (host === 'localhost') return ['127.0.0.1', '::1'];
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = answers.flatMap((it) => (it.status === 'fulfilled' ? it.value : []));
    if (found.length > 0) return found;
    const [first] = answers;
    throw new Error(`the name '${host}' has no address`, {
      cause: first.status === 'rejected' ? first.reason : undefined,
    });
  };
}

async function listedAddresses(file: string | undefined, host: string): Promise<string[]> {
  if (file === undefined) return [];
  // A missing file lists nothing; name servers are asked then.
  const text = await readFile(file, 'utf8').catch(() => '');
  return parseHosts(text, host);
}

/** The addresses that a hosts file gives a name, in the order of the file. */
export function parseHosts(text: string, host: string): string[] {
  const wanted = host.toLowerCase();
  return text.split('\n').flatMap((line) => {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const isListed = names.some((name) => name.toLowerCase() === wanted);
    return isListed && address !== undefined && isIP(address) !== 0 ? [address] : [];
  });
}
