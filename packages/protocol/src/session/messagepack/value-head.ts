/** What the first bytes of a MessagePack value say. */
export interface ValueHead {
  readonly kind: 'scalar' | 'number64' | 'text' | 'bytes' | 'list' | 'map';
  /** Bytes of the head, and of a scalar's value with it. */
  readonly bytes: number;
  /** Bytes of a text or of bytes; entries of a list or map; 0 for scalars. */
  readonly length: number;
}

/** Heads with a length behind their first byte, and scalars with a value there. */
const WIDTHS: Readonly<Record<number, readonly [kind: ValueHead['kind'], width: number]>> = {
  196: ['bytes', 1],
  197: ['bytes', 2],
  198: ['bytes', 4],
  202: ['number64', 4],
  203: ['number64', 8],
  204: ['scalar', 1],
  205: ['scalar', 2],
  206: ['scalar', 4],
  207: ['number64', 8],
  208: ['scalar', 1],
  209: ['scalar', 2],
  210: ['scalar', 4],
  211: ['number64', 8],
  217: ['text', 1],
  218: ['text', 2],
  219: ['text', 4],
  220: ['list', 2],
  221: ['list', 4],
  222: ['map', 2],
  223: ['map', 4],
};

/**
 * Reads the head of the value at a place; undefined when no declared value begins there. Extension
 * types are none: frames hold no value of their own kinds.
 */
export function readValueHead(bytes: Uint8Array, at: number): ValueHead | undefined {
  const first = bytes[at];
  if (first === undefined) return undefined;
  if (first < 0x80 || first >= 0xe0) return { kind: 'scalar', bytes: 1, length: 0 };
  if (first < 0x90) return { kind: 'map', bytes: 1, length: first & 0x0f };
  if (first < 0xa0) return { kind: 'list', bytes: 1, length: first & 0x0f };
  if (first < 0xc0) return { kind: 'text', bytes: 1, length: first & 0x1f };
  if (first === 0xc0 || first === 0xc2 || first === 0xc3) {
    return { kind: 'scalar', bytes: 1, length: 0 };
  }
  const known = WIDTHS[first];
  if (known === undefined) return undefined;
  const [kind, width] = known;
  if (at + 1 + width > bytes.length) return undefined;
  if (kind === 'scalar' || kind === 'number64') return { kind, bytes: 1 + width, length: 0 };
  let length = 0;
  for (let index = 0; index < width; index += 1)
    length = length * 256 + (bytes[at + 1 + index] ?? 0);
  return { kind, bytes: 1 + width, length };
}
