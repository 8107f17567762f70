import {
  assert,
  type JsonPathStep,
  readJsonPath,
  type TypedJsonExists,
  type TypedJsonRead,
} from '@nervix/model';
import type { Value } from '../column/column.js';
import { textBytes } from '../function/text-functions.js';
import { invalidArgument, RowFault } from '../program/row-fault.js';
import { jsonValue } from './json-conversion.js';
import { type JsonNode, jsonDepth, readJson } from './json-document.js';

const DOCUMENT_BYTES_MAX = 16_777_216;
const LEVELS_MAX = 128;

/** Makes the reader of a document for one `JSON_VALUE` or `TRY_JSON_VALUE`. */
export function jsonReader({ isTry, path, type }: TypedJsonRead): (document: string) => Value {
  const name = isTry ? 'TRY_JSON_VALUE' : 'JSON_VALUE';
  const steps = stepsOf(path);
  const read = (document: string): Value => {
    const node = lastAt(readDocument(document, name), steps);
    return node === undefined ? null : jsonValue(node, type, name, path);
  };
  return isTry ? (document) => nullForFault(() => read(document)) : read;
}

/** Makes the test of a document for one `JSON_EXISTS`. */
export function jsonTest({ path }: TypedJsonExists): (document: string) => boolean {
  const steps = stepsOf(path);
  return (document) => isAt(readDocument(document, 'JSON_EXISTS'), steps, 0);
}

function nullForFault(read: () => Value): Value {
  try {
    return read();
  } catch (fault) {
    if (fault instanceof RowFault) return null;
    throw fault;
  }
}

function stepsOf(path: string): readonly JsonPathStep[] {
  const result = readJsonPath(path);
  assert(result.kind === 'path', 'a typed program has valid JSON paths');
  return result.steps;
}

/** Size is checked first, then nesting, then syntax. */
function readDocument(document: string, name: string): JsonNode {
  const isLong = document.length > DOCUMENT_BYTES_MAX / 3;
  if (isLong && textBytes(document) > DOCUMENT_BYTES_MAX) {
    throw invalidArgument(`${name} document exceeds ${DOCUMENT_BYTES_MAX} bytes`);
  }
  if (jsonDepth(document) > LEVELS_MAX) {
    throw invalidArgument(`${name} document nests deeper than ${LEVELS_MAX} levels`);
  }
  const node = readJson(document);
  if (node === undefined) throw new RowFault('cast_failed', `${name} document is not valid JSON`);
  return node;
}

/** The value at a path, of members with one name the last; undefined where nothing is. */
function lastAt(root: JsonNode, steps: readonly JsonPathStep[]): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const step of steps) {
    if (node === undefined) return undefined;
    if (step.kind === 'index') {
      node = node.kind === 'array' ? node.elements[step.index] : undefined;
    } else {
      node =
        node.kind === 'object'
          ? node.members.findLast(({ name }) => name === step.name)?.value
          : undefined;
    }
  }
  return node;
}

/** Whether any member of the names leads to a value. */
function isAt(node: JsonNode, steps: readonly JsonPathStep[], from: number): boolean {
  const step = steps[from];
  if (step === undefined) return true;
  if (step.kind === 'index') {
    const element = node.kind === 'array' ? node.elements[step.index] : undefined;
    return element !== undefined && isAt(element, steps, from + 1);
  }
  if (node.kind !== 'object') return false;
  return node.members.some(({ name, value }) => name === step.name && isAt(value, steps, from + 1));
}
