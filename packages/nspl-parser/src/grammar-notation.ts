import {
  choiceOf,
  type GrammarNode,
  type GrammarRules,
  optionalOf,
  sequenceOf,
} from './grammar-node.js';

const SYMBOL = /\s*('[^']*'|[A-Za-z][A-Za-z_]*|::=|%\??|[()|?*+])/uy;

/**
 * Reads rules in an extended Backus-Naur form. A rule is `name ::= body`; a body has `'KEYWORD'`s,
 * punctuation in quotes, other rules by name, VALUES in capitals, `|`, parentheses, the suffixes
 * `?` `*` `+`, and `a % ','` for a list; `a %? ','` lets a comma follow the last item.
 */
export function readGrammarNotation(text: string): GrammarRules {
  const reader = new NotationReader(text);
  const rules = new Map<string, GrammarNode>();
  while (!reader.isAtEnd) {
    const [name, body] = reader.rule();
    if (rules.has(name)) throw new SyntaxError(`rule ${name} is defined twice`);
    rules.set(name, body);
  }
  return rules;
}

class NotationReader {
  readonly #symbols: readonly string[];
  #position = 0;

  constructor(text: string) {
    const symbols: string[] = [];
    SYMBOL.lastIndex = 0;
    for (let at = 0; at < text.trimEnd().length; at = SYMBOL.lastIndex) {
      const symbol = SYMBOL.exec(text)?.[1];
      if (symbol === undefined) throw new SyntaxError(`no symbol at ${at} of the notation`);
      symbols.push(symbol);
    }
    this.#symbols = symbols;
  }

  get isAtEnd(): boolean {
    return this.#position === this.#symbols.length;
  }

  rule(): readonly [name: string, body: GrammarNode] {
    const name = this.#take();
    if (!/^[a-z]/u.test(name) || this.#take() !== '::=') {
      throw new SyntaxError(`expected a rule, found ${name}`);
    }
    return [name, this.#choice()];
  }

  #take(): string {
    const symbol = this.#symbols[this.#position];
    if (symbol === undefined) throw new SyntaxError('the notation ends too early');
    this.#position += 1;
    return symbol;
  }

  #accept(symbol: string): boolean {
    if (this.#symbols[this.#position] !== symbol) return false;
    this.#position += 1;
    return true;
  }

  #choice(): GrammarNode {
    const alternatives = [this.#sequence()];
    while (this.#accept('|')) alternatives.push(this.#sequence());
    return choiceOf(alternatives);
  }

  #sequence(): GrammarNode {
    const items: GrammarNode[] = [];
    while (!this.#isAtSequenceEnd()) items.push(this.#suffixed());
    return sequenceOf(items);
  }

  #isAtSequenceEnd(): boolean {
    const symbol = this.#symbols[this.#position];
    const isNextRule = this.#symbols[this.#position + 1] === '::=';
    return symbol === undefined || symbol === '|' || symbol === ')' || isNextRule;
  }

  #suffixed(): GrammarNode {
    const item = this.#atom();
    if (this.#accept('?')) return optionalOf(item);
    if (this.#accept('+')) return { kind: 'repeat', item, separator: null };
    if (this.#accept('*')) return optionalOf({ kind: 'repeat', item, separator: null });
    if (this.#accept('%')) return { kind: 'repeat', item, separator: this.#atom() };
    if (!this.#accept('%?')) return item;
    const separator = this.#atom();
    return sequenceOf([{ kind: 'repeat', item, separator }, optionalOf(separator)]);
  }

  #atom(): GrammarNode {
    const symbol = this.#take();
    if (symbol === '(') {
      const node = this.#choice();
      if (!this.#accept(')')) throw new SyntaxError('a parenthesis of the notation is not closed');
      return node;
    }
    if (symbol.startsWith("'")) return quoted(symbol.slice(1, -1));
    if (/^[A-Z]/u.test(symbol)) return { kind: 'value', label: symbol.toLowerCase() };
    if (/^[a-z]/u.test(symbol)) return { kind: 'rule', name: symbol };
    throw new SyntaxError(`${symbol} of the notation has nothing before it`);
  }
}

function quoted(text: string): GrammarNode {
  if (!/^\w/u.test(text)) return { kind: 'punctuation', text };
  return sequenceOf(text.split(' ').map((word) => ({ kind: 'keyword', text: word })));
}
