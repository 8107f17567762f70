import { type SaxesAttributeNS, SaxesParser } from 'saxes';
import { decodeText, encodeText } from '../../column/text.js';
import { invalidUtf8At } from '../utf8.js';
import type { JaqPayload, JaqValues } from './jaq-payload.js';
import { type JsonTree, parseTree, printTree, TREE_DEPTH_MAX } from './json-tree.js';

/** An element as programs see it; attributes and children are left out when there are none. */
interface XmlElement {
  readonly t: string;
  a?: Record<string, string>;
  c?: (XmlElement | string)[];
}

/** The root element of a document of XML 1.0. Comments, instructions and the document type are dropped. */
export const XML_PAYLOAD: JaqPayload = {
  read: readDocument,
  write: (json) => printDocument(parseTree(json)),
  writeAll: (texts) => printDocument({ t: 'batch', c: parseTree(`[${texts.join(',')}]`) }),
};

const BLANK = /^[ \t\r\n]*$/;

function readDocument(bytes: Uint8Array, start: number, end: number): JaqValues {
  const defect = (cause: string): JaqValues => ({ kind: 'defect', cause, input: 0 });
  if (invalidUtf8At(bytes, start, end) >= 0) return defect('malformed XML: invalid UTF-8');
  const text = decodeText(bytes, start, end);
  // One mark was removed; a second one is data, which no document begins with.
  if (text.startsWith('\ufeff')) return defect('malformed XML');
  if (BLANK.test(text)) return { kind: 'values', texts: [] };
  const root = readRoot(text);
  if (root === undefined) return defect('malformed XML');
  if (root === 'deep') return defect(`unusable XML: nesting deeper than ${TREE_DEPTH_MAX / 2}`);
  return { kind: 'values', texts: [printTree(root)] };
}

/** Thrown to leave the parser, which has no other way out. */
class Defect extends Error {}

function readRoot(text: string): XmlElement | 'deep' | undefined {
  const parser = new SaxesParser({ fragment: false });
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  let isDeep = false;
  const add = (child: XmlElement | string): void => {
    const parent = open.at(-1);
    if (parent === undefined) return;
    parent.c ??= [];
    const last = parent.c.at(-1);
    if (typeof child === 'string' && typeof last === 'string')
      parent.c[parent.c.length - 1] = last + child;
    else parent.c.push(child);
  };
  parser.on('error', (error) => {
    throw new Defect(error.message);
  });
  parser.on('opentag', ({ name, attributes }) => {
    const entries = Object.entries(attributes as Record<string, string | SaxesAttributeNS>);
    const element: XmlElement = { t: name };
    if (entries.length > 0) {
      element.a = Object.fromEntries(entries.map(([key, value]) => [key, String(value)]));
    }
    add(element);
    root ??= element;
    open.push(element);
    // Each element nests two values: itself and its children.
    if (open.length * 2 > TREE_DEPTH_MAX) {
      isDeep = true;
      throw new Defect('deep');
    }
  });
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    open.pop();
  });
  try {
    parser.write(text).close();
  } catch (error) {
    if (error instanceof Defect) return isDeep ? 'deep' : undefined;
    throw error;
  }
  return root;
}

/** Characters that names of XML 1.0 begin with, without those above U+1FFF. */
const NAME_START =
  ':A-Z_a-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff';
const NAME = new RegExp(`^[${NAME_START}][-.0-9\\u00b7\\u0300-\\u036f${NAME_START}]*$`);
/** Characters that no document can hold, escaped or not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones refused.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

function printDocument(tree: JsonTree): Uint8Array<ArrayBuffer> | string {
  const out: string[] = [];
  const reason = printElement(tree, out);
  return reason === undefined ? encodeText(out.join('')) : `XML cannot hold ${reason}`;
}

function printElement(tree: JsonTree, out: string[]): string | undefined {
  if (tree === null || typeof tree !== 'object' || Array.isArray(tree)) {
    return 'a value that is no element';
  }
  const { t, a = {}, c = [], ...rest } = tree as Readonly<Record<string, JsonTree>>;
  if (typeof t !== 'string' || !NAME.test(t)) return 'an element without a name';
  if (Object.keys(rest).length > 0) return 'an element with other members than t, a and c';
  if (a === null || typeof a !== 'object' || Array.isArray(a))
    return 'attributes that are no object';
  out.push('<', t);
  for (const [name, value] of Object.entries(a)) {
    if (!NAME.test(name)) return 'an attribute without a name';
    if (typeof value !== 'string') return 'an attribute that is no text';
    if (FORBIDDEN.test(value)) return 'a control character';
    out.push(' ', name, '="', escapeAttribute(value), '"');
  }
  if (!Array.isArray(c)) return 'children that are no array';
  if (c.length === 0) {
    out.push('/>');
    return undefined;
  }
  out.push('>');
  for (const child of c as readonly JsonTree[]) {
    const reason = typeof child === 'string' ? printText(child, out) : printElement(child, out);
    if (reason !== undefined) return reason;
  }
  out.push('</', t, '>');
  return undefined;
}

function printText(text: string, out: string[]): string | undefined {
  if (FORBIDDEN.test(text)) return 'a control character';
  out.push(escapeText(text));
  return undefined;
}

/** A carriage return is written as a reference, for parsers read it as a line feed else. */
function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}

/** In attributes every white space but the blank is read as a blank. */
function escapeAttribute(text: string): string {
  return escapeText(text)
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;');
}
