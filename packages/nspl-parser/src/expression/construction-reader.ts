import type {
  Assignment,
  AssignmentTarget,
  Expression,
  Inherit,
  InheritedField,
  Invocation,
} from '@nervix/model';
import { refuse, refuseToken } from '../failure.js';
import { Dot, Equals, indexOf, isWord, keyword } from '../tokens.js';
import { readArguments } from './atom-reader.js';
import type { ExpressionReader } from './expression-reader.js';

const DOT = indexOf(Dot);
const ALL = indexOf(keyword('ALL'));
const EXCEPT = indexOf(keyword('EXCEPT'));
const LEAK = indexOf(keyword('LEAK'));

const TARGET_SCOPES: ReadonlyMap<string, NonNullable<AssignmentTarget['scope']>> = new Map(
  (['message', 'output', 'branch'] as const).map((scope) => [scope, scope]),
);

/** One or more expressions. */
export function readExpressions(reader: ExpressionReader): readonly Expression[] {
  return reader.commaList(reader.expression);
}

/** One or more assignments, without the word before them. */
export function readAssignments(reader: ExpressionReader): readonly Assignment[] {
  return reader.commaList(() => {
    const first = reader.position;
    const target = readTarget(reader);
    reader.expect(Equals);
    const value = reader.expression();
    return reader.close({ target, value }, first);
  });
}

function readTarget(reader: ExpressionReader): AssignmentTarget {
  const first = reader.position;
  const token = reader.peek();
  if (!isWord(token) || reader.peek(1).tokenTypeIdx !== DOT) {
    const field = reader.fieldName();
    return reader.close({ scope: null, field }, first);
  }
  if (!reader.isAtFieldName()) refuseToken(first, ['identifier']);
  const scope = TARGET_SCOPES.get(token.image.toLowerCase());
  reader.position += 2;
  const field = reader.qualifiedName();
  while (reader.accept(DOT)) {
    reader.qualifiedName();
    refuseTarget(first, reader.position - 1);
  }
  if (scope === undefined) return refuseTarget(first, reader.position - 1);
  return reader.close({ scope, field }, first);
}

function refuseTarget(first: number, last: number): never {
  const message = 'SET targets must be bare, message.<field>, output.<field>, or branch.<field>';
  return refuse(message, first, last);
}

/** What follows INHERIT. */
export function readInherit(reader: ExpressionReader): Inherit {
  const first = reader.position;
  if (reader.accept(ALL)) {
    const except = reader.accept(EXCEPT) ? readExcept(reader) : Object.freeze([]);
    return reader.close({ kind: 'all', except }, first);
  }
  const seen = new Set<string>();
  const fields = reader.commaList((): InheritedField => {
    const fieldFirst = reader.position;
    const name = readDistinctName(reader, seen);
    const leakSensitive = reader.accept(LEAK);
    if (leakSensitive) reader.expect(keyword('SENSITIVE'));
    return reader.close({ name, leakSensitive }, fieldFirst);
  });
  return reader.close({ kind: 'fields', fields }, first);
}

function readExcept(reader: ExpressionReader): readonly string[] {
  const seen = new Set<string>();
  return reader.commaList(() => readDistinctName(reader, seen));
}

function readDistinctName(reader: ExpressionReader, seen: Set<string>): string {
  const name = reader.fieldName();
  if (seen.has(name)) refuse(`duplicate field '${name}'`, reader.position - 1);
  seen.add(name);
  return name;
}

/** What follows INVOKE. */
export function readInvocations(reader: ExpressionReader): readonly Invocation[] {
  return reader.commaList(() => {
    const first = reader.position;
    const name = reader.fieldName();
    return reader.close({ function: name, arguments: readArguments(reader) }, first);
  });
}
