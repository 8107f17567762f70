/** Why a text is no network written `address/prefix`, or undefined. */
export function networkDefect(text: string): string | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return 'is not written as address/prefix';
  const bytes = readIpAddress(text.slice(0, slash));
  if (bytes === undefined) return 'address is not an IPv4 or IPv6 address';
  const prefix = text.slice(slash + 1);
  if (!/^(?:0|[1-9][0-9]*)$/u.test(prefix)) {
    return 'prefix length is not a decimal number without leading zeros';
  }
  const [bits, family] = bytes.length === 4 ? [32, 'IPv4'] : [128, 'IPv6'];
  const length = Number(prefix);
  if (length > bits) return `prefix length must be 0 to ${bits} for an ${family} network`;
  return hasBitsPast(bytes, length) ? 'has host bits set past its prefix length' : undefined;
}

function hasBitsPast(bytes: readonly number[], length: number): boolean {
  return bytes.some((byte, index) => {
    const kept = Math.min(Math.max(length - index * 8, 0), 8);
    return (byte & (0xff >> kept)) !== 0;
  });
}

/**
 * The 4 or 16 bytes of an address: dotted quads without leading zeros, or RFC 4291 text.
 *
 * @returns undefined for other texts
 */
export function readIpAddress(text: string): readonly number[] | undefined {
  return text.includes(':') ? readIpv6(text) : readIpv4(text);
}

function readIpv4(text: string): readonly number[] | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9][0-9]{0,2})$/u.test(part))) {
    return undefined;
  }
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

function readIpv6(text: string): readonly number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const groups = halves.map((half, index) => readGroups(half, index === halves.length - 1));
  const [head, tail] = groups;
  if (head === undefined) return undefined;
  if (halves.length === 1) return head.length === 16 ? head : undefined;
  if (tail === undefined) return undefined;
  const zeros = 16 - head.length - tail.length;
  return zeros < 2 ? undefined : [...head, ...Array<number>(zeros).fill(0), ...tail];
}

/** Bytes of the groups between colons; only the last may be a dotted quad. */
function readGroups(text: string, isLast: boolean): readonly number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const groups = text.split(':');
  for (const [index, group] of groups.entries()) {
    if (/^[0-9a-f]{1,4}$/iu.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
      continue;
    }
    const quad = isLast && index === groups.length - 1 ? readIpv4(group) : undefined;
    if (quad === undefined) return undefined;
    bytes.push(...quad);
  }
  return bytes;
}
