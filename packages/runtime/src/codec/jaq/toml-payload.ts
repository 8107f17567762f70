import { parse, stringify, TomlError } from 'smol-toml';
import { decodeText, encodeText } from '../../column/text.js';
import { invalidUtf8At } from '../utf8.js';
import type { JaqPayload, JaqValues } from './jaq-payload.js';
import { type JsonTree, parseTree, printTree, UnrepresentableError } from './json-tree.js';

const I64_MAX = 2n ** 63n - 1n;

/** One TOML document; dates and times are text in it. */
export const TOML_PAYLOAD: JaqPayload = {
  read: readDocument,
  write: (json) => printToml(parseTree(json)),
  writeAll: (texts) => printToml({ batch: parseTree(`[${texts.join(',')}]`) }),
};

function readDocument(bytes: Uint8Array, start: number, end: number): JaqValues {
  const defect = (cause: string): JaqValues => ({ kind: 'defect', cause, input: 0 });
  if (invalidUtf8At(bytes, start, end) >= 0) return defect('malformed TOML: invalid UTF-8');
  try {
    const table = parse(decodeText(bytes, start, end), { integersAsBigInt: true });
    return { kind: 'values', texts: [printTree(table)] };
  } catch (error) {
    if (error instanceof TomlError) return defect('malformed TOML');
    if (error instanceof UnrepresentableError) return defect(`unusable TOML: ${error.message}`);
    throw error;
  }
}

function printToml(tree: JsonTree): Uint8Array<ArrayBuffer> | string {
  const reason = tableDefect(tree);
  if (reason !== undefined) return `TOML cannot hold ${reason}`;
  return encodeText(stringify(tree as Record<string, unknown>).trimEnd());
}

function tableDefect(tree: JsonTree): string | undefined {
  const isTable = typeof tree === 'object' && tree !== null && !Array.isArray(tree);
  return isTable ? valueDefect(tree) : 'a value that is no table';
}

function valueDefect(tree: JsonTree): string | undefined {
  if (tree === null) return 'null';
  if (typeof tree === 'bigint') {
    return tree > I64_MAX || tree < -I64_MAX - 1n ? 'an integer over 64 bits' : undefined;
  }
  if (typeof tree !== 'object') return undefined;
  for (const part of Object.values(tree)) {
    const defect = valueDefect(part);
    if (defect !== undefined) return defect;
  }
  return undefined;
}
