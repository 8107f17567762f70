import fc from 'fast-check';
import { expect, test } from 'vitest';
import { format, parseScript, printStatement } from '../../src/index.ts';
import { Lexer } from '../../src/lexer.ts';
import type { TextRange } from '../../src/spans.ts';
import { keywordType } from '../../src/tokens.ts';
import { statement } from '../support/arbitraries.ts';
import { plain } from '../support/reading.ts';

const numRuns = Number(process.env['PROP_RUNS'] ?? 400);

/** What stands between tokens: white space, or a comment with its line break. */
const space = fc.constantFrom(' ', '\n', '\t', '\r\n', ' \n\n  ', '\u3000', '\u0085');
const comment = fc
  .oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom(' BEGIN; USE x;', ' it\'s "open', ' $$', ' blanks \t\r', '\ufeff', ' a // b'),
  )
  .map((text) => `//${text.replaceAll('\n', '')}\n`);
const between = fc.oneof({ weight: 30, arbitrary: space }, { weight: 1, arbitrary: comment });
const around = fc
  .array(fc.oneof({ weight: 3, arbitrary: space }, comment, fc.constant(';')), { maxLength: 6 })
  .map((parts) => parts.join(''));

/** A statement as somebody might write it: odd cases of keywords, odd spacing, a few comments. */
const written = statement.chain((original) => {
  const { tokens } = new Lexer(printStatement(original, { withSecrets: true })).next()!;
  return fc
    .tuple(
      fc.infiniteStream(between),
      fc.infiniteStream(fc.boolean()),
      fc.constantFrom('', ' ', '\n'),
      fc.boolean(),
    )
    .map(([gaps, isLower, end, hasComments]) => {
      const words = tokens.map(({ image }) => {
        const isKeyword = keywordType(image) !== undefined;
        return isKeyword && isLower.next().value ? image.toLowerCase() : image;
      });
      const gap = (): string => {
        const text = gaps.next().value ?? ' ';
        return text.startsWith('//') && !hasComments ? ' ' : text;
      };
      return `${words.map((word) => `${word}${gap()}`).join('')}${end}`;
    });
});

const script = fc
  .array(fc.tuple(around, written), { minLength: 1, maxLength: 5 })
  .chain((parts) => fc.tuple(fc.constant(parts), around, fc.boolean()))
  .map(([parts, tail, isEnded]) => {
    const text = parts.map(([lead, body]) => lead + body).join(';');
    return `${text}${isEnded ? ';' : ' '}${tail}`;
  });

/** Every comment of a text, without blanks at its end. */
function comments(text: string): string[] {
  const ranges: TextRange[] = [];
  const lexer = new Lexer(text, ranges);
  while (lexer.next() !== undefined);
  return ranges.map(({ start, end }) => text.slice(start, end).replace(/[\t-\r ]+$/u, ''));
}

function statements(text: string): unknown[] {
  const result = parseScript(text);
  expect(result.errors).toEqual([]);
  return result.statements.map((parsed) => plain(parsed.statement));
}

test('CL-90: meaning and comments are kept, and formatting again changes nothing', () => {
  fc.assert(
    fc.property(script, (text) => {
      fc.pre(parseScript(text).errors.length === 0);
      const result = format(text);
      if (result.kind !== 'formatted') throw new Error(JSON.stringify(result));
      expect(statements(result.text)).toEqual(statements(text));
      expect(comments(result.text)).toEqual(comments(text));
      const { statementCount, commentCount } = result;
      expect(format(result.text)).toEqual({
        kind: 'formatted',
        text: result.text,
        isChanged: false,
        statementCount,
        commentCount,
      });
    }),
    { numRuns },
  );
});

test('CL-89: statements without comments inside print as SHOW CREATE, the others are kept', () => {
  fc.assert(
    fc.property(script, (text) => {
      const original = parseScript(text);
      fc.pre(original.errors.length === 0);
      const result = format(text);
      if (result.kind !== 'formatted') throw new Error(JSON.stringify(result));
      const printed = parseScript(result.text).statements.map((parsed) => parsed.text);
      const expected = original.statements.map((parsed) =>
        comments(parsed.text).length > 0
          ? parsed.text
          : printStatement(parsed.statement, { withSecrets: true }),
      );
      expect(printed).toEqual(expected);
      expect(result.text).not.toMatch(/^\n|\n\n$/u);
      expect(result.text.endsWith('\n')).toBe(true);
    }),
    { numRuns },
  );
});

test('CL-90: any text is formatted or refused as the parser refuses it', () => {
  const piece = fc.oneof(
    fc.constantFrom('BEGIN', ';', '//', '\n', '\r\n', ' ', "'", '$$', '`', 'USE x', '\ufeff', '@'),
    fc.string({ unit: 'binary', maxLength: 5 }),
    written,
  );
  const anything = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(anything, (text) => {
      const { errors } = parseScript(text);
      const result = format(text);
      if (errors.length > 0) expect(result).toEqual({ kind: 'refused', errors });
      else expect(result.kind).toBe('formatted');
    }),
    { numRuns: numRuns * 2 },
  );
});
