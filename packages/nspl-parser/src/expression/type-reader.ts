import type { DataType, ScalarType } from '@nervix/model';
import { cutText } from '../diagnostics.js';
import { refuse, refuseToken } from '../failure.js';
import { Comma, Greater, indexOf, isWord, Less, NumberToken } from '../tokens.js';
import type { TokenCursor } from './token-cursor.js';

const CAST_TYPES: ReadonlyMap<string, ScalarType> = new Map<string, ScalarType>([
  ...(['U8', 'I8', 'U16', 'I16', 'U32', 'I32', 'U64', 'I64'] as const).flatMap(
    (type): [string, ScalarType][] => [
      [type, type],
      [`${type[0]}INT${type.slice(1)}`.replace('IINT', 'INT'), type],
    ],
  ),
  ['BOOL', 'BOOL'],
  ['BOOLEAN', 'BOOL'],
  ['STRING', 'STRING'],
  ['UTF8', 'STRING'],
  ['BYTES', 'BYTES'],
  ['DATETIME', 'DATETIME'],
  ['F32', 'F32'],
  ['FLOAT32', 'F32'],
  ['F64', 'F64'],
  ['FLOAT64', 'F64'],
]);

const ARRAY_LENGTH_MAX = 2147483647;
const COMMA = indexOf(Comma);

/** The type after AS: a scalar type or one of its aliases, in any case. */
export function readCastType(cursor: TokenCursor): ScalarType {
  const token = cursor.peek();
  if (!isWord(token)) refuseToken(cursor.position, ['identifier']);
  const type = CAST_TYPES.get(token.image.toUpperCase());
  if (type === undefined) refuse(`unsupported type '${cutText(token.image)}'`, cursor.position);
  cursor.position += 1;
  return type;
}

/** A cast type or a list of such; the outermost array length stands first. */
export function readDeclaredType(cursor: TokenCursor): DataType {
  const first = cursor.position;
  const word = cursor.peek().image.toUpperCase();
  if (word !== 'VEC' && word !== 'ARRAY') return readCastType(cursor);
  cursor.descend(first);
  cursor.position += 1;
  cursor.expect(Less);
  const element = readDeclaredType(cursor);
  let type: DataType;
  if (word === 'VEC') type = Object.freeze({ kind: 'vec', element });
  else {
    const lengths: number[] = [];
    do {
      cursor.expect(Comma);
      const length = cursor.expect(NumberToken);
      lengths.push(arrayLength(length.image, cursor.position - 1));
    } while (cursor.isAt(COMMA));
    type = nestedArray(element, lengths);
  }
  cursor.expect(Greater);
  cursor.ascend();
  return type;
}

/** An array type of several lengths, the outermost first. */
export function nestedArray(element: DataType, lengths: readonly number[]): DataType {
  return lengths.reduceRight<DataType>(
    (inner, length) => Object.freeze({ kind: 'array', element: inner, length }),
    element,
  );
}

/** Value of an array length. */
export function arrayLength(raw: string, position: number): number {
  if (!/^[0-9]+$/u.test(raw) || raw === '0') {
    refuse('array length must be a positive unsigned integer', position);
  }
  const length = Number(raw);
  if (length > ARRAY_LENGTH_MAX) {
    refuse(`array length must not exceed ${ARRAY_LENGTH_MAX}`, position);
  }
  return length;
}
