import { describe, expect, test } from 'vitest';
import { parseScript } from '../src/index.ts';
import { KEYWORDS } from '../src/keywords.ts';
import { Lexer } from '../src/lexer.ts';
import { stringValue } from '../src/tokens.ts';
import { expectRefusal } from './support/reading.ts';

function images(text: string): string[] {
  return (new Lexer(text).next()?.tokens ?? []).map((token) => token.image);
}

describe('NSPL 1.1: tokens', () => {
  test.each([
    ['250ms', ['250', 'ms']],
    ['1h30m', ['1', 'h30m']],
    ['007', ['0', '0', '7']],
    ['2.', ['2', '.']],
    ['1.5e-3x', ['1.5e-3', 'x']],
    ['1e+', ['1', 'e', '+']],
    ['s3', ['s3']],
    ['a!=b>=c<=d::e', ['a', '!=', 'b', '>=', 'c', '<=', 'd', '::', 'e']],
    ['a>>b', ['a', '>', '>', 'b']],
    ['a // b\nc //', ['a', 'c']],
    ["'// a' b", ["'// a'", 'b']],
    ['`a b` ``', ['`a b`', '``']],
    ['a\u0085b\u3000c\u2028d', ['a', 'b', 'c', 'd']],
  ])('%j', (text, expected) => {
    expect(images(text)).toEqual(expected);
  });

  test.each([
    ["'a\\'", 'a\\'],
    ['"it\'s\r"', "it's\r"],
    ['$$a\nb$$', 'a\nb'],
    ['$t$a$$b$t$', 'a$$b'],
    ['$$$$', ''],
  ])('the text of %j', (text, expected) => {
    expect(stringValue(new Lexer(text).next()!.tokens[0]!)).toBe(expected);
  });

  test.each([
    ['USE @', "unexpected character '@'", '@'],
    ['USE é', "unexpected character 'é'", 'é'],
    ['USE \ufeffd', "unexpected character '\ufeff'", '\ufeff'],
    ['USE a!', "unexpected character '!'", '!'],
    ['USE 😀', "unexpected character '😀'", '😀'],
    ["USE 'a\n", "unterminated string literal; expected '", "'a"],
    ['USE `a', 'unterminated quoted name; expected `', '`a'],
    ['USE $a-b$ d', 'dollar-quote tag must contain only letters, digits, or underscores', '$a-b$'],
    ['USE $a', 'unterminated dollar-quote delimiter', '$a'],
    ['USE $a$ b', 'unterminated dollar-quoted string; expected $a$', '$a$ b'],
  ])('refuses %j', (text, message, pointed) => {
    expectRefusal(text, message, pointed);
  });

  test('a lexical defect refuses the whole text', () => {
    const { statements, errors } = parseScript("BEGIN; @; 'é' ^; FOO");
    expect(statements).toEqual([]);
    expect(errors.map(({ stage, span }) => [stage, span.start])).toEqual([
      ['lex', 7],
      ['lex', 15],
    ]);
  });
});

test('NSPL 1.2: keywords are known by their letters, whatever their case', () => {
  expect(KEYWORDS).toContain('ROTO_0_13');
  expect(KEYWORDS).toContain('CASCADE');
  expect(new Set(KEYWORDS).size).toBe(KEYWORDS.length);
  expect(parseScript('bEgIn').statements[0]?.statement).toEqual({ kind: 'begin' });
});

describe('NSPL 1.5: scripts', () => {
  test('each statement is read by itself and located in the whole text', () => {
    const text = "// é\nBEGIN;;\nUSE 'x'; STOP // ;\n";
    const { statements, errors } = parseScript(text);
    expect(statements.map((parsed) => [parsed.text, parsed.span])).toEqual([
      ['BEGIN;', { start: 6, end: 12 }],
      ['STOP', { start: 23, end: 27 }],
    ]);
    expect(errors).toEqual([
      {
        code: 'NSPL_SYNTAX',
        stage: 'parse',
        message: 'expected ref:domain, found "x"',
        span: { start: 18, end: 21 },
      },
    ]);
  });

  test('two statements without a separator are refused', () => {
    expectRefusal('BEGIN STOP', 'expected ;, found STOP', 'STOP');
  });

  test('nothing is a script without statements', () => {
    expect(parseScript(' ;; // x')).toEqual({ statements: [], errors: [] });
  });

  test('a text of more than 16 MiB is refused before it is read', () => {
    const { errors } = parseScript(`BEGIN; // ${'é'.repeat(8 * 1024 * 1024)}`);
    expect(errors.map(({ code }) => code)).toEqual(['NSPL_TOO_LARGE']);
  });
});
