import { BlockList, isIP } from 'node:net';
import type { ReadResult } from '@nervix/model';

/** Where a listener binds. Port 0 asks the operating system for a free one. */
export interface ListenAddress {
  /** Host name or IP address, an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Reads `host:port` or `[ipv6]:port`. */
export function readListenAddress(text: string): ReadResult<ListenAddress> {
  const match = /^(?:\[([^\]]*)\]|([^:[\]]*)):([0-9]{1,5})$/.exec(text);
  if (match === null) return refused('an address of the form host:port is expected');
  const [, bracketed, plain, digits = ''] = match;
  const host = bracketed ?? plain ?? '';
  const port = Number(digits);
  if (port > 65_535) return refused(`port ${digits} is above 65535`);
  if (bracketed !== undefined && isIP(bracketed) !== 6) {
    return refused('an IPv6 address is expected between brackets');
  }
  if (bracketed === undefined && !/^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(host)) {
    return refused('a host name or IP address is expected before the port');
  }
  return { kind: 'ok', value: { host, port } };
}

/** Prints an address the way {@link readListenAddress} reads it. */
export function printListenAddress(address: ListenAddress): string {
  const host = isIP(address.host) === 6 ? `[${address.host}]` : address.host;
  return `${host}:${address.port}`;
}

/** Whether only this machine can reach a listener bound to the host. */
export function isLoopbackHost(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === 'localhost';
  return loopback.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

function refused(reason: string): { kind: 'refused'; reason: string } {
  return { kind: 'refused', reason };
}
