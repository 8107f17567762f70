import { type AlterableKind, statementWords } from '@nervix/model';
import type { IToken, TokenType } from 'chevrotain';
import { OPERATION_HEADS } from '../names.js';
import { Dot, indexOf, keyword, LeftParen } from '../tokens.js';

const ALTER = indexOf(keyword('ALTER'));
const FORMAT = indexOf(keyword('FORMAT'));
const LEFT_PAREN = indexOf(LeftParen);
const DOT = indexOf(Dot);

function indexesOf(types: readonly TokenType[]): ReadonlySet<number> {
  return new Set(types.map(indexOf));
}

/** Statements that hold another one. */
const OUTER_HEADS = indexesOf(['PLAN', 'EXPLAIN'].map(keyword));
const HEADS = indexesOf(Array.from(OPERATION_HEADS, (word) => keyword(word.toUpperCase())));

/** Whether the operations on a kind may hold lists that nothing closes. */
const HAS_OPEN_LISTS: Readonly<Record<AlterableKind, boolean>> = {
  relay: true,
  junction: true,
  deduplicator: true,
  reorderer: true,
  reingestor: true,
  generator: true,
  ingestor: true,
  emitter: true,
  placement: true,
  schema: false,
  wire_json_schema: false,
  wire_cbor_schema: false,
  wire_avro_schema: false,
};
const ALTERABLE_KINDS = Object.keys(HAS_OPEN_LISTS) as AlterableKind[];

/** Words of the kinds whose operations a comma and a head word part. */
const SEPARATED_KINDS = indexesOf(
  ALTERABLE_KINDS.filter((kind) => HAS_OPEN_LISTS[kind]).map((kind) =>
    keyword(statementWords(kind)),
  ),
);

/**
 * Whether the tokens are an ALTER whose operations are told apart by the word behind the comma, be
 * it by itself or inside PLAN or EXPLAIN.
 */
export function hasSeparatedOperations(tokens: readonly IToken[]): boolean {
  let head = 0;
  if (isIn(OUTER_HEADS, tokens[0])) head = tokens[1]?.tokenTypeIdx === FORMAT ? 3 : 1;
  return tokens[head]?.tokenTypeIdx === ALTER && isIn(SEPARATED_KINDS, tokens[head + 1]);
}

/** Whether the two tokens behind a comma begin an operation of ALTER, not an item of a list. */
export function isOperationHead(head: IToken, next: IToken): boolean {
  const { tokenTypeIdx } = next;
  return isIn(HEADS, head) && tokenTypeIdx !== LEFT_PAREN && tokenTypeIdx !== DOT;
}

function isIn(indexes: ReadonlySet<number>, token: IToken | undefined): boolean {
  return token !== undefined && indexes.has(token.tokenTypeIdx);
}
