import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectationsOf } from '../src/expectations.ts';
import {
  lineColumn,
  parseExpression,
  parseScript,
  parseStatement,
  printStatement,
  renderDiagnostic,
} from '../src/index.ts';
import { KEYWORDS } from '../src/keywords.ts';
import { Lexer } from '../src/lexer.ts';
import { STATEMENT_RULE, statementParser } from '../src/parser.ts';
import { statement } from './support/arbitraries.ts';

const numRuns = Number(process.env['PROP_RUNS'] ?? 400);

/** Reads a text in every way; whatever it is, spans lie inside it and errors can be shown. */
function survive(text: string): void {
  const length = new TextEncoder().encode(text).length;
  const { statements, errors } = parseScript(text);
  for (const { span } of [...statements, ...errors]) {
    expect(span.start).toBeGreaterThanOrEqual(0);
    expect(span.end).toBeGreaterThanOrEqual(span.start);
    expect(span.end).toBeLessThanOrEqual(length);
  }
  for (const error of errors) {
    expect(error.message).not.toContain('something else');
    renderDiagnostic(text, error);
    lineColumn(text, error.span.end);
  }
  parseStatement(text);
  parseExpression(text);
}

const punctuation = '!= >= <= :: { } [ ] ( ) , ; : . - = > < + * / %'.split(' ');
const literals = ["'a'", '"b"', '$$c$$', '`d e`', '`f`', '0', '12', '1.5', '1e3', '// x\n'];
const word = fc.oneof(
  fc.constantFrom(...KEYWORDS),
  fc.constantFrom(...punctuation),
  fc.constantFrom(...literals),
  fc.constantFrom('x', 'message.a', 'relay_state.r.f', 'ms', 'KiB'),
);

test('NSPL 10: random tokens are read or refused, never thrown at', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), (words) => survive(words.join(' '))),
    { numRuns: numRuns * 2 },
  );
});

test('NSPL 10: random text is read or refused', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => String.fromCharCode(...bytes)),
    fc.string({ unit: fc.constantFrom('$', 'a', "'", '"', '`', '\n', '/', '\ud800', '\udc00') }),
  );
  fc.assert(fc.property(anything, survive), { numRuns: numRuns * 2 });
});

test('NSPL 10: cut and mangled statements are read or refused', () => {
  const mangled = fc
    .tuple(statement, fc.nat(), fc.nat(), fc.option(word))
    .map(([original, from, length, inserted]) => {
      const text = printStatement(original);
      const start = from % (text.length + 1);
      const end = Math.min(text.length, start + (length % 12));
      return `${text.slice(0, start)} ${inserted ?? ''} ${text.slice(end)}`;
    });
  fc.assert(fc.property(mangled, survive), { numRuns });
});

test('NSPL 10: the walk for expectations accepts exactly what the parser accepts', () => {
  const start = statementParser().host.recorded()[STATEMENT_RULE]!;
  const truncated = fc.tuple(statement, fc.nat()).map(([original, cut]) => {
    const lexer = new Lexer(printStatement(original));
    const tokens = lexer.next()!.tokens;
    return tokens.slice(0, cut % (tokens.length + 1));
  });
  fc.assert(
    fc.property(truncated, (tokens) => {
      const text = tokens.map((token) => token.image).join(' ');
      const { isComplete, labels } = expectationsOf(start, tokens);
      const isRead = parseStatement(text).kind === 'parsed';
      expect(isComplete).toBe(isRead);
      expect(new Set(labels).size).toBe(labels.length);
    }),
    { numRuns },
  );
});
