import { stringify } from 'smol-toml';
import { encodeText } from '../../column/text.js';
import { sharedDocumentReader } from './document-reader.js';
import type { JaqPayload } from './jaq-payload.js';
import { isFloatText, type JsonTree, parseTree, UnrepresentableError } from './json-tree.js';

const I64_MAX = 2n ** 63n - 1n;

/** One TOML document; dates and times are text in it. */
export const TOML_PAYLOAD: JaqPayload = {
  read: (bytes, start, end) => sharedDocumentReader().read('TOML', bytes, start, end),
  write: (json) => printToml(parseTree(json)),
  writeAll: (texts) => printToml({ batch: parseTree(`[${texts.join(',')}]`) }),
};

/**
 * The float -0, of which the library loses the sign in every form that it takes for numbers. What it
 * takes for an instant it writes as the text that the instant gives.
 */
class NegativeZero extends Date {
  constructor() {
    super(0);
  }

  override toISOString(): string {
    return '-0.0';
  }
}

function printToml(tree: JsonTree): Uint8Array<ArrayBuffer> | string {
  if (typeof tree !== 'object' || tree === null || Array.isArray(tree)) {
    return 'TOML cannot hold a value that is no table';
  }
  try {
    const table = writable(tree) as Record<string, unknown>;
    return encodeText(stringify(table, { numbersAsFloat: true }).trimEnd());
  } catch (error) {
    if (error instanceof UnrepresentableError) return `TOML cannot hold ${error.message}`;
    throw error;
  }
}

/**
 * A value with the integers over 64 bits that are floats as such, and -0 with its sign.
 *
 * @throws UnrepresentableError for null and other integers over 64 bits
 */
function writable(tree: JsonTree): unknown {
  if (tree === null) throw new UnrepresentableError('null');
  if (typeof tree === 'bigint') return writableInteger(tree);
  if (Object.is(tree, -0)) return new NegativeZero();
  if (typeof tree !== 'object') return tree;
  if (Array.isArray(tree)) return tree.map(writable);
  return Object.fromEntries(Object.entries(tree).map(([name, part]) => [name, writable(part)]));
}

function writableInteger(integer: bigint): JsonTree {
  if (integer <= I64_MAX && integer >= -I64_MAX - 1n) return integer;
  if (isFloatText(integer)) return Number(integer);
  throw new UnrepresentableError('an integer over 64 bits');
}
