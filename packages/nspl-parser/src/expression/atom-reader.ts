import {
  type CaseArm,
  type Expression,
  type FieldScope,
  printJsonPath,
  readJsonPath,
} from '@nervix/model';
import { cutText } from '../diagnostics.js';
import { refuse, refuseToken } from '../failure.js';
import { RESERVED_IN_EXPRESSIONS } from '../names.js';
import * as tokens from '../tokens.js';
import { indexOf, isWord, keyword, stringValue } from '../tokens.js';
import type { TokenCursor } from './token-cursor.js';
import { readCastType, readDeclaredType } from './type-reader.js';

/** What reading an atom needs of the expression reader. */
export interface AtomReading extends TokenCursor {
  expression(): Expression;
  tryCastOperand(): Expression;
  caseRest(first: number): Expression;
}

const INTEGER_MAX = '9223372036854775807';

const SCOPES: ReadonlyMap<string, FieldScope> = new Map(
  (
    [
      'message',
      'input',
      'output',
      'branch',
      'left',
      'right',
      'metadata',
      'partial_output',
      'error',
    ] as const
  ).map((scope) => [scope, scope]),
);

const DOT = indexOf(tokens.Dot);
const LEFT_PAREN = indexOf(tokens.LeftParen);
const AS = indexOf(keyword('AS'));

const ATOMS: (((reader: AtomReading, first: number) => Expression) | undefined)[] = [];
ATOMS[indexOf(tokens.NumberToken)] = readNumber;
ATOMS[indexOf(tokens.StringToken)] = (reader, first) => {
  const value = stringValue(reader.next());
  return reader.close({ kind: 'string', value }, first);
};
ATOMS[indexOf(tokens.LeftBracket)] = readList;
ATOMS[indexOf(tokens.LeftParen)] = readGroup;
ATOMS[indexOf(tokens.QuotedName)] = readName;
ATOMS[indexOf(keyword('TRUE'))] = (reader, first) => readBoolean(reader, first, true);
ATOMS[indexOf(keyword('FALSE'))] = (reader, first) => readBoolean(reader, first, false);
ATOMS[indexOf(keyword('NULL'))] = (reader, first) => {
  reader.position += 1;
  return reader.close({ kind: 'null' }, first);
};
ATOMS[indexOf(keyword('UDF'))] = readUdfCall;
ATOMS[indexOf(keyword('IF'))] = readIf;
ATOMS[indexOf(keyword('CASE'))] = (reader, first) => {
  reader.descend(first);
  reader.position += 1;
  const expression = reader.caseRest(first);
  reader.ascend();
  return expression;
};
ATOMS[indexOf(keyword('TRY_CAST'))] = readTryCast;
ATOMS[indexOf(keyword('JSON_VALUE'))] = readJsonValue;
ATOMS[indexOf(keyword('TRY_JSON_VALUE'))] = readJsonValue;
ATOMS[indexOf(keyword('JSON_EXISTS'))] = readJsonExists;

/** Reads an operand without its operators. */
export function readAtom(reader: AtomReading): Expression {
  const first = reader.position;
  const token = reader.peek();
  const read = ATOMS[token.tokenTypeIdx];
  if (read !== undefined) return read(reader, first);
  if (!isWord(token)) return refuseToken(first, ['expression']);
  if (reader.peek(1).tokenTypeIdx !== DOT) return readName(reader, first);
  return readPath(reader, first);
}

function readNumber(reader: AtomReading, first: number): Expression {
  const raw = reader.next().image;
  if (/[eE]/u.test(raw)) {
    const message =
      `number literal '${cutText(raw)}' has an exponent, which an expression does not read; ` +
      `write '${cutText(raw)}' AS F64`;
    refuse(message, first);
  }
  if (!raw.includes('.')) {
    const isTooLarge =
      raw.length > INTEGER_MAX.length || (raw.length === INTEGER_MAX.length && raw > INTEGER_MAX);
    if (isTooLarge) {
      refuse(
        `invalid integer literal '${cutText(raw)}': number too large to fit in target type`,
        first,
      );
    }
    return reader.close({ kind: 'integer', digits: raw }, first);
  }
  const value = Number(raw);
  if (!Number.isFinite(value)) {
    refuse(
      `invalid float literal '${cutText(raw)}': number too large to fit in target type`,
      first,
    );
  }
  return reader.close({ kind: 'float', value }, first);
}

function readBoolean(reader: AtomReading, first: number, value: boolean): Expression {
  reader.position += 1;
  return reader.close({ kind: 'boolean', value }, first);
}

function readGroup(reader: AtomReading, first: number): Expression {
  reader.descend(first);
  reader.position += 1;
  const expression = reader.expression();
  reader.expect(tokens.RightParen);
  reader.ascend();
  return expression;
}

function readList(reader: AtomReading, first: number): Expression {
  reader.descend(first);
  reader.position += 1;
  if (reader.isAt(indexOf(tokens.RightBracket))) refuseToken(reader.position, ['expression']);
  const elements = reader.listUntil(tokens.RightBracket, reader.expression);
  reader.ascend();
  return reader.close({ kind: 'list', elements }, first);
}

/** Arguments in parentheses, the opening one included; a comma may follow the last. */
export function readArguments(reader: AtomReading): readonly Expression[] {
  const opener = reader.position;
  reader.expect(tokens.LeftParen);
  reader.descend(opener);
  const elements = reader.listUntil(tokens.RightParen, reader.expression);
  reader.ascend();
  return elements;
}

function readName(reader: AtomReading, first: number): Expression {
  const token = reader.peek();
  if (isWord(token) && RESERVED_IN_EXPRESSIONS.has(token.image.toLowerCase())) {
    refuseToken(first, ['expression']);
  }
  const name = reader.fieldName();
  if (!reader.isAt(LEFT_PAREN)) return reader.close({ kind: 'field', scope: null, name }, first);
  return reader.close({ kind: 'call', name, arguments: readArguments(reader) }, first);
}

function readUdfCall(reader: AtomReading, first: number): Expression {
  reader.position += 1;
  reader.expect(tokens.DoubleColon);
  const token = reader.peek();
  const name = reader.qualifiedName();
  reader.spans.noteName('ref:udf', token);
  return reader.close({ kind: 'udf_call', name, arguments: readArguments(reader) }, first);
}

/** A qualified field; the word and the dot after it are known to stand here. */
function readPath(reader: AtomReading, first: number): Expression {
  const raw = reader.peek().image;
  const qualifier = raw.toLowerCase();
  if (RESERVED_IN_EXPRESSIONS.has(qualifier)) refuseToken(first, ['expression']);
  reader.position += 2;
  const qualified = reader.peek();
  const name = reader.qualifiedName();
  if (qualifier === 'relay_state') reader.spans.noteName('ref:relay', qualified);
  const third = reader.accept(DOT) ? reader.qualifiedName() : undefined;
  const last = reader.position - 1;
  if (qualifier === 'relay_state') {
    if (third === undefined) {
      return refuse('relay_state references require relay_state.<relay>.<field>', first, last);
    }
    return reader.close({ kind: 'relay_state', relay: name, name: third }, first);
  }
  if (third !== undefined) {
    const message = 'only relay_state.<relay>.<field> may contain three field path segments';
    return refuse(message, first, last);
  }
  const scope = SCOPES.get(qualifier);
  if (scope === undefined) {
    const message = `'${cutText(raw)}' is not an expression scope; relay names cannot qualify fields`;
    return refuse(message, first, last);
  }
  return reader.close({ kind: 'field', scope, name }, first);
}

function readIf(reader: AtomReading, first: number): Expression {
  reader.descend(first);
  reader.position += 1;
  const when = reader.expression();
  reader.expect(keyword('THEN'));
  const then = reader.expression();
  const arm: CaseArm = reader.close({ when, then }, first + 1);
  reader.expect(keyword('ELSE'));
  const otherwise = reader.expression();
  reader.expect(keyword('END'));
  reader.ascend();
  const arms = Object.freeze([arm]);
  return reader.close({ kind: 'case', form: 'if', operand: null, arms, otherwise }, first);
}

function readTryCast(reader: AtomReading, first: number): Expression {
  reader.descend(first);
  reader.position += 1;
  reader.expect(tokens.LeftParen);
  const operand = reader.tryCastOperand();
  if (!reader.accept(AS)) {
    // What was read as a conversion of the operand would be that of TRY_CAST before a parenthesis.
    const isConverted = reader.peek(-2).tokenTypeIdx === AS;
    refuseToken(reader.position, isConverted ? ['AS', ')'] : ['AS']);
  }
  const target = readCastType(reader);
  reader.expect(tokens.RightParen);
  reader.ascend();
  return reader.close({ kind: 'cast', isTry: true, operand, target }, first);
}

/** `( document , 'path'`: what the JSON readers have in common. */
function readDocumentAndPath(reader: AtomReading): { document: Expression; path: string } {
  reader.expect(tokens.LeftParen);
  const document = reader.expression();
  reader.expect(tokens.Comma);
  if (!reader.isAt(indexOf(tokens.StringToken))) refuseToken(reader.position, ['json_path']);
  const written = stringValue(reader.next());
  const path = readJsonPath(written);
  if (path.kind === 'defect') {
    refuse(`invalid JSON path '${cutText(written)}': ${path.defect}`, reader.position - 1);
  }
  return { document, path: printJsonPath(path.steps) };
}

function readJsonValue(reader: AtomReading, first: number): Expression {
  reader.descend(first);
  const word = reader.next().image.toUpperCase();
  const { document, path } = readDocumentAndPath(reader);
  reader.expect(keyword('AS'));
  const target = readDeclaredType(reader);
  reader.expect(tokens.RightParen);
  reader.ascend();
  const name = word === 'JSON_VALUE' ? 'JSON_VALUE' : 'TRY_JSON_VALUE';
  return reader.close({ kind: 'json_read', function: name, document, path, target }, first);
}

function readJsonExists(reader: AtomReading, first: number): Expression {
  reader.descend(first);
  reader.position += 1;
  const { document, path } = readDocumentAndPath(reader);
  reader.expect(tokens.RightParen);
  reader.ascend();
  return reader.close({ kind: 'json_exists', document, path }, first);
}
