import type { BinaryOperator, CaseArm, Expression, UnaryOperator } from '@nervix/model';
import { refuseToken } from '../failure.js';
import {
  indexOf,
  isWord,
  keyword,
  keywordType,
  LeftParen,
  Minus,
  punctuation,
  RightParen,
} from '../tokens.js';
import { type AtomReading, readAtom } from './atom-reader.js';
import { ADDITIVE, BINARY_OPERATORS, COMPARISON, MULTIPLICATIVE, OR } from './operators.js';
import { TokenCursor } from './token-cursor.js';
import { readCastType } from './type-reader.js';

interface Infix {
  readonly level: number;
  readonly operator: BinaryOperator | 'is' | 'in' | 'between' | 'not';
}

/** What an operator may begin with behind an operand, by the number of the token type. */
const INFIX: (Infix | undefined)[] = [];
for (const operator of Object.keys(BINARY_OPERATORS) as BinaryOperator[]) {
  const { level, text } = BINARY_OPERATORS[operator];
  INFIX[indexOf(keywordType(text) ?? punctuation(text))] = { level, operator };
}
for (const operator of ['is', 'in', 'between', 'not'] as const) {
  INFIX[indexOf(keyword(operator.toUpperCase()))] = { level: COMPARISON, operator };
}

const MINUS = indexOf(Minus);
const NOT = indexOf(keyword('NOT'));
const AS = indexOf(keyword('AS'));
const RIGHT_PAREN = indexOf(RightParen);
const IN = indexOf(keyword('IN'));
const BETWEEN = indexOf(keyword('BETWEEN'));

/**
 * Reads expressions by precedence climbing. It takes the longest prefix that is an expression and
 * stops at the first token it has no use for; it never goes back over a token.
 */
export class ExpressionReader extends TokenCursor implements AtomReading {
  /** Whether the level being read is that of a TRY_CAST's own parentheses. */
  #isTryCastLevel = false;

  /** Reads one expression at a new level, where AS is always a cast. */
  readonly expression = (): Expression => this.#level(false);

  /** Reads the operand of TRY_CAST, whose last `AS type` it leaves. */
  readonly tryCastOperand = (): Expression => this.#level(true);

  #level(isTryCastLevel: boolean): Expression {
    const outer = this.#isTryCastLevel;
    this.#isTryCastLevel = isTryCastLevel;
    const expression = this.#operators(OR);
    this.#isTryCastLevel = outer;
    return expression;
  }

  override enter(...parameters: Parameters<TokenCursor['enter']>): void {
    super.enter(...parameters);
    this.#isTryCastLevel = false;
  }

  /** An operand and the operators of at least `minLevel` that follow it. */
  #operators(minLevel: number): Expression {
    const first = this.position;
    let left = this.#unary();
    let maxLevel = MULTIPLICATIVE;
    for (;;) {
      const found = INFIX[this.peek().tokenTypeIdx];
      if (found === undefined || found.level < minLevel || found.level > maxLevel) return left;
      // A set has no operand on its right that would take the tighter operators behind it.
      maxLevel = found.level;
      this.position += 1;
      left = this.#infix(left, found, first);
    }
  }

  #infix(left: Expression, { operator, level }: Infix, first: number): Expression {
    switch (operator) {
      case 'is':
        return this.#distinct(left, first);
      case 'in':
        return this.#inSet(left, false, first);
      case 'between':
        return this.#between(left, false, first);
      case 'not':
        if (this.accept(IN)) return this.#inSet(left, true, first);
        if (this.accept(BETWEEN)) return this.#between(left, true, first);
        return refuseToken(this.position, ['IN', 'BETWEEN']);
      default: {
        const right = this.#operators(level + 1);
        return this.close({ kind: 'binary', operator, left, right }, first);
      }
    }
  }

  #distinct(left: Expression, first: number): Expression {
    const negated = this.accept(NOT);
    if (!negated && !this.isAt(indexOf(keyword('DISTINCT')))) {
      refuseToken(this.position, ['DISTINCT', 'NOT']);
    }
    this.expect(keyword('DISTINCT'));
    this.expect(keyword('FROM'));
    const right = this.#operators(ADDITIVE);
    return this.close({ kind: 'distinct', negated, left, right }, first);
  }

  #inSet(operand: Expression, negated: boolean, first: number): Expression {
    const opener = this.position;
    this.expect(LeftParen);
    this.descend(opener);
    const elements = this.listUntil(RightParen, this.expression);
    this.ascend();
    return this.close({ kind: 'in', negated, operand, elements }, first);
  }

  #between(operand: Expression, negated: boolean, first: number): Expression {
    const low = this.#operators(ADDITIVE);
    this.expect(keyword('AND'));
    const high = this.#operators(ADDITIVE);
    return this.close({ kind: 'between', negated, operand, low, high }, first);
  }

  #unary(): Expression {
    const first = this.position;
    for (;;) {
      const { tokenTypeIdx } = this.peek();
      if (tokenTypeIdx !== MINUS && tokenTypeIdx !== NOT) break;
      this.descend(this.position);
      this.position += 1;
    }
    const operators = this.position - first;
    let operand = this.#cast();
    for (let index = first + operators - 1; index >= first; index -= 1) {
      const isMinus = this.tokens[index]?.tokenTypeIdx === MINUS;
      const operator: UnaryOperator = isMinus ? 'neg' : 'not';
      operand = this.close({ kind: 'unary', operator, operand }, index);
    }
    this.ascend(operators);
    return operand;
  }

  #cast(): Expression {
    const first = this.position;
    let operand = readAtom(this);
    while (this.isAt(AS) && !(this.#isTryCastLevel && this.#isTypeBeforeClose())) {
      this.position += 1;
      const target = readCastType(this);
      operand = this.close({ kind: 'cast', isTry: false, operand, target }, first);
    }
    return operand;
  }

  #isTypeBeforeClose(): boolean {
    return isWord(this.peek(1)) && this.peek(2).tokenTypeIdx === RIGHT_PAREN;
  }

  /** Arms of a CASE, its operand and ELSE; CASE itself is taken already. */
  caseRest(first: number): Expression {
    const when = indexOf(keyword('WHEN'));
    const operand = this.isAt(when) ? null : this.expression();
    const arms: CaseArm[] = [];
    while (arms.length === 0 || this.isAt(when)) {
      const armFirst = this.position;
      this.expect(keyword('WHEN'));
      const condition = this.expression();
      this.expect(keyword('THEN'));
      const then = this.expression();
      arms.push(this.close({ when: condition, then }, armFirst));
    }
    let otherwise: Expression | null = null;
    if (this.accept(indexOf(keyword('ELSE')))) otherwise = this.expression();
    else if (!this.isAt(indexOf(keyword('END')))) {
      refuseToken(this.position, ['WHEN', 'ELSE', 'END']);
    }
    this.expect(keyword('END'));
    Object.freeze(arms);
    return this.close({ kind: 'case', form: 'case', operand, arms, otherwise }, first);
  }
}
