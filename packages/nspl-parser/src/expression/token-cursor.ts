import type { IToken, TokenType } from 'chevrotain';
import { refuse, refuseToken } from '../failure.js';
import { quotedNameOf, RESERVED_IN_EXPRESSIONS } from '../names.js';
import { NodeSpans } from '../spans.js';
import { Comma, END_TOKEN, indexOf, isWord, QuotedName } from '../tokens.js';
import { hasSeparatedOperations, isOperationHead } from './operation-separator.js';

/** Levels of brackets, IF/CASE, prefix operators and types that may enclose each other. */
export const NESTING_MAX = 256;
/** Why deeper ones are refused. */
export const NESTING_MESSAGE: string = `expression nesting exceeds ${NESTING_MAX} levels`;

const QUOTED = indexOf(QuotedName);
const COMMA = indexOf(Comma);

const NO_TOKENS: readonly IToken[] = Object.freeze([]);
const NO_SPANS: NodeSpans = new NodeSpans();

/** A place in a token sequence, with the reading steps that every expression form shares. */
export class TokenCursor {
  tokens: readonly IToken[] = NO_TOKENS;
  position = 0;
  spans: NodeSpans = NO_SPANS;
  #depth = 0;
  /** Whether a comma may end a list because an operation of ALTER follows. */
  #isSeparating = false;

  /** Begins at a token of a statement; spans of the nodes read go to `spans`. */
  enter(tokens: readonly IToken[], position: number, spans: NodeSpans): void {
    this.tokens = tokens;
    this.position = position;
    this.spans = spans;
    this.#depth = 0;
    this.#isSeparating = hasSeparatedOperations(tokens);
  }

  /** Gives up the tokens, which would keep the last statement in memory. */
  leave(): void {
    this.tokens = NO_TOKENS;
    this.spans = NO_SPANS;
  }

  /** Reads what stands between brackets, where no comma separates operations. */
  inBrackets<T>(read: () => T): T {
    const outer = this.#isSeparating;
    this.#isSeparating = false;
    const value = read();
    this.#isSeparating = outer;
    return value;
  }

  peek(ahead = 0): IToken {
    return this.tokens[this.position + ahead] ?? END_TOKEN;
  }

  next(): IToken {
    const token = this.peek();
    this.position += 1;
    return token;
  }

  isAt(typeIndex: number): boolean {
    return this.peek().tokenTypeIdx === typeIndex;
  }

  /** Takes the token if it has the type. */
  accept(typeIndex: number): boolean {
    if (this.peek().tokenTypeIdx !== typeIndex) return false;
    this.position += 1;
    return true;
  }

  /** Takes a token of the type or refuses what stands there. */
  expect(type: TokenType): IToken {
    if (this.peek().tokenTypeIdx !== type.tokenTypeIdx) {
      refuseToken(this.position, [type.LABEL ?? type.name]);
    }
    return this.next();
  }

  /** Enters a nesting level that the token at `position` opens. */
  descend(position: number): void {
    this.#depth += 1;
    if (this.#depth > NESTING_MAX) refuse(NESTING_MESSAGE, position);
  }

  ascend(levels = 1): void {
    this.#depth -= levels;
  }

  /** Freezes a node and notes its span, from the token at `first` to the one read last. */
  close<T extends object>(node: T, first: number): T {
    const start = this.tokens[first]?.startOffset ?? 0;
    const end = (this.tokens[this.position - 1]?.endOffset ?? start - 1) + 1;
    this.spans.note(node, start, end);
    return Object.freeze(node);
  }

  /** Whether a name that may stand alone begins here. */
  isAtFieldName(): boolean {
    const token = this.peek();
    if (token.tokenTypeIdx === QUOTED) return true;
    return isWord(token) && !RESERVED_IN_EXPRESSIONS.has(token.image.toLowerCase());
  }

  /** A name that stands alone: an unreserved word or a quoted name. */
  fieldName(): string {
    if (!this.isAtFieldName()) refuseToken(this.position, ['identifier']);
    return this.#name();
  }

  /** A name after a qualifier: any word or a quoted name. */
  qualifiedName(): string {
    const token = this.peek();
    if (token.tokenTypeIdx !== QUOTED && !isWord(token)) {
      refuseToken(this.position, ['identifier']);
    }
    return this.#name();
  }

  #name(): string {
    const token = this.next();
    if (token.tokenTypeIdx === QUOTED) return quotedNameOf(token, 'identifier', this.position - 1);
    return token.image.toLowerCase();
  }

  /** Items up to a closing token, which is taken; a comma may follow the last item. */
  listUntil<T>(closer: TokenType, item: () => T): readonly T[] {
    const items: T[] = [];
    const closerIndex = indexOf(closer);
    while (!this.accept(closerIndex)) {
      items.push(item());
      if (this.accept(closerIndex)) break;
      if (!this.accept(COMMA)) refuseToken(this.position, [',', closer.LABEL ?? closer.name]);
    }
    return Object.freeze(items);
  }

  /** One or more items; another follows each comma that does not separate operations. */
  commaList<T>(item: () => T): readonly T[] {
    const items = [item()];
    while (this.isAt(COMMA) && !this.#isAtSeparator()) {
      this.position += 1;
      items.push(item());
    }
    return Object.freeze(items);
  }

  #isAtSeparator(): boolean {
    return this.#isSeparating && isOperationHead(this.peek(1), this.peek(2));
  }
}
