import { printBase64 } from '../../column/base64.js';
import { decodeText, encodeText } from '../../column/text.js';
import { readDoubleBits, readHalf, readSingleBits } from '../cbor/cbor-float.js';
import { CborOutput } from '../cbor/cbor-output.js';
import { BREAK, CborScanner, INDEFINITE, MAJOR } from '../cbor/cbor-scanner.js';
import { joinBytes } from '../payload-codec.js';
import type { JaqPayload, JaqValues } from './jaq-payload.js';
import {
  isFloatText,
  type JsonTree,
  parseTree,
  printTree,
  UnrepresentableError,
} from './json-tree.js';

/** CBOR items one after the other; byte strings are base64 text to programs. */
export const CBOR_PAYLOAD: JaqPayload = {
  read: readItems,
  write: (json) => item(parseTree(json)),
  writeAll(texts) {
    const head = new CborOutput();
    head.head(MAJOR.array, texts.length);
    const members = texts.map((text) => item(parseTree(text)));
    const reason = members.find((member) => typeof member === 'string');
    if (reason !== undefined) return reason;
    return joinBytes([head.take(), ...members.filter((member) => typeof member !== 'string')]);
  },
};

function readItems(bytes: Uint8Array, start: number, end: number): JaqValues {
  const scanner = new CborScanner();
  scanner.open(bytes, end);
  const reader = new ItemReader(scanner, bytes);
  const texts: string[] = [];
  const defect = (cause: string): JaqValues => ({ kind: 'defect', cause, input: texts.length });
  for (let at = start; at < end; ) {
    const after = scanner.value(at, 0);
    if (after < 0) return defect(`malformed CBOR: ${scanner.defect}`);
    try {
      texts.push(printTree(reader.read(at)));
    } catch (error) {
      if (error instanceof UnrepresentableError) return defect(`unusable CBOR: ${error.message}`);
      throw error;
    }
    at = after;
  }
  return { kind: 'values', texts };
}

/** Reads items that were scanned, which bounds its recursion. */
class ItemReader {
  readonly #scanner: CborScanner;
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(scanner: CborScanner, bytes: Uint8Array) {
    this.#scanner = scanner;
    this.#bytes = bytes;
  }

  read(at: number): JsonTree {
    this.#position = at;
    return this.#next();
  }

  #next(): JsonTree {
    const scanner = this.#scanner;
    this.#position = scanner.head(this.#position);
    const magnitude = (BigInt(scanner.high) << 32n) | BigInt(scanner.low);
    switch (scanner.major) {
      case MAJOR.unsigned:
        return magnitude;
      case MAJOR.negative:
        return -1n - magnitude;
      case MAJOR.bytes:
        return printBase64(this.#content());
      case MAJOR.text: {
        const text = this.#content();
        return decodeText(text, 0, text.length);
      }
      case MAJOR.array:
        return this.#repeat(() => this.#next());
      case MAJOR.map:
        return Object.fromEntries(
          this.#repeat(() => [this.#next() as string, this.#next()] as const),
        );
      default:
        return this.#simple();
    }
  }

  #simple(): JsonTree {
    const { detail, high, low } = this.#scanner;
    if (detail === 25) return readHalf(low);
    if (detail === 26) return readSingleBits(low);
    if (detail === 27) return readDoubleBits(high, low);
    return detail >= 22 ? null : detail === 21;
  }

  /** Content of the string whose head was read, its chunks joined. */
  #content(): Uint8Array {
    const isChunked = this.#scanner.detail === INDEFINITE;
    if (!isChunked) return this.#take();
    const chunks: Uint8Array[] = [];
    while (this.#bytes[this.#position] !== BREAK) {
      this.#position = this.#scanner.head(this.#position);
      chunks.push(this.#take());
    }
    this.#position += 1;
    return joinBytes(chunks);
  }

  #take(): Uint8Array {
    const end = this.#position + this.#scanner.argument;
    const part = this.#bytes.subarray(this.#position, end);
    this.#position = end;
    return part;
  }

  #repeat<T>(read: () => T): T[] {
    const isOpen = this.#scanner.detail === INDEFINITE;
    const count = isOpen ? Number.POSITIVE_INFINITY : this.#scanner.argument;
    const parts: T[] = [];
    while (parts.length < count && !(isOpen && this.#bytes[this.#position] === BREAK)) {
      parts.push(read());
    }
    if (isOpen) this.#position += 1;
    return parts;
  }
}

function item(tree: JsonTree): Uint8Array<ArrayBuffer> | string {
  const out = new CborOutput();
  const reason = writeItem(tree, out);
  return reason ?? out.take();
}

const U64_MAX = 2n ** 64n - 1n;

function writeItem(tree: JsonTree, out: CborOutput): string | undefined {
  if (tree === null) out.byte(0xf6);
  else if (typeof tree === 'boolean') out.byte(tree ? 0xf5 : 0xf4);
  else if (typeof tree === 'number') out.float(tree);
  else if (typeof tree === 'string') writeText(tree, out);
  else if (typeof tree === 'bigint') {
    if (tree <= U64_MAX && tree >= -1n - U64_MAX) out.integer(tree);
    else if (isFloatText(tree)) out.float(Number(tree));
    else return 'CBOR cannot hold an integer over 64 bits';
  } else return writeContainer(tree, out);
  return undefined;
}

function writeContainer(
  tree: readonly JsonTree[] | { readonly [member: string]: JsonTree },
  out: CborOutput,
): string | undefined {
  const isArray = Array.isArray(tree);
  const parts = Object.entries(tree);
  out.head(isArray ? MAJOR.array : MAJOR.map, parts.length);
  for (const [name, part] of parts) {
    if (!isArray) writeText(name, out);
    const reason = writeItem(part, out);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function writeText(text: string, out: CborOutput): void {
  const bytes = encodeText(text);
  out.head(MAJOR.text, bytes.length);
  out.raw(bytes);
}
