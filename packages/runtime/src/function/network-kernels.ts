import { networkDefect, readIpAddress, type TypedCall } from '@nervix/model';
import { invalidArgument, RowFault } from '../program/row-fault.js';
import { constantText, type Kernel, type KernelFamily, plain } from './kernel.js';
import { countArgument } from './text-functions.js';
import { URL_KERNELS } from './url-kernels.js';

/** Kernels of the functions over IP addresses and URLs. */
export const NETWORK_KERNELS: KernelFamily = {
  ip_from_string: plain((text: string) => {
    const bytes = readIpAddress(text);
    if (bytes !== undefined) return Uint8Array.from(bytes);
    throw new RowFault('cast_failed', 'ip_from_string input is not an IPv4 or IPv6 address');
  }),
  ip_to_string: plain((bytes: Uint8Array) => printAddress(checked(bytes, 'ip_to_string'))),
  ip_family: plain((bytes: Uint8Array) => (checked(bytes, 'ip_family').length === 4 ? 4n : 6n)),
  ip_unmap: plain((bytes: Uint8Array) =>
    isMapped(checked(bytes, 'ip_unmap')) ? bytes.slice(12) : bytes,
  ),
  ip_trunc: plain((bytes: Uint8Array, prefix: number | bigint) =>
    truncated(bytes, countArgument(prefix)),
  ),
  ip_in_network: inNetwork,
  is_ip_address: plain((text: string) => readIpAddress(text) !== undefined),
  ...URL_KERNELS,
};

function checked(bytes: Uint8Array, name: string): Uint8Array {
  if (bytes.length !== 4 && bytes.length !== 16) {
    throw invalidArgument(`${name} input is not a 4 or 16 byte IP address`);
  }
  return bytes;
}

/** Whether an address lies in `::ffff:0:0/96`. */
function isMapped(bytes: Uint8Array): boolean {
  if (bytes.length !== 16 || bytes[10] !== 0xff || bytes[11] !== 0xff) return false;
  return bytes.subarray(0, 10).every((byte) => byte === 0);
}

/** RFC 5952 text. */
function printAddress(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  if (isMapped(bytes)) return `::ffff:${bytes.subarray(12).join('.')}`;
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0)).toString(16),
  );
  const { start, length } = longestZeros(groups);
  if (length < 2) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}

/** The longest run of zero groups, the first of equals. */
function longestZeros(groups: readonly string[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 };
  let start = 0;
  for (const [index, group] of groups.entries()) {
    if (group !== '0') start = index + 1;
    else if (index + 1 - start > longest.length) longest = { start, length: index + 1 - start };
  }
  return longest;
}

/** The prefix is checked before the address. */
function truncated(bytes: Uint8Array, prefix: number): Uint8Array {
  const isShort = bytes.length === 4;
  const [bits, family] = isShort ? [32, 'IPv4'] : [128, 'IPv6'];
  if (prefix < 0 || prefix > bits) {
    throw invalidArgument(`ip_trunc prefix length must be 0 to ${bits} for an ${family} address`);
  }
  return cleared(checked(bytes, 'ip_trunc'), prefix);
}

/** The address with the bits behind the prefix zeroed. */
function cleared(bytes: Uint8Array, prefix: number): Uint8Array {
  return bytes.map((byte, index) => {
    const kept = Math.min(Math.max(prefix - index * 8, 0), 8);
    return byte & (0xff00 >> kept) & 0xff;
  });
}

interface Network {
  readonly address: Uint8Array;
  readonly prefix: number;
}

function inNetwork(call: TypedCall): Kernel {
  const constant = constantText(call, 1);
  const known = constant === undefined ? undefined : readNetwork(constant);
  return ([address, written]) => {
    const network = known ?? readNetwork(written as string);
    const bytes = checked(address as Uint8Array, 'ip_in_network');
    if (bytes.length !== network.address.length) return false;
    const start = cleared(bytes, network.prefix);
    return network.address.every((byte, index) => byte === start[index]);
  };
}

function readNetwork(text: string): Network {
  const defect = networkDefect(text);
  if (defect !== undefined) throw invalidArgument(`ip_in_network network ${defect}`);
  const slash = text.indexOf('/');
  return {
    address: Uint8Array.from(readIpAddress(text.slice(0, slash)) ?? []),
    prefix: Number(text.slice(slash + 1)),
  };
}
