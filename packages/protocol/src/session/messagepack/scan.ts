import type { FrameLimits } from '../frame-limits.js';
import { isUtf8 } from './utf8.js';
import { readValueHead, type ValueHead } from './value-head.js';

/** What a scan tells of one well-formed value. */
export interface ScannedValue {
  readonly kind: 'scanned';
  /** Entries of all maps; a decoded value with fewer held a key twice. */
  readonly mapEntries: number;
}

export type Scan = ScannedValue | { readonly kind: 'malformed'; readonly message: string };

/** A frame may make its reader allocate this many bytes for each of its own. */
export const ALLOCATION_FACTOR = 8;

// Sizes of V8's heap objects on 64-bit machines without pointer compression.
const WORD = 8;
const TEXT_HEADER_BYTES = 16;
const NUMBER_BYTES = 24;
const VIEW_BYTES = 104;
const LIST_BYTES = 32;
const LIST_STORE_BYTES = 16;
/** An object with room for four properties. */
const MAP_BYTES = 56;
const MAP_INLINE_ENTRIES = 4;
/** A further property, in a store that grows in steps and leaves the former ones behind. */
const MAP_ENTRY_BYTES = 3 * WORD;

interface OpenCollection {
  remaining: number;
  /** The next value of a map is a key. */
  isKey: boolean;
  readonly isMap: boolean;
}

/**
 * Walks one MessagePack value without building it, and refuses what would cost more than the limits
 * allow: length, nesting, entries, texts, and an estimate of what the built value would take of the
 * heap. Needs memory for the nesting alone.
 */
export function scan(
  bytes: Uint8Array,
  limits: FrameLimits,
  allowance: number = bytes.length * ALLOCATION_FACTOR,
): Scan {
  const open: OpenCollection[] = [];
  let [at, allocated, mapEntries] = [0, 0, 0];
  for (;;) {
    const head = readValueHead(bytes, at);
    if (head === undefined) return malformed('no value begins where one is due');
    const refusal =
      placeRefusal(head, open, limits) ?? lengthRefusal(head, bytes, at + head.bytes, limits);
    if (refusal !== undefined) return malformed(refusal);
    at += head.bytes + (isRun(head) ? head.length : 0);
    const parent = open.at(-1);
    // A key is kept once, however often it occurs.
    allocated += parent?.isKey === true ? head.length : allocation(head, bytes, at);
    if (allocated > allowance) return malformed('the value would take too much memory');
    if (parent !== undefined) step(parent);
    if (head.kind === 'map') mapEntries += head.length;
    if (head.kind === 'map' || head.kind === 'list') open.push(collection(head));
    while (open.at(-1)?.remaining === 0) open.pop();
    if (open.length === 0) break;
  }
  return at === bytes.length
    ? { kind: 'scanned', mapEntries }
    : malformed('bytes follow the value');
}

/** What is wrong with a value where it stands. */
function placeRefusal(
  { kind }: ValueHead,
  open: readonly OpenCollection[],
  { nesting }: FrameLimits,
): string | undefined {
  if (open.at(-1)?.isKey === true && kind !== 'text') return 'a map has a key that is no text';
  const isCollection = kind === 'list' || kind === 'map';
  if (isCollection && open.length >= nesting) return `values nest deeper than ${nesting}`;
  return undefined;
}

/** What is wrong with a value itself, whose contents begin at `start`. */
function lengthRefusal(
  { kind, length }: ValueHead,
  bytes: Uint8Array,
  start: number,
  limits: FrameLimits,
): string | undefined {
  if (kind === 'scalar' || kind === 'number64') return undefined;
  if (kind === 'list' || kind === 'map') {
    if (length > limits.entries) return `a collection has more than ${limits.entries} entries`;
    const fewest = kind === 'map' ? 2 * length : length;
    return fewest > bytes.length - start ? 'a collection is cut short' : undefined;
  }
  if (length > bytes.length - start) return 'a value is cut short';
  if (kind === 'bytes') return undefined;
  if (length > limits.stringBytes) return `a text is longer than ${limits.stringBytes} bytes`;
  return isUtf8(bytes, start, start + length) ? undefined : 'a text is not valid UTF-8';
}

function isRun({ kind }: ValueHead): boolean {
  return kind === 'text' || kind === 'bytes';
}

function collection({ kind, length }: ValueHead): OpenCollection {
  const isMap = kind === 'map';
  return { remaining: isMap ? 2 * length : length, isKey: isMap, isMap };
}

function step(parent: OpenCollection): void {
  parent.remaining -= 1;
  if (parent.isMap) parent.isKey = !parent.isKey;
}

/**
 * Bytes of the heap that a decoded value takes, without what it holds.
 *
 * @param end of the value's own bytes
 */
function allocation({ kind, length }: ValueHead, bytes: Uint8Array, end: number): number {
  switch (kind) {
    case 'scalar':
      return 0;
    case 'number64':
      return NUMBER_BYTES;
    case 'text':
      return TEXT_HEADER_BYTES + (isWide(bytes, end - length, end) ? 2 : 1) * length;
    case 'bytes':
      return VIEW_BYTES;
    case 'list':
      return length === 0 ? LIST_BYTES : LIST_BYTES + LIST_STORE_BYTES + WORD * length;
    case 'map':
      return MAP_BYTES + MAP_ENTRY_BYTES * Math.max(0, length - MAP_INLINE_ENTRIES);
  }
}

/** First byte of the characters that do not fit into one byte each. */
const WIDE_LEAD = 0xc4;

/** Whether a text takes two bytes for each character. */
function isWide(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if ((bytes[at] ?? 0) >= WIDE_LEAD) return true;
  return false;
}

function malformed(message: string): Scan {
  return { kind: 'malformed', message };
}
