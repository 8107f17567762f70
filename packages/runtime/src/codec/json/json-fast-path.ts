import {
  type DataType,
  integerRange,
  isIntegerType,
  readDatetimeInto,
  type SchemaPlan,
} from '@nervix/model';
import type { BatchBuilder } from '../../batch/batch-builder.js';
import { readBase64Into } from '../../column/base64.js';
import { EXACT_POWERS, numberTokenEnd, readFloatToken, readInteger64Into } from './json-number.js';
import { JsonScanner } from './json-scanner.js';
import { JsonTextReader, TEXT_STOPS } from './json-text.js';
import { PlainTextCopier } from './plain-text.js';

/**
 * Decodes one compact record whose members come in the expected order as the builder's next row, and
 * answers the position behind its brace; or answers -1 and leaves the builder's rows as they were,
 * for the general decoder to judge. Only undeclared members may reach over a line feed.
 */
export type JsonFastPath = (
  bytes: Uint8Array,
  start: number,
  end: number,
  into: BatchBuilder,
) => number;

/** Text up to this length is copied in place, longer text by words. */
const SHORT_TEXT = 16;

/** Fields beyond this many would make a function too large for the optimising compiler. */
const FAST_FIELDS_MAX = 48;

/**
 * Generates the scanner of a schema: straight-line code that compares the names as bytes and writes
 * values into the builder's buffers. Names enter the code only as numbers.
 *
 * @param order the members in the order in which payloads have them: positions of declared fields,
 *   each once, and names of undeclared members to skip
 * @returns undefined when the schema has list fields or too many fields for it
 */
export function compileJsonFastPath(
  schema: SchemaPlan,
  order: readonly (number | string)[] = schema.fields.map((_, index) => index),
): JsonFastPath | undefined {
  const { fields } = schema;
  if (fields.length === 0 || order.length > FAST_FIELDS_MAX) return undefined;
  if (fields.some((field) => typeof field.type !== 'string')) return undefined;
  const source = [
    "'use strict';",
    'let owner = null, source = null, w = null;',
    ...fields.map((_, index) => `let C${index} = null;`),
    'return function decodeFast(b, p, e, into) {',
    'if (into !== owner) {',
    ...fields.map((_, index) => `C${index} = into.columns[${index}];`),
    'owner = into;',
    '}',
    'if (b !== source) {',
    'source = b;',
    'w = new DataView(b.buffer, b.byteOffset, b.byteLength);',
    '}',
    'const row = into.rowCount;',
    'if (row >= into.capacity) into.reserveRow();',
    'let c = 0, s = 0, v = 0, n = 0, k = 0, more = true, neg = false;',
    'if (b[p] !== 123) return -1;',
    'p++;',
    'if (b[p] === 32) p++;',
    ...order.flatMap((member) =>
      typeof member === 'string' ? skippedCode(member) : fieldCode(schema, member),
    ),
    'if (more || p > e) return -1;',
    'into.rowCount = row + 1;',
    'return p;',
    '};',
  ].join('\n');
  const support = {
    stops: TEXT_STOPS,
    powers: EXACT_POWERS,
    text: new JsonTextReader(),
    plain: new PlainTextCopier(true),
    skip: skipValue,
    readInteger64Into,
    readFloat,
    readDatetimeInto,
    readBase64Into,
    numberTokenEnd,
  };
  const names = Object.keys(support);
  const make = new Function(...names, source) as (...values: unknown[]) => JsonFastPath;
  return make(...Object.values(support));
}

const scanner = new JsonScanner();

/** Position behind an undeclared member's value, or -1 when it is for the general decoder. */
export function skipValue(bytes: Uint8Array, at: number, end: number): number {
  scanner.open(bytes, end);
  const after = scanner.value(at, 1);
  return scanner.hugeNumberAt < 0 ? after : -1;
}

/** Nearest float of a number token that the short form does not cover, or NaN when it is none. */
export function readFloat(
  bytes: Uint8Array,
  start: number,
  end: number,
  isSingle: boolean,
): number {
  const sign = bytes[start] === 0x2d ? 1 : 0;
  const hasLeadingZero = bytes[start + sign] === 0x30;
  const second = bytes[start + sign + 1] as number;
  if (hasLeadingZero && second >= 48 && second <= 57) return Number.NaN;
  for (let index = start; index < end; index += 1) {
    const previous = bytes[index - 1] as number;
    const next = bytes[index + 1] as number;
    const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;
    if (bytes[index] === 0x2e && !(isDigit(previous) && isDigit(next) && index + 1 < end)) {
      return Number.NaN;
    }
  }
  const value = readFloatToken(bytes, start, end, isSingle);
  return Number.isFinite(value) ? value : Number.NaN;
}

/**
 * Condition that the quoted name and its colon stand at `p`, and the length of both. They are compared
 * as words of four bytes, of which the last two may overlap.
 */
function nameTest(name: string): { readonly test: string; readonly length: number } {
  const bytes = new TextEncoder().encode(`${JSON.stringify(name)}:`);
  const { length } = bytes;
  const tests = [`p + ${length} <= e`];
  const words = new DataView(bytes.buffer, bytes.byteOffset, length);
  for (let at = 0; at + 4 <= length; at += 4) tests.push(wordTest(words, at));
  if (length < 4) tests.push(...Array.from(bytes, (byte, at) => `b[p + ${at}] === ${byte}`));
  else if (length % 4 !== 0) tests.push(wordTest(words, length - 4));
  return { test: tests.join(' && '), length };
}

function wordTest(words: DataView, at: number): string {
  return `w.getInt32(p + ${at}, true) === ${words.getInt32(at, true)}`;
}

/** Moves past what separates members, or the closing brace. */
const SEPARATOR = [
  'c = b[p++];',
  'if (c === 44) { if (b[p] === 32) p++; } else if (c === 125) more = false;',
  'else return -1;',
];

function skippedCode(name: string): string[] {
  const { test, length } = nameTest(name);
  return [
    `if (more && ${test}) {`,
    `p += ${length};`,
    'if (b[p] === 32) p++;',
    'p = skip(b, p, e);',
    'if (p < 0) return -1;',
    ...SEPARATOR,
    '}',
  ];
}

function fieldCode(schema: SchemaPlan, index: number): string[] {
  const field = schema.fields[index];
  if (field === undefined) return [];
  const { test, length } = nameTest(field.name);
  const body = [`p += ${length};`, 'if (b[p] === 32) p++;'];
  if (field.optional) {
    body.push(
      'if (b[p] === 110) {',
      'if (b[p + 1] !== 117 || b[p + 2] !== 108 || b[p + 3] !== 108) return -1;',
      'p += 4;',
      ...nullCode(field.type, index),
      '} else {',
      ...valueCode(field.type, index),
      `C${index}.validity[row >>> 3] |= 1 << (row & 7);`,
      '}',
    );
  } else {
    body.push(...valueCode(field.type, index));
  }
  body.push(...SEPARATOR);
  if (field.optional) {
    return [`if (more && ${test}) {`, ...body, '} else {', ...nullCode(field.type, index), '}'];
  }
  return [`if (!(more && ${test})) return -1;`, ...body];
}

function nullCode(type: DataType, index: number): string[] {
  const code = [`C${index}.validity[row >>> 3] &= ~(1 << (row & 7));`];
  if (type === 'STRING' || type === 'BYTES') {
    code.push(`C${index}.offsets[row + 1] = C${index}.offsets[row];`);
  } else if (type === 'BOOL') code.push(`C${index}.bits[row >>> 3] &= ~(1 << (row & 7));`);
  else if (type === 'I64' || type === 'U64' || type === 'DATETIME') {
    code.push(`C${index}.words[row * 2] = 0;`, `C${index}.words[row * 2 + 1] = 0;`);
  } else if (typeof type === 'string') code.push(`C${index}.values[row] = 0;`);
  return code;
}

function valueCode(type: DataType, index: number): string[] {
  const column = `C${index}`;
  if (type === 'STRING') return stringCode(column);
  if (type === 'BYTES') return bytesCode(column);
  if (type === 'BOOL') return booleanCode(column);
  if (type === 'DATETIME') return datetimeCode(column);
  if (type === 'I64' || type === 'U64') return wideCode(column, type === 'U64');
  if (isIntegerType(type)) {
    const { min, max } = integerRange(type);
    return [...integerCode(min < 0n), rangeTest(min, max), `${column}.values[row] = v;`];
  }
  return floatCode(column, type === 'F32');
}

function rangeTest(min: bigint, max: bigint): string {
  return `if (v > ${max} || v < ${min}) return -1;`;
}

/** Reads digits to `v`, at most 15 so that the double is exact. */
function integerCode(isSigned: boolean): string[] {
  return [
    'c = b[p];',
    ...(isSigned ? ['neg = c === 45; if (neg) c = b[++p];'] : []),
    'v = c - 48;',
    'if (!(v >= 0 && v <= 9)) return -1;',
    's = p++;',
    'if (v !== 0) { while ((c = b[p] - 48) >= 0 && c <= 9) { v = v * 10 + c; p++; } }',
    'if (p - s > 15) return -1;',
    ...(isSigned ? ['if (neg) v = -v;'] : []),
  ];
}

function wideCode(column: string, isUnsigned: boolean): string[] {
  return [
    's = p;',
    'c = b[p];',
    'neg = c === 45; if (neg) c = b[++p];',
    'v = c - 48;',
    'if (!(v >= 0 && v <= 9)) return -1;',
    'n = p++;',
    'if (v !== 0) { while ((c = b[p] - 48) >= 0 && c <= 9) { v = v * 10 + c; p++; } }',
    `if (p - n > 15${isUnsigned ? ' || neg' : ''}) {`,
    `p = readInteger64Into(b, s, ${column}.words, row * 2, ${isUnsigned});`,
    'if (p < 0) return -1;',
    '} else {',
    'if (neg) v = -v;',
    'n = Math.floor(v * 2.3283064365386963e-10);',
    `${column}.words[row * 2] = v - n * 4294967296;`,
    `${column}.words[row * 2 + 1] = n;`,
    '}',
  ];
}

/** Up to 15 digits with a fraction are one exact division; everything else reads the token. */
function floatCode(column: string, isSingle: boolean): string[] {
  return [
    's = p;',
    'neg = b[p] === 45; if (neg) p++;',
    'v = 0; n = p; k = 0;',
    'while ((c = b[p] - 48) >= 0 && c <= 9) { v = v * 10 + c; p++; }',
    'if (p === n || (b[n] === 48 && p !== n + 1)) return -1;',
    'if (b[p] === 46) {',
    'k = ++p;',
    'while ((c = b[p] - 48) >= 0 && c <= 9) { v = v * 10 + c; p++; }',
    'k = p - k;',
    'if (k === 0) return -1;',
    '}',
    'c = b[p];',
    isSingle ? 'if (k !== 0 || p - n > 7 || c === 101 || c === 69) {' : EXACT_TEST,
    'p = numberTokenEnd(b, s, e);',
    `v = readFloat(b, s, p, ${isSingle});`,
    'if (v !== v) return -1;',
    '} else { v = v / powers[k]; if (neg) v = -v; }',
    `${column}.values[row] = v;`,
  ];
}

const EXACT_TEST = 'if (p - n > 15 || c === 101 || c === 69) {';

function booleanCode(column: string): string[] {
  return [
    'c = b[p];',
    'if (c === 116 && b[p + 1] === 114 && b[p + 2] === 117 && b[p + 3] === 101) {',
    `p += 4; ${column}.bits[row >>> 3] |= 1 << (row & 7);`,
    '} else if (c === 102 && b[p + 1] === 97 && b[p + 2] === 108 && b[p + 3] === 115 &&',
    ' b[p + 4] === 101) {',
    `p += 5; ${column}.bits[row >>> 3] &= ~(1 << (row & 7));`,
    '} else return -1;',
  ];
}

function stringCode(column: string): string[] {
  return [
    'if (b[p] !== 34) return -1;',
    'p++;',
    `n = ${column}.offsets[row];`,
    `if (${column}.bytes.length - n < e - p) ${column}.ensureBytes(row, e - p);`,
    '{',
    `const d = ${column}.bytes;`,
    `s = p + ${SHORT_TEXT} < e ? p + ${SHORT_TEXT} : e;`,
    'while (p < s) { c = b[p]; if (stops[c] !== 0) break; d[n++] = c; p++; }',
    'if (p === s && p < e) {',
    's = plain.copy(b, p, e, d, n); n += s - p; p = s;',
    'while (p < e) { c = b[p]; if (stops[c] !== 0) break; d[n++] = c; p++; }',
    '}',
    'if (p < e && c === 34) p++;',
    'else {',
    'if (text.read(b, p, e, d, n) !== undefined) return -1;',
    'p = text.position; n = text.written;',
    '}',
    '}',
    `${column}.offsets[row + 1] = n;`,
  ];
}

/** A quoted run of plain text: its start in `s`, its closing quote at `p - 1`. */
const PLAIN_TEXT = [
  'if (b[p] !== 34) return -1;',
  's = ++p;',
  'while (p < e && stops[b[p]] === 0) p++;',
  'if (p >= e || b[p] !== 34) return -1;',
  'p++;',
];

function datetimeCode(column: string): string[] {
  return [
    ...PLAIN_TEXT,
    `if (!readDatetimeInto(b, s, p - 1, ${column}.words, row * 2)) return -1;`,
  ];
}

function bytesCode(column: string): string[] {
  return [
    ...PLAIN_TEXT,
    `${column}.ensureBytes(row, p - s);`,
    `k = ${column}.offsets[row];`,
    `n = readBase64Into(b, s, p - 1, ${column}.bytes, k);`,
    'if (n < 0) return -1;',
    `${column}.offsets[row + 1] = k + n;`,
  ];
}
