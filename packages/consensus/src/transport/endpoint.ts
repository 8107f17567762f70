import { BlockList, isIP } from 'node:net';

/** A place in the network. */
export interface HostPort {
  /** Name or address, without brackets. */
  readonly host: string;
  readonly port: number;
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Reads `host:port` or `[address]:port`; `undefined` when it is neither. */
export function parseEndpoint(endpoint: string): HostPort | undefined {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s/]+)):([0-9]{1,5})$/.exec(endpoint);
  if (match === null) return undefined;
  const [, address, name, digits] = match;
  const port = Number(digits);
  const host = address ?? name;
  if (host === undefined || port > 65_535) return undefined;
  if (address !== undefined && isIP(address) !== 6) return undefined;
  return { host, port };
}

/** The inverse of {@link parseEndpoint}. */
export function formatEndpoint({ host, port }: HostPort): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Whether an IP address is reached without leaving the machine. Names are not addresses. */
export function isLoopback(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && LOOPBACK.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
