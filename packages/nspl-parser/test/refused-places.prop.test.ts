import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasSeparatedOperations } from '../src/expression/operation-separator.ts';
import { type Diagnostic, parseScript, parseStatement, printStatement } from '../src/index.ts';
import { Lexer } from '../src/lexer.ts';
import { statement } from './support/arbitraries.ts';

const numRuns = Number(process.env['PROP_RUNS'] ?? 400);

/** What is put where it may not stand: values, words that begin clauses, punctuation. */
const STRAYS = [
  ...["'a'", '`b`', '0', '1.5', '5s', '10 MESSAGES', '0 x', 'x', 'x = 1', 'x, y', 'NULL', 'CASE'],
  ...'WITH WHERE INHERIT INVOKE SET STEP DURATION SIGNALING TO FROM ON NOT MAX WAIT PLAN'.split(
    ' ',
  ),
  ...'CREATE DROP SECRET FLUSH ADD ALL ALTER TRUE :: ( ) [ ] { } , . = - *'.split(' '),
];

/** A statement into which a stray has been put, behind any token or instead of it. */
const disturbed = fc
  .tuple(statement, fc.nat(), fc.constantFrom(...STRAYS), fc.boolean(), fc.boolean())
  .map(([original, place, stray, isInstead, isEnding]) => {
    const text = printStatement(original, { withSecrets: true }).replace(/;$/u, '');
    const tokens = new Lexer(text).next()?.tokens ?? [];
    const { startOffset, image } = tokens[place % tokens.length]!;
    const end = startOffset + image.length;
    const before = text.slice(0, isInstead ? startOffset : end);
    return { before: `${before} ${stray} `, after: isEnding ? '' : text.slice(end) };
  });

function refusalOf(text: string): Diagnostic | undefined {
  const result = parseStatement(text);
  return result.kind === 'refused' ? result.errors[0] : undefined;
}

function expectedBy({ message }: Diagnostic): string {
  return message.slice(0, message.lastIndexOf(', found '));
}

test('NSPL 10: what is said of a refused token depends only on what stands before it', () => {
  let count = 0;
  const isSaid = ({ before, after }: { readonly before: string; readonly after: string }) => {
    const text = before + after;
    const refusal = refusalOf(text);
    if (refusal?.code !== 'NSPL_SYNTAX') return;
    count += 1;
    const expected = expectedBy(refusal);
    expect(expected).not.toContain('something else');
    const { start, end } = refusal.span;
    const bytes = Buffer.from(text);
    const standing = bytes.subarray(0, start).toString();
    const cut = refusalOf(standing);
    // Where a statement may end it does; in any other place the end is refused as the token was.
    if (cut === undefined) expect(expected).toMatch(/ ;$/u);
    else expect([expectedBy(cut), standing.slice(cut.span.start).trim()]).toEqual([expected, '']);
    // A comma belongs to a list or to the statement by what stands behind it.
    if (hasSeparatedOperations(new Lexer(text).next()?.tokens ?? [])) return;
    expect(refusalOf(bytes.subarray(0, end).toString())).toMatchObject({
      message: refusal.message,
      span: { start },
    });
  };
  fc.assert(fc.property(disturbed, isSaid), { numRuns });
  expect(count).toBeGreaterThan(numRuns / 2);
});

test('NSPL 10: a refused statement says the same between others, which are read', () => {
  const isRead = ({ before, after }: { readonly before: string; readonly after: string }) => {
    const refusal = refusalOf(before + after);
    if (refusal === undefined) return;
    const around = 'LIST DOMAINS; ';
    const { statements, errors } = parseScript(`${around}${before}${after}; ${around}`);
    expect(statements).toHaveLength(2);
    expect(errors.map(({ message }) => message)).toEqual([refusal.message]);
    expect(errors[0]!.span.start - around.length).toBe(refusal.span.start);
  };
  fc.assert(fc.property(disturbed, isRead), { numRuns });
});
