import { createToken, EOF, type IToken, Lexer, type TokenType } from 'chevrotain';
import { KEYWORDS } from './keywords.js';
import { OPERATION_HEADS } from './names.js';

/**
 * A token type that lexed text can have. Categories are set afterwards: the parser works out their
 * members once for all types, where `createToken` would do so again for every type.
 */
function terminal(name: string, label: string, categories: TokenType[] = []): TokenType {
  const type = createToken({ name, label, pattern: Lexer.NA });
  type.CATEGORIES = categories;
  return type;
}

/** Category of what may stand for a literal value: a string, a number or a word. */
export const LiteralText: TokenType = terminal('LiteralText', 'identifier');

/** Category of what may stand for an integer: a number or a word, whose text is checked. */
export const IntegerText: TokenType = terminal('IntegerText', 'number_literal', [LiteralText]);

/** Category of what may name a thing outside the system: a word or a string. */
export const ExternalName: TokenType = terminal('ExternalName', 'identifier');

/** Category of every word, keyword or not: what a statement-level name slot takes. */
export const Word: TokenType = terminal('Word', 'identifier', [IntegerText, ExternalName]);

/** Category of every word but MESSAGES: the unit of a duration beside a message count. */
export const UnitWord: TokenType = terminal('UnitWord', 'identifier');

/** Category of every word that begins no operation of ALTER: a name behind a comma there. */
export const ListedWord: TokenType = terminal('ListedWord', 'identifier');

/**
 * A word that is no keyword. Its categories are given at once, which tells the parser that there
 * are categories at all.
 */
export const PlainWord: TokenType = createToken({
  name: 'PlainWord',
  label: 'identifier',
  pattern: Lexer.NA,
  categories: [Word, UnitWord, ListedWord],
});

export const StringToken: TokenType = terminal('String', 'string_literal', [
  LiteralText,
  ExternalName,
]);
export const NumberToken: TokenType = terminal('Number', 'number_literal', [IntegerText]);
/** A name in backticks; only expressions take it. */
export const QuotedName: TokenType = terminal('QuotedName', 'identifier');

/** Punctuation, the two-character forms first. */
export const NotEquals: TokenType = terminal('NotEquals', '!=');
export const GreaterEquals: TokenType = terminal('GreaterEquals', '>=');
export const LessEquals: TokenType = terminal('LessEquals', '<=');
export const DoubleColon: TokenType = terminal('DoubleColon', '::');
export const LeftBrace: TokenType = terminal('LeftBrace', '{');
export const RightBrace: TokenType = terminal('RightBrace', '}');
export const LeftBracket: TokenType = terminal('LeftBracket', '[');
export const RightBracket: TokenType = terminal('RightBracket', ']');
export const LeftParen: TokenType = terminal('LeftParen', '(');
export const RightParen: TokenType = terminal('RightParen', ')');
export const Comma: TokenType = terminal('Comma', ',');
export const Semicolon: TokenType = terminal('Semicolon', ';');
export const Colon: TokenType = terminal('Colon', ':');
export const Dot: TokenType = terminal('Dot', '.');
export const Minus: TokenType = terminal('Minus', '-');
export const Equals: TokenType = terminal('Equals', '=');
export const Greater: TokenType = terminal('Greater', '>');
export const Less: TokenType = terminal('Less', '<');
export const Plus: TokenType = terminal('Plus', '+');
export const Star: TokenType = terminal('Star', '*');
export const Slash: TokenType = terminal('Slash', '/');
export const Percent: TokenType = terminal('Percent', '%');

/** Every punctuation token type. */
export const PUNCTUATION: readonly TokenType[] = [
  NotEquals,
  GreaterEquals,
  LessEquals,
  DoubleColon,
  LeftBrace,
  RightBrace,
  LeftBracket,
  RightBracket,
  LeftParen,
  RightParen,
  Comma,
  Semicolon,
  Colon,
  Dot,
  Minus,
  Equals,
  Greater,
  Less,
  Plus,
  Star,
  Slash,
  Percent,
];

const keywordTypes: Map<string, TokenType> = new Map(
  KEYWORDS.map((word) => [
    word,
    terminal(`KW_${word}`, word, [
      Word,
      ...(word === 'MESSAGES' ? [] : [UnitWord]),
      ...(OPERATION_HEADS.has(word.toLowerCase()) ? [] : [ListedWord]),
    ]),
  ]),
);

/**
 * Token type of a keyword.
 *
 * @param word canonical spelling
 */
export function keyword(word: string): TokenType {
  const type = keywordTypes.get(word);
  if (type === undefined) throw new RangeError(`'${word}' is not a keyword`);
  return type;
}

/** Token type of a punctuation mark. */
export function punctuation(text: string): TokenType {
  const type = PUNCTUATION.find(({ LABEL }) => LABEL === text);
  if (type === undefined) throw new RangeError(`'${text}' is no punctuation`);
  return type;
}

/** Token types of several keywords, by their canonical spelling. */
export function keywords<W extends string>(...words: readonly W[]): Readonly<Record<W, TokenType>> {
  return Object.fromEntries(words.map((word) => [word, keyword(word)])) as Record<W, TokenType>;
}

/** Token type of a word that is a keyword in this canonical spelling, if it is one. */
export function keywordType(word: string): TokenType | undefined {
  return keywordTypes.get(word);
}

/** Every token type that lexed text can have. */
export const TOKEN_TYPES: readonly TokenType[] = [
  StringToken,
  NumberToken,
  QuotedName,
  ...PUNCTUATION,
  PlainWord,
  ...keywordTypes.values(),
  Word,
  UnitWord,
  ListedWord,
  IntegerText,
  LiteralText,
  ExternalName,
];

/** Stands behind the last token of every statement. */
export const END_TOKEN: IToken = Object.freeze({
  image: '',
  startOffset: -1,
  endOffset: -1,
  tokenType: EOF,
  tokenTypeIdx: EOF.tokenTypeIdx ?? 1,
});

const WORD_INDEXES: ReadonlySet<number> = new Set(
  [PlainWord, ...keywordTypes.values()].map((type) => indexOf(type)),
);

/** Whether a token is a word, keyword or not. */
export function isWord(token: IToken): boolean {
  return WORD_INDEXES.has(token.tokenTypeIdx);
}

/** The number that identifies a token type in {@link IToken.tokenTypeIdx}. */
export function indexOf(type: TokenType): number {
  if (type.tokenTypeIdx === undefined) throw new RangeError(`${type.name} is not registered`);
  return type.tokenTypeIdx;
}

/** UTF-16 offset just past a token. */
export function endOf(token: IToken): number {
  return (token.endOffset ?? token.startOffset - 1) + 1;
}

/** The text between the delimiters of a string token. */
export function stringValue(token: IToken): string {
  const raw = token.image;
  if (raw.charCodeAt(0) !== 0x24) return raw.slice(1, -1);
  const delimiterLength = raw.indexOf('$', 1) + 1;
  return raw.slice(delimiterLength, -delimiterLength);
}
